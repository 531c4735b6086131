// SPDX-License-Identifier: Apache-2.0
// The one exception that host set-up throws: what went wrong, by kind, and in words what to do about it.
#pragma once

#include <stdexcept>
#include <string>

namespace genesys {

enum class error_code {
  not_built,         // this device was left out when genesys was built
  no_driver,         // no NVIDIA driver is loaded
  driver_too_old,    // the driver is older than CUDA 13
  no_device,         // the driver has no GPU to offer
  no_pinned_memory,  // memory that both sides address could not be had
  no_memory,         // device or host memory ran out
  bad_option,        // an option or a launch makes no sense
  launch_failed,     // CUDA refused the launch, or the kernel failed
  layout_mismatch,   // kernel and library were built from different versions of genesys
  system,            // Linux refused something that the runtime needs
  forked,            // this process is a child of fork(), and what it uses is its parent's
};

class error : public std::runtime_error {
 public:
  error(error_code code, const std::string& what) : std::runtime_error("genesys: " + what), code_(code) {}
  error_code code() const noexcept { return code_; }

 private:
  error_code code_;
};

}  // namespace genesys
