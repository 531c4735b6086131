// SPDX-License-Identifier: Apache-2.0
// How many fork() calls lie between the start of the program and this process. A child has its parent's memory, but
// none of its threads, and cannot use CUDA state of its parent. So an object that was made at another count belongs to
// an ancestor. Any thread.
#pragma once

#include <atomic>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

// Counted by host/forks.cpp.
inline constinit std::atomic<u32> forks_counted{0};

inline u32 forks_so_far() { return forks_counted.load(std::memory_order_relaxed); }

}  // namespace genesys::detail
