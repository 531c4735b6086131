// SPDX-License-Identifier: Apache-2.0
// The executor `direct`, whose kernels fill shared rings, beside three others: the same rings, each filled by one
// thread of the process (`fed`), and the executors `threads` and `uring`. Measured by turns, with a runtime for each,
// and with as many calls in flight and as many buffers on all sides:
//
//   one     one thread's read of 4 KiB, by its own clock; and with up to 32 reads in flight, by tickets
//   nop     SQEs that do nothing: the most that rings can carry
//   reads   random 4 KiB and 64 KiB of files in the page cache and in tmpfs, and of one opened with O_DIRECT; by rings
//   cpu     the CPU time of reads over two seconds, by 4 rings
//   udp     datagrams on loopback. One side has a thread for each ring with recvmmsg(2) and sendmmsg(2); the other side
//           has kernels, or as many threads
//   waiting ten thousand receives while nothing arrives: the CPU time of the process, in the first seconds and after
//           nine of them
//   unused  what io_uring has and kernels do not use, by a ring that a thread fills: registered files and memory, calls
//           by path (beside a thread that makes them), zero-copy sends
#include "direct/parts.h"
#include "direct/shared.h"
#include "support/measure.h"
#include "support/run.h"
#include "support/shared_parts.h"

int main(int argc, char** argv) {
  measure::bench all("direct",
                     "The executor direct beside the same rings filled by threads, and beside the other executors.");
  baseline::shared_parts<direct::shared> with(all);
  all.option("--folder", direct::folder, "folder for the files, on a disk");
  all.option("--callers", direct::callers_asked, "reads of 4 KiB in flight; of 64 KiB a fourth of them");
  with.part("one", "one thread's read of 4 KiB from the page cache", direct::one);
  with.part("nop", "SQEs that do nothing, by rings", direct::nop);
  with.part("reads", "random 4 KiB and 64 KiB of three kinds of files, by rings", direct::read_files);
  with.part("cpu", "CPU time of reads of 4 KiB, by 4 rings", direct::cpu);
  with.part("udp", "datagrams of 64 B and 1 KiB on loopback, by 4 rings", direct::udp);
  with.part("waiting", "10,000 receives while nothing arrives", direct::waiting);
  with.part("unused", "registered memory, calls by path and zero-copy sends, by a ring that a thread fills",
            direct::unused);
  return baseline::run(all, argc, argv);
}
