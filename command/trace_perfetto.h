// SPDX-License-Identifier: Apache-2.0
// Writes the calls of recordings as a trace for Perfetto (trace/perfetto_writer.h). A call is a slice on the track of
// its block, and one on the track of its worker while it is in Linux; arrows connect them.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "chosen_calls.h"

namespace genesys::command {

// `internal`: also the requests to the runtime. `string_bytes`: of a buffer, at most. `program`: the name of the first
// recording's process, or nothing. Returns how many calls the recorder lost. Throws std::runtime_error: no recording,
// or the file takes no more.
std::uint64_t write_perfetto(std::ostream& to, const std::vector<std::filesystem::path>& recordings,
                             const chosen_calls& which, bool internal, unsigned string_bytes,
                             const std::string& program);

}  // namespace genesys::command
