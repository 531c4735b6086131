// SPDX-License-Identifier: Apache-2.0
// The exception for a system call of the runtime's own that failed.
#pragma once

#include <cstring>
#include <string>

#include "genesys/error.h"

namespace genesys::detail {

// `what` failed; `number`: errno.
[[noreturn]] inline void throw_errno(const char* what, int number) {
  throw error(error_code::system, std::string(what) + ": " + std::strerror(number));
}

}  // namespace genesys::detail
