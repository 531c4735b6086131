// SPDX-License-Identifier: Apache-2.0
// The threads that search a file together: a block, a warp, or a thread alone. A team takes a node, and makes each call
// for it once; all its threads get the result and take the same path through the code. The rest of the kernel is
// written for any team: `rank` is a thread's number in its team, `threads` how many the team has. All threads of a team
// call sync, any, and the calls of `on` together.
#pragma once

#include <cstdint>

#include "genesys/kernel.h"
#include "genesys/os.h"

namespace grep {

struct block_team {
  static constexpr bool is_alone = false;

  GENESYS_KERNEL static unsigned rank() { return genesys::thread_rank(); }
  GENESYS_KERNEL static unsigned threads() { return genesys::threads_in_block(); }
  GENESYS_KERNEL static void sync() { genesys::sync_block(); }
  // A barrier. Whether the predicate is true in any thread.
  GENESYS_KERNEL static bool any(bool predicate) { return genesys::sync_block_count(predicate) > 0; }
  GENESYS_KERNEL static auto on(const genesys::os& os) { return os.on(genesys::block()); }
  // The team's number in the grid.
  GENESYS_KERNEL static std::uint64_t number() { return genesys::block_rank(); }
};

struct warp_team {
  static constexpr bool is_alone = false;

  GENESYS_KERNEL static unsigned rank() { return genesys::lane(); }
  GENESYS_KERNEL static unsigned threads() {
    const unsigned left = genesys::threads_in_block() - genesys::warp_rank() * genesys::warp_lanes;
    return left < genesys::warp_lanes ? left : genesys::warp_lanes;
  }
  GENESYS_KERNEL static unsigned lanes() { return ~0u >> (genesys::warp_lanes - threads()); }
  GENESYS_KERNEL static void sync() { genesys::sync_warp(lanes()); }
  GENESYS_KERNEL static bool any(bool predicate) {
    sync();
    return genesys::ballot(lanes(), predicate) != 0;
  }
  GENESYS_KERNEL static auto on(const genesys::os& os) { return os.on(genesys::warp{lanes()}); }
  GENESYS_KERNEL static std::uint64_t number() {
    const unsigned warps = (genesys::threads_in_block() + genesys::warp_lanes - 1) / genesys::warp_lanes;
    return std::uint64_t{genesys::block_rank()} * warps + genesys::warp_rank();
  }
};

struct thread_team {
  static constexpr bool is_alone = true;

  GENESYS_KERNEL static unsigned rank() { return 0; }
  GENESYS_KERNEL static unsigned threads() { return 1; }
  GENESYS_KERNEL static void sync() {}
  GENESYS_KERNEL static bool any(bool predicate) { return predicate; }
  GENESYS_KERNEL static auto on(const genesys::os& os) { return os.on(genesys::thread()); }
  GENESYS_KERNEL static std::uint64_t number() {
    return std::uint64_t{genesys::block_rank()} * genesys::threads_in_block() + genesys::thread_rank();
  }
};

}  // namespace grep
