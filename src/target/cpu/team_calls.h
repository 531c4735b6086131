// SPDX-License-Identifier: Apache-2.0
// The report on threads that make different calls where all of them must make the same one. The scheduler (block.cpp)
// makes it when it finds such threads at a barrier, or in a deadlock.
#pragma once

#include <cstddef>
#include <string>

#include "target/cpu/block.h"

namespace genesys::detail::cpu {

/// "write(fd=1, buf=0x7f0000001000, count=6) at block scope, posted"; empty if the thread makes no call as one of a
/// team.
std::string call_of(const fiber&);

/// Prints how many of the threads make which call, and aborts. Skips null entries. The threads are those of the block,
/// or some of one warp.
[[noreturn]] void report_different_calls(const resident_block&, fiber* const* threads, std::size_t count,
                                         bool of_one_warp);

}  // namespace genesys::detail::cpu
