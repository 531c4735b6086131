// SPDX-License-Identifier: Apache-2.0
// The daemon's policy: aging, and which members have stalled. Code alone: no thread, no clock, no memory of others, so
// a test can simulate it. The daemon calls tick() from its thread while a member is held.
//
// Whom a member holds follows from the board and the lines (shared_pages.h). The arbiter only changes the board.
#pragma once

#include <array>

#include "schedule/daemon/shared_pages.h"

namespace genesys::schedule::processes {

using time_ns = u64;

inline constexpr int nice_emergency = -20;  // nothing preempts it, and it does not age
inline constexpr int nice_aged_least = -19;

struct arbiter_options {
  // A held member rises by one nice value each time that it needs to make progress (member_line::run_us), and at least
  // this. When it has had the GPU as long, it falls back. 0: no aging.
  time_ns aging_step = 10'000'000;
  time_ns run_max = 200'000'000;  // a member that says more than this is not believed
  time_ns lease = 1'000'000'000;  // a busy member without a heartbeat for so long has stalled
};

// What the daemon has read in a line, once.
struct member_sample {
  u32 state = state_idle;
  u32 heartbeat = 0, run_us = 0;
};

class arbiter {
 public:
  explicit arbiter(const arbiter_options& options = {}) : options_(options) {}

  // `slot` is below members_max. A member that joins or changes its nice value has no age. Only members of the same
  // device hold each other.
  void join(u32 slot, int nice, u32 device = 0);
  void leave(u32 slot) { members_[slot] = {}; }

  // Takes what all members do now. Samples of slots without a member are not looked at. `now` never decreases.
  void tick(time_ns now, const std::array<member_sample, members_max>& samples);
  // No tick follows for a while: the time until the next one does not count.
  void pause() { last_tick_ = never; }

  int effective_nice(u32 slot) const { return members_[slot].effective_nice; }
  bool is_stalled(u32 slot) const { return members_[slot].stalled; }
  // Whether, at the last tick, a more important member was busy while this one was.
  bool is_held(u32 slot) const { return members_[slot].held; }

 private:
  static constexpr time_ns never = ~time_ns{0};
  struct member {
    bool present = false, stalled = false, held = false;
    int nice = 0, effective_nice = 0, held_by = 0;  // held_by: the least effective value of those that hold it
    u32 device = 0, state = state_idle, heartbeat = 0;
    time_ns beat_at = never;
    time_ns waited = 0, had = 0;  // held; not held since it has risen
    time_ns step = 0;             // fixed when it begins to wait, so that what it says later changes nothing
  };
  void look_at_heartbeat(member& one, const member_sample& sample, time_ns now) const;
  void look_for_holders(member& one) const;
  void fall_back(member& one) const;
  void rise(member& one) const;
  void age(member& one, const member_sample& sample, time_ns passed) const;

  arbiter_options options_;
  std::array<member, members_max> members_;
  time_ns last_tick_ = never;
};

}  // namespace genesys::schedule::processes
