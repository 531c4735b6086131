// SPDX-License-Identifier: Apache-2.0
// What the CPU device says of threads that make different calls where all of them have to make the same one. Used by
// the scheduler (block.cpp) when it finds such threads at a barrier, or waiting for each other.
#pragma once

#include <cstddef>
#include <string>

#include "target/cpu/block.h"

namespace genesys::detail::cpu {

/// "write(fd=1, buf=0x7f0000001000, count=6) at block scope, posted"; empty if the thread makes no call together with
/// others.
std::string call_of(const fiber&);

/// Tells how many of the threads make which call, and aborts. Null entries are skipped. The threads are those of the
/// block, or some of one warp.
[[noreturn]] void report_different_calls(const resident_block&, fiber* const* threads, std::size_t count,
                                         bool of_one_warp);

}  // namespace genesys::detail::cpu
