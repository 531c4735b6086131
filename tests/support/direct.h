// SPDX-License-Identifier: Apache-2.0
// Runtimes with the executor `direct`, for the tests of contract and attack. Host code only.
#pragma once

#include <cstdio>
#include <memory>

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

// The largest block, up to `wanted` threads, whose warps fit into a ring. If more lanes of a warp call together than a
// ring has entries, worker threads make their calls.
constexpr u32 fitting_threads(u32 wanted, u32 entries) { return entries < 32 && entries < wanted ? entries : wanted; }

inline bool is_direct(const runtime& rt) { return rt.describe().find("executor direct") != std::string::npos; }

// Null if this system lacks the rings, or does not let the process lock enough memory.
inline std::unique_ptr<runtime> strict_runtime(u32 rings, u32 entries, const folder& in) {
  genesys::options chosen = direct_with(rings, entries);
  chosen.policy = "strict";
  chosen.policy_rules = "allow path " + in.path();
  auto made = std::make_unique<runtime>(chosen);
  if (!is_direct(*made)) {
    std::printf("%s\n", made->describe().c_str());
    made.reset();
  }
  return made;
}

}  // namespace contract
