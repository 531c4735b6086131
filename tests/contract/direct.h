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

inline bool is_direct(const runtime& rt) { return rt.describe().find("executor direct") != std::string::npos; }

}  // namespace contract
