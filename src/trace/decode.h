// SPDX-License-Identifier: Apache-2.0
// Turns a call's number and its six argument words into what a reader of a report expects. Called by reports and
// warnings on any host thread; nothing behind a pointer is looked at, since it may be the GPU's or be gone.
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
