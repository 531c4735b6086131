// SPDX-License-Identifier: Apache-2.0
// The command line. Host only; main calls parse() once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "genesys/runtime.h"

namespace wordcount {

enum class version { kernel, openmp, vectors, launches, reads };

struct settings {
  std::vector<std::string> words, files;
  version by = version::kernel;
  genesys::device_kind device = genesys::device_kind::any;
  unsigned blocks = 0, threads = 0;  // 0: chosen for the device; threads: of a block, or of the CPU version
  unsigned workers = 0;              // that make the kernel's calls
  bool statistics = false;
  bool drops_cache = false;
  std::string timeline;  // a file
};

// Returns nothing if the program must end with `exit_code`; all messages are printed.
std::optional<settings> parse(int argc, char** argv, int& exit_code);

}  // namespace wordcount
