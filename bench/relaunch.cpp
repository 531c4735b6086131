// SPDX-License-Identifier: Apache-2.0
// A chain of calls, each of which depends on the result of the one before. It is made from inside one kernel, and in
// the old way, that of a GPU without system calls (GENESYS, ISCA 2018, section I): the kernel stores its request and
// ends, the host makes the call, and launches a kernel that goes on with the result. Parts:
//
//   getppid   one thread goes on if the result is right
//   pread     a block follows pointers through a file in tmpfs, 8 to 4,096 bytes a step, and adds them all up, with a
//             thread for each 8 bytes, 128 at most; genesys reads to shared memory (staged), or to pinned memory
//   order     one thread writes 8 bytes to one position of a file in tmpfs eight times, in order: each call blocking,
//             or with tickets, each after the one before, that it waits for at the end. Without an old way
//
// The old way has its requests and results in pinned memory, so that nothing is copied, and its own stream. Its kernel
// is launched, or is a CUDA graph of one kernel. The host synchronises with the stream, or polls the word in which the
// kernel stores its request last. On the CPU device it is genesys::launch and drain. Beside them, by turns, a native
// thread makes the same calls. Ratios are those of the best old way to the best new one; the target is 2.5.
#include "relaunch/parts.h"
#include "support/measure.h"

int main(int argc, char** argv) {
  measure::bench all("relaunch", "Chains of dependent calls from inside one kernel, against one kernel for each call.");
  all.part("getppid", "a step is a call that Linux completes at once", relaunch::parent);
  all.part("pread", "a step is a read of the position of the next read", relaunch::pointers);
  all.part("order", "eight writes in order, each blocking, or by tickets that depend on each other", relaunch::order);
  return all.main(argc, argv);
}
