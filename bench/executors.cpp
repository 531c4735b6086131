// SPDX-License-Identifier: Apache-2.0
// The executors `threads` and `uring`, by turns, with a runtime for each; beside them native threads that do the same:
// one for each caller (`native`, at most 256), and one for each worker of a runtime (`native_workers`). A caller is a
// block of one thread that makes one call after another while a round lasts:
//
//   direct   random pages of 4 KiB of a file opened with O_DIRECT, into the arena
//   cold     the same of a file whose pages Linux was asked to drop from its cache
//   cached   the same of files in the page cache and in tmpfs: no call waits
//   durable  records of --bytes bytes, to a file each: with O_DSYNC, or with fdatasync after each
//   waiting  the time of a short call of another thread, while 64 callers read directly, or write and fdatasync
#include "executors/parts.h"
#include "executors/shared.h"
#include "support/measure.h"
#include "support/run.h"
#include "support/shared_parts.h"

int main(int argc, char** argv) {
  measure::bench all("executors", "The executors threads and uring side by side, and native threads that do the same.");
  baseline::shared_parts<executors::shared> with(all);
  all.option("--folder", executors::folder, "folder for the files, on a disk");
  all.option("--bytes", executors::record_bytes, "bytes of a record, in part durable");
  with.part("direct", "random 4 KiB of a file opened with O_DIRECT, by callers", executors::direct);
  with.part("cold", "the same of a file that is not in the page cache", executors::cold);
  with.part("cached", "the same of files in the page cache and in tmpfs", executors::cached);
  with.part("durable", "records to a file each, O_DSYNC or with fdatasync, by callers", executors::durable);
  with.part("waiting", "a short call while 64 callers wait for the disk all the time", executors::waiting);
  return baseline::run(all, argc, argv);
}
