// SPDX-License-Identifier: Apache-2.0
// An urgent request: a kernel that fills the GPU, and whose first block tells the host that it runs. One host thread
// uses it.
#pragma once

#include <cuda_runtime.h>

#include <functional>

#include "genesys/scheduler.h"
#include "support/measure.h"

namespace schedule_bench {

struct tell_host {
  GENESYS_KERNEL void operator()(volatile unsigned* word, unsigned value) const {
    if (genesys::thread_rank() == 0) *word = value;
  }
};

#if defined(__CUDACC__)
static __global__ void tell_host_kernel(volatile unsigned* word, unsigned value) { tell_host{}(word, value); }
#endif

// Of one request, in microseconds.
struct request_times {
  double call;   // until the call that launches it returns
  double whole;  // until its kernel's first store has arrived
};

class request {
 public:
  request() {
    int least = 0, greatest = 0;
    if (cudaHostAlloc(&word_, sizeof *word_, cudaHostAllocMapped) != cudaSuccess ||
        cudaDeviceGetStreamPriorityRange(&least, &greatest) != cudaSuccess ||
        cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest) != cudaSuccess) {
      throw measure::failure("CUDA gives no memory or no stream");
    }
    *const_cast<unsigned*>(word_) = 0;
  }
  ~request() {
    (void)cudaStreamSynchronize(stream_);
    (void)cudaStreamDestroy(stream_);
    (void)cudaFreeHost(const_cast<unsigned*>(word_));
  }
  request(const request&) = delete;
  request& operator=(const request&) = delete;

  void launch(const genesys::task& as) {
    as.launch({.blocks = {132}, .threads = {1024}, .again = genesys::rerun::never}, tell_host{}, word_, ++value_);
  }
  // Without the scheduler.
  void launch_in_stream() { launch_in(stream_); }
  void launch_in(cudaStream_t stream) { tell_host_kernel<<<132, 1024, 0, stream>>>(word_, ++value_); }

  request_times times(const std::function<void()>& launch_one) {
    const auto begin = measure::clock::now();
    launch_one();
    const double call_us = measure::seconds_since(begin) * 1e6;
    while (*word_ != value_) {
      if (measure::seconds_since(begin) > 5) throw measure::failure("an urgent kernel did not start within 5 s");
    }
    return {call_us, measure::seconds_since(begin) * 1e6};
  }
  double time(const std::function<void()>& launch_one) { return times(launch_one).whole; }

 private:
  volatile unsigned* word_ = nullptr;
  unsigned value_ = 0;
  cudaStream_t stream_ = nullptr;
};

}  // namespace schedule_bench
