// SPDX-License-Identifier: Apache-2.0
#include "schedule/daemon/arbiter.h"

#include <algorithm>

namespace genesys::schedule::processes {

void arbiter::join(u32 slot, int nice, u32 device) {
  member joined;
  joined.present = true;
  joined.nice = joined.effective_nice = nice;
  joined.device = device;
  members_[slot] = joined;
}

void arbiter::tick(time_ns now, const std::array<member_sample, members_max>& samples) {
  const bool first = last_tick_ == never;
  const time_ns passed = first ? 0 : now - last_tick_;
  last_tick_ = now;
  for (u32 slot = 0; slot < members_max; ++slot) {
    member& one = members_[slot];
    if (!one.present) continue;
    if (first || one.beat_at == never) one.beat_at = now;
    one.state = samples[slot].state;
    look_at_heartbeat(one, samples[slot], now);
  }
  // All are looked at before any changes: the order of slots has no effect.
  for (member& one : members_) look_for_holders(one);
  for (u32 slot = 0; slot < members_max; ++slot) {
    if (members_[slot].present) age(members_[slot], samples[slot], passed);
  }
}

void arbiter::look_at_heartbeat(member& one, const member_sample& sample, time_ns now) const {
  if (one.state == state_idle || sample.heartbeat != one.heartbeat) {
    one.heartbeat = sample.heartbeat;
    one.beat_at = now;
    one.stalled = false;
  } else if (now - one.beat_at > options_.lease) {
    one.stalled = true;
  }
}

void arbiter::look_for_holders(member& one) const {
  one.held = false;
  one.held_by = one.effective_nice;
  if (!one.present || one.state == state_idle) return;
  for (const member& other : members_) {
    if (other.present && other.device == one.device && !other.stalled && other.state != state_idle)
      one.held_by = std::min(one.held_by, other.effective_nice);
  }
  one.held = one.held_by < one.effective_nice;
}

void arbiter::age(member& one, const member_sample& sample, time_ns passed) const {
  if (one.state == state_idle || (!one.held && one.effective_nice == one.nice)) {
    fall_back(one);
  } else if (one.held) {
    if (one.step == 0) {
      const time_ns run = std::min(time_ns{sample.run_us} * 1000, options_.run_max);
      one.step = std::max(options_.aging_step, run);
    }
    one.waited += passed;
    rise(one);
  } else {
    one.had += passed;
    if (one.had >= one.step) fall_back(one);
  }
}

void arbiter::fall_back(member& one) const {
  one.waited = one.had = one.step = 0;
  one.effective_nice = one.nice;
}

// However late a tick is, a member becomes as important as those that hold it, and no more.
void arbiter::rise(member& one) const {
  if (options_.aging_step == 0 || one.nice <= nice_aged_least) return;
  const auto most = static_cast<time_ns>(one.nice - nice_aged_least);
  const int risen = one.nice - static_cast<int>(std::min(one.waited / one.step, most));
  one.effective_nice = std::min(one.effective_nice, std::max(risen, one.held_by));
}

}  // namespace genesys::schedule::processes
