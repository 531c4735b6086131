// SPDX-License-Identifier: Apache-2.0
#include "schedule/driver/learnt_times.h"

#include <algorithm>

namespace genesys::schedule {
namespace {

// Of an abort: the ends of two launches, and copies of their counts, on an H100. And what blocks need at least.
constexpr time_ns driver_delay = 40'000, abort_least = 5'000;

// A moving average that follows a change within some eight launches.
void learn(time_ns& known, time_ns seen) { known = known == 0 ? seen : (7 * known + seen) / 8; }

}  // namespace

learnt_times::key learnt_times::of(kernel_id kernel, const kernel_launch& what) {
  return {kernel, std::uint64_t{what.blocks.x} * what.blocks.y * what.blocks.z,
          std::uint64_t{what.threads.x} * what.threads.y * what.threads.z};
}

kernel_times learnt_times::operator[](const key& of) const {
  const auto found = known_.find(of);
  return found == known_.end() ? kernel_times{} : found->second.times;
}

bool learnt_times::wants_blocks(const key& of) const {
  const auto found = known_.find(of);
  return found == known_.end() || found->second.timings < timed_launches;
}

void learnt_times::ran(const key& of, time_ns run, std::uint64_t at_a_time) {
  learnt& one = known_[of];
  if (one.runs < first_runs) {
    one.times.run = one.times.run == 0 ? run : std::min(one.times.run, run);
    ++one.runs;
  } else {
    learn(one.times.run, run);
  }
  if (!one.is_measured) {
    // The blocks come in waves of equal length.
    const std::uint64_t waves = at_a_time == 0 || of.blocks <= at_a_time ? 1 : of.blocks / at_a_time;
    one.times.block = one.times.run / waves;
  } else if (one.runs == first_runs) {
    if (one.run_at_times == 0) one.run_at_times = one.times.run;
    const time_ns less = std::min(one.run_at_times, one.times.run), more = std::max(one.run_at_times, one.times.run);
    if (more > 2 * less) {
      one.run_at_times = one.times.run;
      one.timings = 0;
      one.is_stale = true;
    }
  }
}

void learnt_times::left(const key& of, time_ns abort) {
  time_ns& known = known_[of].times.abort;
  const time_ns without_driver = abort > driver_delay + abort_least ? abort - driver_delay : abort_least;
  known = known == 0 ? without_driver : std::min(known, without_driver);
}

unsigned learnt_times::timing_begins(const key& of) { return known_[of].timings++; }

void learnt_times::timing_failed(const key& of) {
  learnt& one = known_[of];
  if (one.timings > 0) --one.timings;
}

// A timer may step by more than a short block takes: 0 would mean that the time is not known.
void learnt_times::timed(const key& of, time_ns longest_block) {
  learnt& one = known_[of];
  const time_ns seen = std::max<time_ns>(longest_block, 1);
  one.times.block = one.is_measured && !one.is_stale ? std::max(one.times.block, seen) : seen;
  one.is_measured = true;
  one.is_stale = false;
}

void learnt_times::recall(const key& of, const kernel_times& earlier) {
  const auto [at, is_new] = known_.try_emplace(of);
  if (!is_new) return;
  at->second.times = earlier;
  at->second.is_measured = earlier.block != 0;
  // One launch measures again, and until then has polls: arguments may be others now.
  at->second.timings = earlier.block != 0 ? timed_launches - 1 : 0;
  at->second.is_stale = at->second.is_measured;
  at->second.run_at_times = earlier.run;
}

}  // namespace genesys::schedule
