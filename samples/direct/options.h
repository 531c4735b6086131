// SPDX-License-Identifier: Apache-2.0
// The command line. Host only; main calls parse() once.
#pragma once

#include <optional>

#include "genesys/runtime.h"

struct settings {
  const char* path = nullptr;
  genesys::device_kind device = genesys::device_kind::any;
  genesys::executor_kind executor = genesys::executor_kind::direct;
  unsigned blocks = 128;
  unsigned piece_bytes = 128u << 10;  // read by a block at a time; a multiple of 8
  bool check = false;                 // whether the host also reads the file
};

// Returns nothing if the program must end with `exit_code`; all messages are printed. A number out of range ends the
// program here.
std::optional<settings> parse(int argc, char** argv, int& exit_code);
