// SPDX-License-Identifier: Apache-2.0
// The options of priority_policy. All may be set once, before the first event.
#pragma once

#include "schedule/policy/kernel_facts.h"

namespace genesys::schedule {

struct policy_options {
  // A task whose oldest instance waits rises by one nice value each `aging_step`, at most to nice_most; 0: no aging.
  time_ns aging_step = 50'000'000;
  // An instance that was aborted so often rises to nice_most at once, and only the emergency class aborts it. 0: no
  // limit.
  unsigned aborts_max = 4;
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
};

}  // namespace genesys::schedule
