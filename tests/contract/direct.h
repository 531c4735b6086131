// SPDX-License-Identifier: Apache-2.0
// Runtimes with the executor `direct`, for its tests. Host code only.
#pragma once

#include "contract.h"

namespace contract {

inline genesys::options direct_with(u32 rings, u32 entries) {
  genesys::options chosen;
  chosen.executor = genesys::executor_kind::direct;
  chosen.rings = rings;
  chosen.ring_entries = entries;
  chosen.arena_bytes = 16u << 20;
  chosen.bounce_bytes = 16u << 20;
  return chosen;
}

// The most threads, up to `wanted`, of a block whose lanes a ring has room for: more that stand together go to threads.
constexpr u32 fitting_threads(u32 wanted, u32 entries) { return entries < 32 && entries < wanted ? entries : wanted; }

inline bool is_direct(const runtime& rt) { return rt.describe().find("executor direct") != std::string::npos; }

}  // namespace contract
