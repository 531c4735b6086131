// SPDX-License-Identifier: Apache-2.0
#include "schedule/policy/preemption.h"

#include <algorithm>
#include <cmath>

namespace genesys::schedule {
namespace {

// As Linux's CFS weighs tasks: one nice value is a factor of 1.25.
double urgency(int running_nice, int nice) { return std::pow(1.25, running_nice - nice); }

}  // namespace

preemption_choice choose_preemption(const instance& running, int running_nice, int nice, time_ns now, bool allow_wait,
                                    const policy_options& options) {
  if (!running.can_abort) return {};
  const kernel_times& times = running.facts.times;
  const bool has_started = running.state == instance_state::running;
  const time_ns elapsed = has_started ? now - running.started_at : 0;
  // The emergency class pays any price for latency.
  const bool is_emergency = nice == nice_emergency;
  const double weight = is_emergency ? 1 : urgency(running_nice, nice);

  double wasted = 0;
  if (has_started && !is_emergency) {
    wasted = static_cast<double>(elapsed);
    if (!running.facts.idempotent)
      wasted += static_cast<double>(running.facts.snapshot_bytes) / options.copy_bytes_per_ns;
  }
  preemption_choice best{preemption::abort};
  double least = static_cast<double>(times.abort) * weight + wasted;
  if (!has_started) return best;  // nothing is lost

  const auto consider = [&](preemption how, time_ns latency, time_ns delay, time_ns most) {
    const double cost = static_cast<double>(latency + delay) * weight;
    if (latency > most || cost >= least) return;
    least = cost;
    best = {how, std::min(most, 2 * latency)};
  };
  if (times.block != 0) consider(preemption::drain, times.block, 0, options.drain_max);
  if (allow_wait && !is_emergency && times.run > elapsed)
    consider(preemption::wait, times.run - elapsed, options.launch_delay, options.wait_max);
  return best;
}

}  // namespace genesys::schedule
