// SPDX-License-Identifier: Apache-2.0
// The executor `direct`, whose kernels fill rings of io_uring themselves, beside the same rings filled by a thread of
// the process each (`fed`), and beside the executors `threads` and `uring`. By turns, a runtime each, with as many
// calls under way and as many buffers on all sides:
//
//   one     one thread's read of 4 KiB, by its own clock; and with up to 32 of them under way, by tickets
//   nop     entries that ask for nothing: what rings can carry
//   reads   random 4 KiB and 64 KiB of files in the page cache and in tmpfs, and of one opened with O_DIRECT; by rings
//   cpu     what of the CPU reads take over two seconds, by 4 rings
//   udp     datagrams on loopback, received from and sent to a thread each for a ring with recvmmsg(2) and sendmmsg(2),
//           beside as many threads that do the same in the kernels' place
//   waiting ten thousand receives while nothing arrives: the CPU that the process takes, in the first seconds and
//           after nine of them
//   unused  what io_uring has and kernels do not use, by a ring that a thread fills: registered files and memory,
//           calls by path (beside a thread that makes them), zero-copy sends
#include "direct/parts.h"
#include "direct/shared.h"
#include "support/measure.h"
#include "support/run.h"
#include "support/shared_parts.h"

int main(int argc, char** argv) {
  measure::bench all("direct",
                     "The executor direct beside the same rings filled by threads, and beside the other executors.");
  baseline::shared_parts<direct::shared> with(all);
  all.option("--folder", direct::folder, "where the files are, on a disk");
  all.option("--callers", direct::callers_asked, "reads of 4 KiB under way; of 64 KiB a fourth of it");
  with.part("one", "one thread's read of 4 KiB from the page cache", direct::one);
  with.part("nop", "entries that ask for nothing, by rings", direct::nop);
  with.part("reads", "random 4 KiB and 64 KiB of three kinds of files, by rings", direct::read_files);
  with.part("cpu", "what of the CPU reads of 4 KiB take, by 4 rings", direct::cpu);
  with.part("udp", "datagrams of 64 B and 1 KiB on loopback, by 4 rings", direct::udp);
  with.part("waiting", "10,000 receives while nothing arrives", direct::waiting);
  with.part("unused", "registered memory, calls by path and zero-copy sends, by a ring that a thread fills",
            direct::unused);
  return baseline::run(all, argc, argv);
}
