// SPDX-License-Identifier: Apache-2.0
// Chooses the device of a runtime. Called once at its construction.
#include "target/device.h"

#include <cstdlib>

namespace genesys::detail {
namespace {

device_kind asked_for(const options& chosen) {
  if (chosen.device != device_kind::any) return chosen.device;
  const char* name = std::getenv("GENESYS_DEVICE");
  if (name == nullptr || *name == 0) return device_kind::any;
  const std::string text = name;
  if (text == "cpu") return device_kind::cpu;
  if (text == "cuda") return device_kind::cuda;
  throw error(error_code::bad_option, "GENESYS_DEVICE is '" + text + "'; it may be 'cpu' or 'cuda'");
}

std::unique_ptr<device> open_cpu([[maybe_unused]] const options& chosen) {
#if GENESYS_WITH_CPU
  return open_cpu_device(chosen);
#else
  throw error(error_code::not_built,
              "this build has no CPU device: install Boost.Context (libboost-context-dev) and build again");
#endif
}

std::unique_ptr<device> open_cuda() {
#if GENESYS_WITH_CUDA
  return open_cuda_device();
#else
  throw error(error_code::not_built, "this build has no CUDA device: install the CUDA toolkit 13 and build again");
#endif
}

}  // namespace

std::unique_ptr<device> open_device(const options& chosen) {
  switch (asked_for(chosen)) {
    case device_kind::cpu:
      return open_cpu(chosen);
    case device_kind::cuda:
      return open_cuda();
    case device_kind::any:
      break;
  }
#if GENESYS_WITH_CUDA
  try {
    return open_cuda_device();
  } catch (const error& none) {
    if (none.code() != error_code::no_driver && none.code() != error_code::no_device)
      throw;  // there is a GPU, but it cannot be used
  }
#endif
  return open_cpu(chosen);
}

}  // namespace genesys::detail
