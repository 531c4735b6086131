// SPDX-License-Identifier: Apache-2.0
// Throws an error for what CUDA refuses. Any thread.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "genesys/error.h"

namespace genesys::detail {

inline void check(cudaError_t returned, error_code code, const char* doing) {
  if (returned == cudaSuccess) return;
  (void)cudaGetLastError();
  throw error(code, std::string(doing) + ": " + cudaGetErrorString(returned));
}

}  // namespace genesys::detail
