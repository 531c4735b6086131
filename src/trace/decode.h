// SPDX-License-Identifier: Apache-2.0
// Turns a call's number and its six argument words into text for a reader of a report. Reports and warnings call it, on
// any host thread. It follows no pointer, since that may be the GPU's, or invalid.
#pragma once

#include <cstdint>
#include <string>

namespace genesys::trace {

// "pread64"; a number that the table does not have is "syscall_500".
std::string call_name(std::uint64_t number);

// "pread64(fd=3, buf=0x7f0012345000, count=4096, pos=0)"; all six words if the table does not have the number. `args`
// points to six words.
std::string decode(std::uint64_t number, const std::uint64_t* args);

}  // namespace genesys::trace
