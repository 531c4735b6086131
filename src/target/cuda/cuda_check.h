// SPDX-License-Identifier: Apache-2.0
// Throws an error for what CUDA refuses, and finds functions of the driver. Any thread.
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

// Null: the driver does not have this function.
template <class F>
F* driver_function(const char* name) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  const cudaError_t returned = cudaGetDriverEntryPointByVersion(name, &entry, 12000, cudaEnableDefault, &found);
  if (returned != cudaSuccess) (void)cudaGetLastError();
  return returned == cudaSuccess && found == cudaDriverEntryPointSuccess ? reinterpret_cast<F*>(entry) : nullptr;
}

}  // namespace genesys::detail
