// SPDX-License-Identifier: Apache-2.0
// What the policy counts for each kernel, for a report and 'genesys schedule top'.
#pragma once

#include <map>

#include "schedule/policy/kernel_facts.h"

namespace genesys::schedule {

struct kernel_statistics {
  std::uint64_t submitted = 0, completed = 0;
  std::uint64_t launches = 0;
  std::uint64_t launches_without_snapshot = 0;  // those that needed one, but its space was not there
  std::uint64_t undivided = 0;                  // launches that were too short for a snapshot
  std::uint64_t holds = 0;                      // launches whose snapshot was on the critical path
  // Times that a more important instance went first; by which way.
  std::uint64_t aborts = 0, drains = 0, waits = 0;
  std::uint64_t finished_in_spite_of_abort = 0;
  std::uint64_t snapshots = 0, snapshots_stopped = 0, snapshots_discarded = 0, roll_backs = 0;
  std::uint64_t snapshot_bytes = 0;
  time_ns wasted_ns = 0;  // run by launches that were aborted, until the drain was over
  time_ns snapshot_ns = 0, roll_back_ns = 0;
  time_ns waited_ns = 0, waited_most_ns = 0;  // from submission to completion, less the last run

  std::uint64_t preemptions() const { return aborts + drains; }
};
using statistics = std::map<kernel_id, kernel_statistics>;

}  // namespace genesys::schedule
