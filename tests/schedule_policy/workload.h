// SPDX-License-Identifier: Apache-2.0
// Random workloads for the simulation of a policy, and one simulated run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checker.h"
#include "machine.h"
#include "schedule/policy/options.h"

namespace genesys::schedule {

struct workload {
  struct added_task {
    task_id id;
    int nice;
    time_ns at;
  };
  struct submission {
    task_id task;
    instance_id id;
    time_ns at;
    true_kernel kernel;
    time_ns revised_at = never;
  };
  std::vector<added_task> tasks;
  std::vector<submission> submissions;
  time_ns work() const;  // the sum of all run times
};

// A few tasks of different nice values with some kernels each; from 3 to 60 instances in bursts. Estimates are off by
// up to a factor of 2, or missing.
workload random_workload(std::uint64_t seed, bool with_emergency = true);

struct simulated {
  std::map<std::string, unsigned> violations;
  std::string first;  // the first violation, or what the policy threw
  time_ns ended_at = 0, longest_inversion = 0, longest_abortable = 0, longest_as_oldest = 0;
};
simulated simulate(policy& under_test, const workload& load, const policy_options& options, bool checks_inversion,
                   std::uint64_t seed);

}  // namespace genesys::schedule
