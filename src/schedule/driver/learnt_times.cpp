// SPDX-License-Identifier: Apache-2.0
#include "schedule/driver/learnt_times.h"

namespace genesys::schedule {
namespace {

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

void learnt_times::left(const key& of, time_ns abort) { learn(known_[of].abort, abort); }

}  // namespace genesys::schedule
