// SPDX-License-Identifier: Apache-2.0
// `genesys trace -p`: records the runtimes of a process that runs already, until it ends or Ctrl-C.
#pragma once

#include <filesystem>
#include <ostream>
#include <vector>

#include "trace.h"

namespace genesys::command {

// Prints each call soon after its end, in the order of the calls' beginnings. Throws std::runtime_error, with the
// reason.
void print_while_running(std::ostream& to, const asked_trace& asked);

// Records to files in the folder. Returns their names.
std::vector<std::filesystem::path> record_while_running(const asked_trace& asked, const std::filesystem::path& folder);

// The next SIGINT, and the next SIGTERM, only set what was_interrupted() returns; a second one ends this process.
void catch_interrupts();
bool was_interrupted();

}  // namespace genesys::command
