// SPDX-License-Identifier: Apache-2.0
// The arguments of the services in loaded.cpp, for the file and for its callers.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "genesys/service_buffer.h"

namespace daemon_files {

// to[i] = from[i] * by + what the version adds. Returns how many words there are.
struct scale_arguments {
  struct arguments {
    genesys::service_input from;
    genesys::service_buffer to;
    std::uint64_t by;
  };
  static constexpr const char* name = "scale";
  static constexpr genesys::service_field fields[] = {{offsetof(arguments, from), genesys::service_field::input},
                                                      {offsetof(arguments, to), genesys::service_field::output}};
};

struct hold_arguments {
  struct arguments {
    genesys::service_buffer word;
  };
  static constexpr const char* name = "hold";
  static constexpr genesys::service_field fields[] = {{offsetof(arguments, word), genesys::service_field::both}};
};

}  // namespace daemon_files
