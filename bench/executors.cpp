// SPDX-License-Identifier: Apache-2.0
// What the executor `uring` is for, and what not: it beside `threads`, by turns, a runtime each, and beside native
// threads that do the same: as many as there are callers (`native`, at most 256), and as many as a runtime has workers
// (`native_workers`). Callers are blocks of one thread, each of which makes one call after another while a round lasts:
//
//   direct   random pages of 4 KiB of a file that was opened with O_DIRECT, into the arena
//   cold     the same of a file whose pages Linux has been told to drop from its cache
//   cached   the same of files in the page cache and in tmpfs: nothing waits
//   durable  records of --bytes bytes, to a file each: with O_DSYNC, or with fdatasync after each
//   waiting  what a short call takes, by another thread, while 64 callers read directly, or write and fdatasync
#include "executors/parts.h"
#include "executors/shared.h"
#include "support/measure.h"
#include "support/run.h"
#include "support/shared_parts.h"

int main(int argc, char** argv) {
  measure::bench all("executors", "The executors threads and uring side by side, and native threads that do the same.");
  baseline::shared_parts<executors::shared> with(all);
  all.option("--folder", executors::folder, "where the files are, on a disk");
  all.option("--bytes", executors::record_bytes, "of a record, in part durable");
  with.part("direct", "random 4 KiB of a file opened with O_DIRECT, by callers", executors::direct);
  with.part("cold", "the same of a file that is not in the page cache", executors::cold);
  with.part("cached", "the same of files that are: the page cache's, and tmpfs's", executors::cached);
  with.part("durable", "records to a file each, O_DSYNC or with fdatasync, by callers", executors::durable);
  with.part("waiting", "a short call while 64 callers wait for the disk all the time", executors::waiting);
  return baseline::run(all, argc, argv);
}
