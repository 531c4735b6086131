// SPDX-License-Identifier: Apache-2.0
// The options of priority_policy. All may be set once, before the first event.
#pragma once

#include "schedule/policy/kernel_facts.h"

namespace genesys::schedule {

struct policy_options {
  // A task without progress rises by one nice value each time that its oldest kernel takes to run, and at least
  // `aging_step`; at most to nice_most. So it takes a share of the GPU from others that is bounded by the difference of
  // their nice values, however long its kernels are. 0: no aging.
  time_ns aging_step = 10'000'000;
  // A task whose oldest instance was aborted so often, and that had no progress for so many times its run, rises to
  // nice_most at once, and only the emergency class aborts it. 0: no limit.
  unsigned aborts_max = 4, aborts_wait_runs = 20;
  // How many launches of one task may be in the GPU, the second after the first.
  unsigned launches_max = 2;
  // How many snapshots are in preparation at a time. As many more may be stopping.
  unsigned transactions_max = 2;
  // For all snapshots that exist. An instance whose snapshot does not fit is launched without, and never aborted.
  std::uint64_t snapshot_space_bytes = std::uint64_t{8} << 30;
  double copy_bytes_per_ns = 2000;  // of snapshots and roll-backs, to estimate them
  // At most so long a more important instance waits for the end of a launch, or for its resident blocks, where an abort
  // is possible. 0: never.
  time_ns wait_max = 50'000, drain_max = 50'000;
  // From the end of a launch until the next one begins, if the driver has to launch it then.
  time_ns launch_delay = 15'000;
};

}  // namespace genesys::schedule
