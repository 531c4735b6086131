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
__global__ void tell_host_kernel(volatile unsigned* word, unsigned value) { tell_host{}(word, value); }
#endif

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
  void launch_in_stream() { tell_host_kernel<<<132, 1024, 0, stream_>>>(word_, ++value_); }

  // Microseconds from before `launch_one` until its kernel's first store has arrived.
  double time(const std::function<void()>& launch_one) {
    const auto begin = measure::clock::now();
    launch_one();
    while (*word_ != value_) {
      if (measure::seconds_since(begin) > 5) throw measure::failure("an urgent kernel did not start within 5 s");
    }
    return measure::seconds_since(begin) * 1e6;
  }

 private:
  volatile unsigned* word_ = nullptr;
  unsigned value_ = 0;
  cudaStream_t stream_ = nullptr;
};

}  // namespace schedule_bench
