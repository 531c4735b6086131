// SPDX-License-Identifier: Apache-2.0
// All kernels of this bench, in one file: nvcc's code for a kernel depends on the other kernels of its source, and
// results are compared with earlier ones.
#include "relaunch/kernels.h"

#include "genesys/genesys.h"
#include "support/measure.h"

namespace relaunch {
namespace {

// The sum of this thread's part of a result.
GENESYS_KERNEL word part_of(const word* answer, unsigned bytes) {
  word sum = 0;
  for (unsigned i = genesys::thread_rank(); i < bytes / sizeof(word); i += genesys::threads_in_block())
    sum += answer[i];
  return sum;
}

struct ask_parent {
  static constexpr unsigned threads_max = threads_most;
  GENESYS_KERNEL void operator()(genesys::os os, unsigned steps, word parent, word* sums) const {
    word mine = 0;
    for (unsigned i = 0; i < steps && mine == i * parent; ++i) mine += static_cast<word>(os.getppid());
    sums[0] = mine;
  }
};

struct follow {
  static constexpr unsigned threads_max = threads_most;
  GENESYS_KERNEL void operator()(genesys::os os, int fd, unsigned bytes, unsigned steps, word* pinned,
                                 word* sums) const {
    const auto io = os.on(genesys::block());
    word* const answer = pinned != nullptr ? pinned : genesys::shared<word[words_max]>();
    word mine = 0, next = 0;
    for (unsigned i = 0; i < steps; ++i) {
      if (io.pread64(fd, answer, bytes, static_cast<long>(next)) != static_cast<long>(bytes)) return;
      next = answer[0];
      mine += part_of(answer, bytes);
    }
    sums[genesys::thread_rank()] = mine;
  }
};

struct one_step {
  GENESYS_KERNEL void step(letters* with, unsigned bytes, word* sums) const {
    const word next = with->answer[0], steps = sums[threads_most] + 1;  // in flight together with the loads of part_of
    sums[genesys::thread_rank()] += part_of(with->answer, bytes);
    genesys::sync_block();  // all threads have read their part: the host may write the next result
    if (genesys::thread_rank() != 0) return;
    sums[threads_most] = steps;
    genesys::atomic<word, genesys::thread_scope::system>(with->request)
        .store(steps << wanted_bits | next,
               std::memory_order_relaxed);  // relaxed: the host needs no other word of this kernel
  }
  GENESYS_KERNEL void operator()(genesys::os, letters* with, unsigned bytes, word* sums) const {
    step(with, bytes, sums);
  }
};

template <bool by_tickets>
struct write_in_order {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, unsigned rounds, const word* from, word* written) const {
    using namespace genesys;
    word sum = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      if constexpr (by_tickets) {
        ticket_of<call::pwrite64> calls[in_order];
        calls[0] = os.ticket().pwrite64(fd, from, sizeof(word), 0);
        for (unsigned i = 1; i < in_order; ++i)
          calls[i] = os.after(calls[i - 1]).ticket().pwrite64(fd, from + i, sizeof(word), 0);
        for (unsigned i = in_order; i-- > 0;) sum += static_cast<word>(calls[i].wait());
      } else {
        for (unsigned i = 0; i < in_order; ++i) sum += static_cast<word>(os.pwrite64(fd, from + i, sizeof(word), 0));
      }
    }
    *written = sum;
  }
};

}  // namespace

void run_ask_parent(genesys::runtime& rt, unsigned threads, unsigned steps, word parent, word* sums) {
  genesys::launch(rt, {.threads = {threads}}, ask_parent{}, steps, parent, sums).drain();
}

void run_follow(genesys::runtime& rt, unsigned threads, int fd, unsigned bytes, unsigned steps, word* pinned,
                word* sums) {
  genesys::launch(rt, {.threads = {threads}}, follow{}, fd, bytes, steps, pinned, sums).drain();
}

void run_one_step(genesys::runtime& rt, unsigned threads, letters* with, unsigned bytes, word* sums) {
  genesys::launch(rt, {.threads = {threads}}, one_step{}, with, bytes, sums).drain();
}

void run_write_in_order(genesys::runtime& rt, bool by_tickets, int fd, unsigned rounds, const word* from,
                        word* written) {
  if (by_tickets) {
    genesys::launch(rt, {}, write_in_order<true>{}, fd, rounds, from, written).drain();
  } else {
    genesys::launch(rt, {}, write_in_order<false>{}, fd, rounds, from, written).drain();
  }
}

#if defined(__CUDACC__)
namespace {

__global__ void one_step_entry(letters* with, unsigned bytes, word* sums) { one_step{}.step(with, bytes, sums); }

void check(cudaError_t returned) {
  if (returned != cudaSuccess) throw measure::failure(cudaGetErrorString(returned));
}

}  // namespace

stepper::stepper(letters* with, unsigned bytes, unsigned threads, word* sums)
    : with_(with), bytes_(bytes), threads_(threads), sums_(sums) {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  cudaGraph_t graph;
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  launch();
  check(cudaStreamEndCapture(stream_, &graph));
  check(cudaGraphInstantiate(&graph_, graph, 0));
  check(cudaGraphDestroy(graph));
}

stepper::~stepper() {
  (void)cudaStreamSynchronize(stream_);
  (void)cudaGraphExecDestroy(graph_);
  (void)cudaStreamDestroy(stream_);
}

void stepper::launch() {
  one_step_entry<<<1, threads_, 0, stream_>>>(with_, bytes_, sums_);
  check(cudaGetLastError());
}

void stepper::launch_graph() { check(cudaGraphLaunch(graph_, stream_)); }
void stepper::synchronise() { check(cudaStreamSynchronize(stream_)); }

void stepper::poll(unsigned steps) const {
  const genesys::atomic<word, genesys::thread_scope::system> request(with_->request);
  const auto begin = measure::clock::now();
  for (unsigned looks = 1; request.load(std::memory_order_acquire) >> wanted_bits != steps; ++looks) {
    if (looks % 65536 == 0 && measure::seconds_since(begin) > 10) throw measure::failure("a kernel does not end");
  }
}
#endif

}  // namespace relaunch
