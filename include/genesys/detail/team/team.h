// SPDX-License-Identifier: Apache-2.0
// A team: the threads of a scope, of which one is the leader, in an order. detail/ops makes calls with a team. Every
// thread of the scope calls every function here.
//
// What the leader knows reaches the others in three steps: the leader puts it, all meet, all get it.
//
// In strong order, and as a producer, the team meets before the call, and its lowest thread is the leader. As a
// consumer the first thread to arrive is the leader and makes the call alone; the team meets after it (GENESYS, ISCA
// 2018, V.A).
#pragma once

#include <type_traits>
#include <utility>

#include "genesys/detail/queue/sequence.h"
#include "genesys/detail/staging/staging_plan.h"
#include "genesys/detail/table/call_plan.h"
#include "genesys/detail/team/grid_call.h"

namespace genesys::detail::team {

enum class ordering { strong, producer, consumer };

// Whether the scope is a block or a grid.
GENESYS_KERNEL constexpr bool is_of_blocks(scope_kind scope) {
  return scope == scope_kind::block || scope == scope_kind::grid;
}

// The result of one attempt.
struct call_result {
  i64 value;
  bool again;  // Linux has not made the call: wait for the descriptor first
  u64 inline_data = 0;
};

// What the whole team knows of a plan besides addresses and lengths, as one word. (Of bools side by side
// in shared memory ptxas 13.0 loses one: docs/limits.md.)
GENESYS_KERNEL u64 packed(const staging::staging_plan& p) {
  return u64{p.completion_slot} << 32 | (p.has_inline_data ? 8u : 0u) | p.phase << 2 | (p.failed ? 2u : 0u) |
         (p.cut ? 1u : 0u);
}
GENESYS_KERNEL void unpack(staging::staging_plan& p, u64 word) {
  p.completion_slot = static_cast<u32>(word >> 32);
  p.has_inline_data = (word & 8) != 0;
  p.phase = (static_cast<u32>(word) >> 2) & 1;
  p.failed = (word & 2) != 0;
  p.cut = (word & 1) != 0;
}

// A single thread.
class thread_team {
 public:
  static constexpr scope_kind scope = scope_kind::thread;
  static constexpr bool in_block_waiter = false;
  static constexpr ordering ordered = ordering::strong;

  GENESYS_KERNEL void begin() {}
  GENESYS_KERNEL bool makes() const { return true; }
  GENESYS_KERNEL void sync() const {}
  GENESYS_KERNEL void finish_reading() const {}
  GENESYS_KERNEL bool is_leader() const { return true; }
  GENESYS_KERNEL u32 rank() const { return 0; }
  GENESYS_KERNEL u32 size() const { return 1; }
  GENESYS_KERNEL void put(const staging::staging_plan&) const {}
  GENESYS_KERNEL void put(call_result) const {}
  template <const call_plan& plan>
  GENESYS_KERNEL void get(staging::staging_plan&) const {}
  GENESYS_KERNEL void get(call_result&) const {}
};

// A team whose leader remembers its last call (queue/sequence.h): each thread in its own object for the scope.
template <class Team>
class hinted_team : public Team {
 public:
  GENESYS_KERNEL hinted_team(const Team& team, queue::sequence_hint& next) : Team(team), next_(&next) {}
  GENESYS_KERNEL queue::sequence_hint& next() const { return *next_; }

 private:
  queue::sequence_hint* next_;
};
template <class Team>
constexpr bool has_sequence_hint = false;
template <class Team>
constexpr bool has_sequence_hint<hinted_team<Team>> = true;

// The team for functions that are not inlined. It has no pointer to the hint, which would force the object that holds
// the hint into local memory.
template <class Team>
GENESYS_KERNEL Team without_hint(const Team& team) {
  return team;
}
// (nvcc copies a byte even of an empty team. Here that would be a byte of the pointer, with the same effect.)
template <class Team>
GENESYS_KERNEL Team without_hint(const hinted_team<Team>& team) {
  if constexpr (std::is_empty_v<Team>) {
    return Team();
  } else {
    return team;
  }
}

// The lanes of a warp in the mask `lanes`. All of them call.
template <ordering o>
class warp_team {
 public:
  static constexpr scope_kind scope = scope_kind::warp;
  static constexpr bool in_block_waiter = false;
  static constexpr ordering ordered = o;

