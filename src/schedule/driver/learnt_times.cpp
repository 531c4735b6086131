// SPDX-License-Identifier: Apache-2.0
#include "schedule/driver/learnt_times.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace genesys::schedule {
namespace {

// Of an abort: the ends of two launches, and copies of their counts, on an H100. And what blocks need at least.
constexpr time_ns driver_delay = 40'000, abort_least = 5'000;

// A moving average that follows a change within some eight launches.
void learn(time_ns& known, time_ns seen) { known = known == 0 ? seen : (7 * known + seen) / 8; }

// Of all arguments of 4 and 8 bytes how many bits each needs. Pointers and floating-point numbers are among them, and
// few of their values differ in that. Smaller arguments and structures may have bytes without a value.
std::uint64_t magnitudes_of(const kernel_launch& what) {
  std::uint64_t made = 0;
  for (std::size_t i = 0; i < what.sizes.size() && i < what.offsets.size(); ++i) {
    const std::size_t at = what.offsets[i], bytes = what.sizes[i];
    if ((bytes != 4 && bytes != 8) || at + bytes > what.arguments.size()) continue;
    std::uint64_t value = 0;
    std::memcpy(&value, what.arguments.data() + at, bytes);
    constexpr std::uint64_t prime = 0x100000001b3;
    made = (made + static_cast<std::uint64_t>(std::bit_width(value)) + 1) * prime;
  }
  return made;
}

}  // namespace

learnt_times::key learnt_times::of(kernel_id kernel, const kernel_launch& what) {
  return {kernel, std::uint64_t{what.blocks.x} * what.blocks.y * what.blocks.z,
          std::uint64_t{what.threads.x} * what.threads.y * what.threads.z, magnitudes_of(what)};
}

const learnt_times::learnt* learnt_times::find(const key& of) const {
  const auto shape = known_.find({of.kernel, of.blocks, of.threads});
  if (shape == known_.end()) return nullptr;
  const by_magnitudes& all = shape->second;
  auto found = all.find(of.magnitudes);
  if (found == all.end() && all.size() >= magnitudes_max) found = all.find(0);
  return found == all.end() ? nullptr : &found->second;
}

learnt_times::learnt& learnt_times::at(const key& of) {
  by_magnitudes& all = known_[{of.kernel, of.blocks, of.threads}];
  const auto found = all.find(of.magnitudes);
  if (found != all.end()) return found->second;
  return all[all.size() < magnitudes_max ? of.magnitudes : 0];
}

kernel_times learnt_times::operator[](const key& of) const {
  const learnt* const found = find(of);
  return found == nullptr ? kernel_times{} : found->times;
}

bool learnt_times::wants_blocks(const key& of) const {
  const learnt* const found = find(of);
  return found == nullptr || found->timings < timed_launches;
}

void learnt_times::ran(const key& of, time_ns run, std::uint64_t at_a_time) {
  learnt& one = at(of);
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

void learnt_times::repeated::add(time_ns seen) {
  if (runs < raiser_runs) {
    run = runs == 0 ? seen : std::min(run, seen);
    ++runs;
  } else {
    learn(run, seen);
  }
}

void learnt_times::ran_with_polls(const key& of, time_ns run, bool is_beside_raiser) {
  learnt& one = at(of);
  (is_beside_raiser ? one.beside_raiser : one.without_raiser).add(run);
}

bool learnt_times::bears_raiser(const key& of) const {
  const learnt* const found = find(of);
  if (found == nullptr || found->beside_raiser.runs < raiser_runs) return true;
  if (found->without_raiser.runs < raiser_runs) return false;
  return static_cast<double>(found->beside_raiser.run) <=
         (1 + raiser_cost_max) * static_cast<double>(found->without_raiser.run);
}

void learnt_times::left(const key& of, time_ns abort) {
  time_ns& known = at(of).times.abort;
  const time_ns without_driver = abort > driver_delay + abort_least ? abort - driver_delay : abort_least;
  known = known == 0 ? without_driver : std::min(known, without_driver);
}

unsigned learnt_times::timing_begins(const key& of) { return at(of).timings++; }

void learnt_times::timing_failed(const key& of) {
  learnt& one = at(of);
  if (one.timings > 0) --one.timings;
}

// A timer may step by more than a short block takes: 0 would mean that the time is not known.
void learnt_times::timed(const key& of, time_ns longest_block) {
  learnt& one = at(of);
  const time_ns seen = std::max<time_ns>(longest_block, 1);
  one.times.block = one.is_measured && !one.is_stale ? std::max(one.times.block, seen) : seen;
  one.is_measured = true;
  one.is_stale = false;
}

void learnt_times::recall(const key& of, const kernel_times& earlier) {
  if (find(of) != nullptr) return;
  learnt& one = at(of);
  one.times = earlier;
  one.is_measured = earlier.block != 0;
  // One launch measures again, and until then has polls: arguments may be others now.
  one.timings = earlier.block != 0 ? timed_launches - 1 : 0;
  one.is_stale = one.is_measured;
  one.run_at_times = earlier.run;
}

}  // namespace genesys::schedule
