// SPDX-License-Identifier: Apache-2.0
#include "schedule/policy/task.h"

#include <algorithm>

namespace genesys::schedule {

void task::note_submission(time_ns now, const policy_options& options) {
  if (pool.empty() && empty_since != never) {
    // A long pause now and then does not hide that the others are short.
    const time_ns seen = std::min(now - empty_since, 4 * options.gap_max);
    gap = gap == 0 ? seen : (7 * gap + seen) / 8;
  }
  empty_since = never;
}

int task::effective_nice(time_ns now, const policy_options& options) const {
  if (nice <= nice_most) return nice;
  const instance* const first = oldest();
  const time_ns run = first != nullptr ? first->run_estimate() : 0;
  // How long aborted launches ran says little of a whole run.
  const bool is_known = first != nullptr && first->facts.times.run != 0;
  const time_ns so_far = waited + (waiting_since != never ? now - waiting_since : 0);
  if (first != nullptr && options.aborts_max != 0 && first->aborts >= options.aborts_max &&
      so_far >= options.aborts_wait_runs * (is_known ? run : std::max(run, options.aging_step))) {
    return nice_most;
  }
  if (options.aging_step == 0) return nice;
  const time_ns step = std::max(options.aging_step, run);
  return nice - static_cast<int>(std::min<time_ns>(so_far / step, static_cast<time_ns>(nice - nice_most)));
}

}  // namespace genesys::schedule