  GENESYS_KERNEL explicit warp_team(u32 lanes) : lanes_(lanes) {}
  GENESYS_KERNEL void begin() {
    if constexpr (o != ordering::consumer) sync();
  }
  GENESYS_KERNEL bool makes() const { return true; }
  GENESYS_KERNEL void sync() const { sync_warp(lanes_); }
  GENESYS_KERNEL void finish_reading() const {}
  // A consumer: meets after the call.
  GENESYS_KERNEL void gather() { sync(); }
  GENESYS_KERNEL void part() const { sync(); }
  GENESYS_KERNEL void conclude(i64) const { part(); }
  GENESYS_KERNEL bool is_leader() const { return lane() == leader(); }
  GENESYS_KERNEL u32 rank() const { return count_bits(lanes_ & ((1u << lane()) - 1)); }
  GENESYS_KERNEL u32 size() const { return count_bits(lanes_); }

  GENESYS_KERNEL void put(const staging::staging_plan&) const {}
  GENESYS_KERNEL void put(call_result) const {}
  template <const call_plan& plan>
  GENESYS_KERNEL void get(staging::staging_plan& p) const {
    get_arguments<plan>(p, std::make_integer_sequence<int, args_max>{});
    p.buffer = from_leader_lane(p.buffer);
    p.value = static_cast<i64>(from_leader_lane(static_cast<u64>(p.value)));
    unpack(p, from_leader_lane(packed(p)));
  }
  GENESYS_KERNEL void get(call_result& result) const {
    result.value = static_cast<i64>(from_leader_lane(static_cast<u64>(result.value)));
    result.again = from_leader_lane(result.again ? 1 : 0) != 0;
    result.inline_data = from_leader_lane(result.inline_data);
  }

 private:
  GENESYS_KERNEL u32 leader() const { return lowest_bit(lanes_); }
  GENESYS_KERNEL u64 from_leader_lane(u64 word) const { return shuffle(lanes_, word, leader()); }
  template <const call_plan& plan, int... k>
  GENESYS_KERNEL void get_arguments(staging::staging_plan& p, std::integer_sequence<int, k...>) const {
    (get_argument<is_pointer(plan.args[k])>(p.staged_at[k], p.bytes[k]), ...);
  }
  template <bool is_pointer>
  GENESYS_KERNEL void get_argument(u64& staged_at, u64& bytes) const {
    if constexpr (is_pointer) {
      staged_at = from_leader_lane(staged_at);
      bytes = from_leader_lane(bytes);
    }
  }
  u32 lanes_;
};

// What the threads of a block share about a call. It is in shared memory, which initially holds any value.
struct block_state {
  static constexpr u32 warps_max = 32;
  struct agreement {
    u64 staged_at[args_max], bytes[args_max], buffer, flags;  // of the staging plan; flags: packed()
    i64 value;
    call_result result;
    grid_slot grid;
  };
  // A consumer's call may begin while the leader's warp still reads the agreement of a producer's call, so it has its
  // own.
  agreement of_sync, of_consumer;
  u64 election;            // {of this block and launch : 63 | taken : 1}; any other value: not taken
  grid_cursor grid;        // of calls of the grid
  u32 present[warps_max];  // the lanes of each warp that have not left
};

struct present_threads {
  u32 rank, lanes, first_warp;  // as in block_team
};

// Counts the threads of a block in which some have left. All others call it. A warp whose lanes have all left cannot
// clear its word. So every group of lanes clears all words, and enters itself after a barrier.
GENESYS_KERNEL_OUTLINE inline present_threads count_present() {
  block_state& s = shared<block_state>();
  const u32 together = active_lanes();
  const bool first = lane() == lowest_bit(together);
  if (first) {
    for (u32 w = 0; w < block_state::warps_max; ++w)
      atomic<u32, thread_scope::block>(s.present[w]).store(0, order::relaxed);
  }
  sync_block();
  if (first) atomic<u32, thread_scope::block>(s.present[warp_rank()]).fetch_or(together, order::relaxed);
  sync_block();
  present_threads here{0, s.present[warp_rank()], warp_rank()};
  here.rank = count_bits(here.lanes & ((1u << lane()) - 1));
  for (u32 w = warp_rank(); w-- > 0;) {
    here.rank += count_bits(s.present[w]);
    if (s.present[w] != 0) here.first_warp = w;
  }
  return here;
}

// The threads of a block that have not left.
template <ordering o>
class block_team {
 public:
  static constexpr scope_kind scope = scope_kind::block;
  static constexpr bool in_block_waiter = false;
  static constexpr ordering ordered = o;

  GENESYS_KERNEL explicit block_team(const device_context& a)
      : free_(a.nonce ^ (launch_number() << 32 ^ block_rank()) << 1) {}

