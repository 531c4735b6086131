// SPDX-License-Identifier: Apache-2.0
// Makes a GPU the thread's current one while the object exists: the program's threads may have another.
#pragma once

#include <cuda_runtime.h>

namespace genesys::detail {

class current_gpu {
 public:
  explicit current_gpu(int wanted) {
    if (cudaGetDevice(&before_) != cudaSuccess || before_ == wanted) before_ = none;
    if (before_ != none) (void)cudaSetDevice(wanted);
  }
  // The thread's; -1: there is none.
  static int number() {
    int now = none;
    return cudaGetDevice(&now) == cudaSuccess ? now : none;
  }
  ~current_gpu() {
    if (before_ != none) (void)cudaSetDevice(before_);
  }
  current_gpu(const current_gpu&) = delete;
  current_gpu& operator=(const current_gpu&) = delete;

 private:
  static constexpr int none = -1;
  int before_ = none;
};

}  // namespace genesys::detail
