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
  return found == known_.end() ? kernel_times{} : found->second;
}

void learnt_times::ran(const key& of, time_ns run, std::uint64_t at_a_time) {
  kernel_times& known = known_[of];
  learn(known.run, run);
  // The blocks come in waves of equal length.
  const std::uint64_t waves = at_a_time == 0 || of.blocks <= at_a_time ? 1 : of.blocks / at_a_time;
  known.block = known.run / waves;
}

void learnt_times::left(const key& of, time_ns abort) {
  time_ns& known = known_[of].abort;
  const time_ns without_driver = abort > driver_delay + abort_least ? abort - driver_delay : abort_least;
  known = known == 0 ? without_driver : std::min(known, without_driver);
}

}  // namespace genesys::schedule
