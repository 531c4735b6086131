// SPDX-License-Identifier: Apache-2.0
// The command line. Host only; main calls parse() once.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "genesys/runtime.h"

namespace grep {

enum class version { block, warp, thread, mapped, openmp };

struct settings {
  std::vector<std::string> words;
  std::vector<std::string> paths;
  genesys::device_kind device = genesys::device_kind::any;
  unsigned blocks = 0;   // 0: chosen for the device
  unsigned threads = 0;  // of a block; 0: chosen for the device
  std::size_t pool_bytes = std::size_t{64} << 20;
  std::size_t segment_bytes = 0;  // parse() chooses it, if it is not given
  version by = version::block;
  bool count = false, names = false;  // -c, -l; neither: lines are printed
  bool numbers = false;               // -n
  std::optional<bool> with_name;      // -H: true, -h: false
  bool invert = false;
  bool whole_words = false;
  bool ignore_case = false;  // then the words are in small letters
  bool statistics = false;
  bool progress = true;  // on a terminal
};

// Returns nothing if the program must end with `exit_code`; all messages are printed.
std::optional<settings> parse(int argc, char** argv, int& exit_code);

}  // namespace grep
