// SPDX-License-Identifier: Apache-2.0
// A stream of the device in use: a CUDA stream, or any address on the CPU device.
#pragma once

#include "contract.h"

namespace contract {

class stream {
 public:
  stream() {
#if defined(__CUDACC__)
    if (on_cuda()) {
      cudaStream_t made = nullptr;
      EXPECT_EQ(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), cudaSuccess);
      handle_ = made;
      return;
    }
#endif
    handle_ = this;
  }
  ~stream() {
#if defined(__CUDACC__)
    if (on_cuda()) (void)cudaStreamDestroy(static_cast<cudaStream_t>(handle_));
#endif
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  void* get() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

}  // namespace contract
