// SPDX-License-Identifier: Apache-2.0
// How many times fork() lies between the program's start and this process. A child has its parent's memory, but none of
// its threads, and nothing of CUDA: what was made at another count is an ancestor's. Any thread.
#pragma once

#include <atomic>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

// Counted by host/forks.cpp.
inline constinit std::atomic<u32> forks_counted{0};

inline u32 forks_so_far() { return forks_counted.load(std::memory_order_relaxed); }

}  // namespace genesys::detail
