// SPDX-License-Identifier: Apache-2.0
#include "schedule/policy/task.h"

#include <algorithm>

namespace genesys::schedule {

int task::effective_nice(time_ns now, const policy_options& options) const {
  if (nice <= nice_most) return nice;
  const instance* const first = oldest();
  const time_ns run = first != nullptr ? first->run_estimate() : 0;
  const time_ns so_far = waited + (waiting_since != never ? now - waiting_since : 0);
  if (first != nullptr && options.aborts_max != 0 && first->aborts >= options.aborts_max &&
      so_far >= options.aborts_wait_runs * run) {
    return nice_most;
  }
  if (options.aging_step == 0) return nice;
  const time_ns step = std::max(options.aging_step, run);
  return nice - static_cast<int>(std::min<time_ns>(so_far / step, static_cast<time_ns>(nice - nice_most)));
}

}  // namespace genesys::schedule
