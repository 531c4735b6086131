// SPDX-License-Identifier: Apache-2.0
// Prints the calls of a recording as strace(1) does, a line each.
#pragma once

#include <ostream>
#include <string>

#include "chosen_calls.h"
#include "recording.h"

namespace genesys::command {

// "pread64(fd=3, ...)", with at most so many bytes of a buffer; a request to the runtime is "(wait_ready fd=3)".
std::string words_of(const recorded_call& call, unsigned string_bytes);
// "12", "-1 ENOENT (No such file or directory)", or "? (why)" if Linux gave none.
std::string result_of(const recorded_call& call, unsigned string_bytes);

// Prints the calls in the order of their beginnings. `internal`: also the requests to the runtime. `process` is in
// front of each line.
void print_text(std::ostream& to, recording& from, const chosen_calls& which, bool internal, unsigned string_bytes,
                const std::string& process);

// One call.
void print_call(std::ostream& to, const recorded_call& call, unsigned string_bytes, const std::string& process);

}  // namespace genesys::command
