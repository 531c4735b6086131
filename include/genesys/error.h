// SPDX-License-Identifier: Apache-2.0
// The exception that the host's side of genesys throws: a code for the kind of error, and a text that says what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace genesys {

enum class error_code {
  not_built,         // this device was left out when genesys was built
  no_driver,         // no NVIDIA driver is loaded
  driver_too_old,    // the driver is older than CUDA 13
  no_device,         // the driver has no GPU to offer
  no_pinned_memory,  // CUDA or Linux gave no memory that both sides address
  no_memory,         // no device or host memory, no space in the arena, or no CUDA stream or event
  bad_option,        // an option, an argument or an environment variable is out of its range
  launch_failed,     // the device refused the launch, or the kernel or a copy failed
  layout_mismatch,   // the program was compiled with the headers of another version than the library's
  system,            // Linux refused something that the runtime needs
  forked,            // a child of fork() uses CUDA, or its parent's runtime or run
};

class error : public std::runtime_error {
 public:
  error(error_code code, const std::string& what) : std::runtime_error("genesys: " + what), code_(code) {}
  error_code code() const noexcept { return code_; }

 private:
  error_code code_;
};

}  // namespace genesys
