// SPDX-License-Identifier: Apache-2.0
// Throws an error for what CUDA refuses, finds functions of the driver, asks events, and enters a device. Any thread.
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

// Whether the device has not come to this event yet.
inline bool is_ahead(cudaEvent_t event) {
  const bool ahead = cudaEventQuery(event) == cudaErrorNotReady;
  if (ahead) (void)cudaGetLastError();
  return ahead;
}

// The thread uses this device from here on. While this exists, its calls belong to no graph that a thread of the
// program records: CUDA refuses many calls meanwhile, and spoils the graph, unless the caller says so.
class using_device {
 public:
  explicit using_device(int ordinal) {
    (void)cudaSetDevice(ordinal);
    (void)cudaThreadExchangeStreamCaptureMode(&mode_);
  }
  ~using_device() { (void)cudaThreadExchangeStreamCaptureMode(&mode_); }
  using_device(const using_device&) = delete;
  using_device& operator=(const using_device&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

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
