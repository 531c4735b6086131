// SPDX-License-Identifier: Apache-2.0
// The kernels of this bench. Each run_...() launches one of them, of one block, and waits for its end. `sums` is in
// device memory: the sum of each thread, and after these the number of steps so far. The bench's main thread calls
// these functions.
#pragma once

#include "genesys/runtime.h"
#include "relaunch/letters.h"

namespace relaunch {

// --- The new way: the whole chain.

void run_ask_parent(genesys::runtime& rt, unsigned threads, unsigned steps, word parent, word* sums);
// Results go to `pinned` memory; null: to shared memory.
void run_follow(genesys::runtime& rt, unsigned threads, int fd, unsigned bytes, unsigned steps, word* pinned,
                word* sums);

// --- The old way: one step.

void run_one_step(genesys::runtime& rt, unsigned threads, letters* with, unsigned bytes, word* sums);

#if defined(__CUDACC__)
// The old way's kernel on its own stream, launched directly or as a graph.
class stepper {
 public:
  stepper(letters* with, unsigned bytes, unsigned threads, word* sums);
  ~stepper();
  stepper(const stepper&) = delete;
  stepper& operator=(const stepper&) = delete;

  void launch();
  void launch_graph();
  void synchronise();
  // Waits until the kernel of this step has stored the next request.
  void poll(unsigned steps) const;

 private:
  letters* const with_;
  const unsigned bytes_, threads_;
  word* const sums_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
};
#endif

// --- Writes in order, none of which needs the result of another. `written`: the sum of their results.

constexpr unsigned in_order = 8;
void run_write_in_order(genesys::runtime& rt, bool by_tickets, int fd, unsigned rounds, const word* from,
                        word* written);

}  // namespace relaunch
