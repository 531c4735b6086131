// SPDX-License-Identifier: Apache-2.0
// A chain of calls, each of which depends on what the one before gave, made from inside one kernel, against the old way
// (that of a GPU without system calls; GENESYS, ISCA 2018, section I): the kernel writes down what it wants and ends,
// the host makes the call, and launches a kernel which goes on with the answer. Parts:
//
//   getppid   one thread goes on if the answer is right
//   pread     a block follows pointers through a file in tmpfs, 8 to 4,096 bytes a step, all of which it adds up, with
//             a thread for each 8 bytes, 128 at most; genesys reads to shared memory (staged), or to pinned memory
//   order     one thread writes 8 bytes to one place of a file in tmpfs eight times, in order: each call blocking, or
//             with tickets, each of which follows the one before, and are waited for at the end. Without an old way
//
// The old way has requests and answers in pinned memory, so that nothing is copied, and a stream of its own. It is
// launched, or is a CUDA graph of one kernel; and the host synchronises with the stream, or polls the word in which a
// kernel, last of all, says what it wants. On the CPU device it is genesys::launch and drain. Beside them, by turns, a
// native thread makes the same calls. Ratios are those of the best old way to the best new one: the mark is 2.5.
#include "relaunch/parts.h"
#include "support/measure.h"

int main(int argc, char** argv) {
  measure::bench all("relaunch", "Chains of dependent calls from inside a kernel, against leaving it for each.");
  all.part("getppid", "a step is a call that Linux answers at once", relaunch::parent);
  all.part("pread", "a step is a read of where the next one reads", relaunch::pointers);
  all.part("order", "eight writes in order, each blocking, or by tickets that follow each other", relaunch::order);
  return all.main(argc, argv);
}
