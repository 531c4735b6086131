// SPDX-License-Identifier: Apache-2.0
// The error where a part of reserved memory cannot be pinned.
#pragma once

#include <string>

#include "genesys/detail/wire/types.h"
#include "genesys/error.h"

namespace genesys::detail {

// `what`: the memory is for. `option`: of the runtime, makes it smaller; null if none does.
inline error cannot_pin(u64 bytes, const char* what, const char* option = nullptr) {
  return {error_code::no_pinned_memory,
          "cannot pin " + std::to_string(bytes >> 10) + " KiB of host memory for " + what + ": free memory" +
              (option != nullptr ? std::string(", or make options.") + option + " smaller" : "")};
}

}  // namespace genesys::detail
