// SPDX-License-Identifier: Apache-2.0
// The command line of the load generator. Host only.
#pragma once

#include <optional>
#include <string>

#include "bytes.h"

namespace memcached {

struct load_settings {
  std::string address = "127.0.0.1", json;
  u32 port = 0, keys = 50'000, value_bytes = 1024, clients = 4, window = 32, sets = 0;
  double seconds = 1;
  bool is_text = false, keeps = false;
};

// Returns nothing if the program must end with `exit_code`; all messages are printed.
std::optional<load_settings> parse_load(int argc, char** argv, int& exit_code);

}  // namespace memcached
