// SPDX-License-Identifier: Apache-2.0
// The command line. Host only, called once by main.
#pragma once

#include <optional>

#include "genesys/runtime.h"

struct settings {
  const char* path = nullptr;
  genesys::device_kind device = genesys::device_kind::any;
  genesys::executor_kind executor = genesys::executor_kind::direct;
  unsigned blocks = 128;
  unsigned piece_bytes = 128u << 10;  // of each block; a multiple of 8
  bool check = false;                 // whether the host reads the file, too
};

// Nothing: the program ends with `exit_code`, and what is to be said has been said. A number out of range ends it here.
std::optional<settings> parse(int argc, char** argv, int& exit_code);
