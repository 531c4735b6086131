// SPDX-License-Identifier: Apache-2.0
#include "schedule/policy/task.h"

#include <algorithm>

namespace genesys::schedule {

int task::effective_nice(time_ns now, const policy_options& options) const {
  if (nice <= nice_most) return nice;
  const instance* first = oldest();
  if (first != nullptr && options.aborts_max != 0 && first->aborts >= options.aborts_max) return nice_most;
  if (options.aging_step == 0) return nice;
  const time_ns so_far = waited + (waiting_since != never ? now - waiting_since : 0);
  const time_ns steps = std::min<time_ns>(so_far / options.aging_step, static_cast<time_ns>(nice - nice_most));
  return nice - static_cast<int>(steps);
}

}  // namespace genesys::schedule
