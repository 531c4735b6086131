// SPDX-License-Identifier: Apache-2.0
// The command lines of the server and of the load generator. Host only.
#pragma once

#include <optional>
#include <string>

#include "genesys/runtime.h"
#include "serve.h"

namespace echod {

enum class version { kernel, cpu };
enum class where { device, pinned };

struct server_settings {
  genesys::device_kind device = genesys::device_kind::any;
  version by = version::kernel;
  where memory = where::pinned;
  std::string address = "127.0.0.1";
  u32 port = 0, udp_servers = 128, tcp_servers = 32, threads = 32;
};

struct load_settings {
  std::string address = "127.0.0.1";
  u32 port = 0, bytes = 1024, clients = 4, window = 32;
  double seconds = 1;
  bool tcp = false;
};

// Return nothing if the program must end with `exit_code`; all messages are printed.
std::optional<server_settings> parse_server(int argc, char** argv, int& exit_code);
std::optional<load_settings> parse_load(int argc, char** argv, int& exit_code);

}  // namespace echod
