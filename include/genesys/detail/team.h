// SPDX-License-Identifier: Apache-2.0
// On whose behalf a call is made: a team is the threads of a scope, with one of them as the caller. staging.h makes a
// call with a team; what the team has to agree on is in its `agreed`. Every thread of the scope runs through every
// function here.
#pragma once

#include "genesys/detail/calling.h"
#include "genesys/detail/plan.h"

namespace genesys::detail {

// What the caller decides for its team, one call long.
struct agreement {
  u64 place[args_max];  // where argument k is staged; 0: it is not
  u64 bytes[args_max];  // and how much of it
  u64 chunk;            // the bounce buffer that holds them; 0: none
  i64 value;            // the answer
  bool again;           // the answer is that the descriptor has to be waited for
  bool failed;          // no request was made, `value` says why
  bool cut;             // the buffer was cut where its memory ends: of a split call, the last piece
};

// One thread for itself.
class thread_team {
 public:
  static constexpr scope_kind scope = scope_kind::thread;
  agreement agreed;

  GENESYS_KERNEL void begin() {}
  GENESYS_KERNEL void meet() {}
  GENESYS_KERNEL bool is_caller() const { return true; }
  GENESYS_KERNEL u32 rank() const { return 0; }
  GENESYS_KERNEL u32 size() const { return 1; }
};

// The threads of a block that have not left. The caller is the lowest of them, found anew for each call.
class block_team {
 public:
  static constexpr scope_kind scope = scope_kind::block;
  agreement& agreed;

  GENESYS_KERNEL block_team() : agreed(shared<state>().agreed) {}

  // The barrier before the call (GENESYS, section V.A: strong ordering); counts who is there.
  GENESYS_KERNEL void begin() {
    size_ = static_cast<u32>(sync_block_count(true));
    rank_ = thread_rank();
    if (size_ != threads_in_block()) count_who_is_left();
  }
  GENESYS_KERNEL void meet() { sync_block(); }
  GENESYS_KERNEL bool is_caller() const { return rank_ == 0; }
  GENESYS_KERNEL u32 rank() const { return rank_; }
  GENESYS_KERNEL u32 size() const { return size_; }

 private:
  static constexpr u32 warps_max = 32;
  struct state {
    agreement agreed;
    u32 present[warps_max];  // the lanes of each warp that have not left
  };

  // Shared memory starts with anything in it, and a warp whose lanes all left cannot clear its word: so every group of
  // lanes clears all words, and enters itself after a barrier.
  GENESYS_KERNEL void count_who_is_left() {
    state& s = shared<state>();
    const u32 lanes = active_lanes();
    const bool first = lane() == lowest_bit(lanes);
    if (first) {
      for (u32 w = 0; w < warps_max; ++w) atomic<u32, reach::block>(s.present[w]).store(0, order::relaxed);
    }
    sync_block();
    if (first) atomic<u32, reach::block>(s.present[warp()]).fetch_or(lanes, order::relaxed);
    sync_block();
    rank_ = count_bits(s.present[warp()] & ((1u << lane()) - 1));
    for (u32 w = 0; w < warp(); ++w) rank_ += count_bits(s.present[w]);
  }

  u32 rank_ = 0;
  u32 size_ = 0;
};

}  // namespace genesys::detail
