// SPDX-License-Identifier: Apache-2.0
// The command line. Host only; main calls parse() once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "genesys/runtime.h"

namespace line_sort {

enum class version { kernel, openmp };

struct settings {
  std::vector<std::string> files;  // - is standard input
  std::string output;              // empty: standard output
  std::string folder;              // of temporary files
  bool is_reverse = false, is_unique = false;
  std::uint64_t memory = 0;  // bytes; 0: what the device has
  version by = version::kernel;
  genesys::device_kind device = genesys::device_kind::any;
  unsigned blocks = 0, threads = 0;  // 0: chosen for the device
  bool statistics = false;
};

// Returns nothing if the program must end with `exit_code`; all messages are printed.
std::optional<settings> parse(int argc, char** argv, int& exit_code);

}  // namespace line_sort
