// SPDX-License-Identifier: Apache-2.0
// The command line of the server. Host only.
#pragma once

#include <optional>
#include <string>

#include "genesys/runtime.h"
#include "table.h"

namespace memcached {

enum class version { kernel, cpu, vectors, launches };
enum class where { device, pinned };

struct settings {
  genesys::device_kind device = genesys::device_kind::any;
  version by = version::kernel;
  where buffers = where::pinned;
  search how = search::tags;
  std::string address = "127.0.0.1";
  u32 port = 11211, servers = 0, threads = 64, sockets = 1, depth = 1024, memory_mib = 64, item_size = 2048;
};

// The bytes of a place for an item.
inline u32 slot_bytes_of(const settings& chosen) { return (chosen.item_size + 15) / 16 * 16; }

// Returns nothing if the program must end with `exit_code`; all messages are printed.
std::optional<settings> parse_server(int argc, char** argv, int& exit_code);

}  // namespace memcached
