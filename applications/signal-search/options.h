// SPDX-License-Identifier: Apache-2.0
// The command line. Host only; main calls parse() once.
#pragma once

#include <optional>
#include <string>

#include "genesys/runtime.h"

namespace search {

enum class version { signals, phases, cpu, vectors };

struct settings {
  std::string text, file;
  version by = version::signals;
  genesys::device_kind device = genesys::device_kind::any;
  unsigned unit_bytes = 16 * 1024;
  unsigned mismatches = 0;
  unsigned threads = 0;  // that compute digests; 0: as many as there are processors
  unsigned blocks = 0;   // 0: chosen for the device
  bool statistics = false;
};

// Returns nothing if the program must end with `exit_code`; all messages are printed.
std::optional<settings> parse(int argc, char** argv, int& exit_code);

}  // namespace search