  // The barrier before the call, which counts the threads; or, for a consumer, the election of the first thread to
  // arrive.
  GENESYS_KERNEL void begin() {
    if constexpr (o == ordering::consumer) {
      is_leader_ = elect();
    } else {
      count();
      is_leader_ = rank_ == 0;
    }
  }
  // Whether this team makes the call, and not another block of its grid. Valid where is_leader() is, until all have
  // met.
  GENESYS_KERNEL bool makes() const { return true; }
  GENESYS_KERNEL void sync() const { sync_block(); }
  // After the last get() of a call. A thread that leaves the kernel afterwards takes part in no later barrier, so only
  // this one orders its get() before the next call's put().
  GENESYS_KERNEL void finish_reading() const { sync_block(); }
  GENESYS_KERNEL bool is_leader() const { return is_leader_; }
  GENESYS_KERNEL u32 rank() const { return rank_; }
  GENESYS_KERNEL u32 size() const { return size_; }

  // A consumer: the barrier after the call, and the last step, which allows the next call's election.
  GENESYS_KERNEL void gather() { count(); }
  GENESYS_KERNEL void part() const {
    if (is_leader_) election().store(free_, order::relaxed);
    sync();
  }
  // The same for a blocking call, with its result.
  GENESYS_KERNEL void conclude(i64) const { part(); }

  // A producer: the leader's warp, which waits for the call.
  GENESYS_KERNEL bool in_leaders_warp() const { return warp_rank() == first_warp_; }
  GENESYS_KERNEL warp_team<ordering::strong> leaders_warp() const { return warp_team<ordering::strong>(lanes_); }

  // The leader stores what it knows; it stays valid until the team has met again.
  GENESYS_KERNEL void put(const staging::staging_plan& p) const {
    if (!is_leader_) return;
    state::agreement& to = agreed();
    for (u32 k = 0; k < args_max; ++k) to.staged_at[k] = p.staged_at[k], to.bytes[k] = p.bytes[k];
    to.buffer = p.buffer;
    to.value = p.value;
    to.flags = packed(p);
  }
  GENESYS_KERNEL void put(call_result result) const {
    if (is_leader_) agreed().result = result;
  }
  template <const call_plan& plan>
  GENESYS_KERNEL void get(staging::staging_plan& p) const {
    get_arguments<plan>(p, std::make_integer_sequence<int, args_max>{});
    p.buffer = agreed().buffer;
    p.value = agreed().value;
    unpack(p, agreed().flags);
  }
  GENESYS_KERNEL void get(call_result& result) const { result = agreed().result; }

 protected:
  using state = block_state;
  GENESYS_KERNEL static state::agreement& agreed() {
    state& s = shared<state>();
    return o == ordering::consumer ? s.of_consumer : s.of_sync;
  }

 private:
  template <const call_plan& plan, int... k>
  GENESYS_KERNEL void get_arguments(staging::staging_plan& p, std::integer_sequence<int, k...>) const {
    (get_argument<is_pointer(plan.args[k])>(p, k), ...);
  }
  template <bool is_pointer>
  GENESYS_KERNEL void get_argument(staging::staging_plan& p, int k) const {
    p.staged_at[k] = is_pointer ? agreed().staged_at[k] : 0;
    p.bytes[k] = is_pointer ? agreed().bytes[k] : 0;
  }
  GENESYS_KERNEL static atomic<u64, thread_scope::block> election() {
    return atomic<u64, thread_scope::block>(shared<state>().election);
  }

  // The word initially holds any value; between two calls it is free_.
  GENESYS_KERNEL bool elect() const {
    u64 seen = election().load(order::relaxed);
    while (seen != (free_ | 1)) {
      if (election().compare_exchange(seen, free_ | 1, order::relaxed)) return true;
    }
    return false;
  }

  GENESYS_KERNEL void count() {
    size_ = static_cast<u32>(sync_block_count(true));
    rank_ = thread_rank();
    if (size_ != threads_in_block()) {
      const present_threads here = count_present();
      rank_ = here.rank;
      lanes_ = here.lanes;
      first_warp_ = here.first_warp;
      return;
    }
    lanes_ = lanes_of_warp();
    first_warp_ = 0;
  }

  u64 free_;
  u32 rank_ = 0, size_ = 0;
  u32 lanes_ = 0;       // lanes of this warp that have not left
  u32 first_warp_ = 0;  // the first warp that has any
  bool is_leader_ = false;
};

// A team whose leader waits at the block waiter (queue/block_waiter.h).
template <class Team>
class suspended_team : public Team {
 public:
  static constexpr bool in_block_waiter = true;
  GENESYS_KERNEL explicit suspended_team(const Team& team) : Team(team) {}
};

}  // namespace genesys::detail::team
