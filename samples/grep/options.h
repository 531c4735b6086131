// SPDX-License-Identifier: Apache-2.0
// The command line. Host only, called once by main.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "genesys/runtime.h"

namespace grep {

struct settings {
  std::vector<std::string> words;
  std::vector<std::string> paths;
  genesys::device_kind device = genesys::device_kind::any;
  unsigned blocks = 0;   // 0: what suits the device
  unsigned threads = 0;  // of a block; 0: what suits the device
  std::size_t pool_bytes = std::size_t{64} << 20;
  bool count = false;
  bool statistics = false;
};

// Nothing: the program ends with `exit_code`, and what is to be said has been said.
std::optional<settings> parse(int argc, char** argv, int& exit_code);

}  // namespace grep
