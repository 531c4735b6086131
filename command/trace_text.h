// SPDX-License-Identifier: Apache-2.0
// Prints the calls of a recording as strace(1) does, a line each.
#pragma once

#include <ostream>
#include <string>

#include "chosen_calls.h"
#include "recording.h"

namespace genesys::command {

// Prints the calls in the order of their beginnings. `internal`: also the requests to the runtime. `process` is in
// front of each line.
void print_text(std::ostream& to, recording& from, const chosen_calls& which, bool internal,
                const std::string& process);

}  // namespace genesys::command
