// SPDX-License-Identifier: Apache-2.0
// Writes the calls of recordings as a trace for Perfetto (trace/perfetto_writer.h). A call is a slice on the track of
// its block, and one on the track of its worker while it is in Linux; arrows connect them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "chosen_calls.h"

namespace genesys::command {

// What recordings lack.
struct missing_calls {
  std::uint64_t dropped = 0;  // calls that the recorder lost
  bool is_truncated = false;  // a recording is cut off
};

// `internal`: also the requests to the runtime. `string_bytes`: of a buffer, at most. `program`: the name of the first
// recording's process, or nothing. Throws std::runtime_error: no recording, or the file takes no more.
missing_calls write_perfetto(std::ostream& to, const std::vector<std::filesystem::path>& recordings,
                             const chosen_calls& which, bool internal, unsigned string_bytes,
                             const std::string& program);

}  // namespace genesys::command
