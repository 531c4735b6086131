// SPDX-License-Identifier: Apache-2.0
// The command line. Host only; main calls parse() once.
#pragma once

#include <optional>
#include <string>

#include "genesys/runtime.h"

namespace display {

struct settings {
  genesys::device_kind device = genesys::device_kind::any;
  std::string framebuffer = "/dev/fb0", picture;
  unsigned width = 0, height = 0, bits = 32;  // width 0: the size of the present mode
  bool scales = false, writes = false, verbose = false;
};

// Returns nothing if the program must end with `exit_code`; all messages are printed.
std::optional<settings> parse(int argc, char** argv, int& exit_code);

}  // namespace display
