// SPDX-License-Identifier: Apache-2.0
// Each property can fail: a policy with a deliberate fault violates it.
#include <gtest/gtest.h>

#include "broken_policy.h"
#include "workload.h"

namespace genesys::schedule {
namespace {

struct control {
  fault which;
  const char* property;
};

class PolicyControls : public testing::TestWithParam<control> {};

policy_options without_aging() {
  policy_options options;
  options.aging_step = 0;
  options.aborts_max = 0;
  options.snapshot_space_bytes = std::uint64_t{1} << 40;
  options.hold_max = 100'000;  // some snapshots take longer
  return options;
}

TEST_P(PolicyControls, IsFound) {
  constexpr std::uint64_t seeds = 500;
  std::uint64_t found = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    broken_policy policy(GetParam().which, without_aging());
    const simulated run = simulate(policy, random_workload(seed), without_aging(), true, seed);
    found += run.violations.count(GetParam().property);
  }
  EXPECT_GT(found, 0u);
  std::printf("%s: in %llu of %llu seeds\n", GetParam().property, static_cast<unsigned long long>(found),
              static_cast<unsigned long long>(seeds));
}

INSTANTIATE_TEST_SUITE_P(Faults, PolicyControls,
                         testing::Values(control{fault::completes_twice, "completed exactly once"},
                                         control{fault::never_completes_one, "completed exactly once"},
                                         control{fault::runs_whole_again, "completed exactly once"},
                                         control{fault::ignores_order, "first come first served in a task"},
                                         control{fault::takes_no_snapshots, "runs after its snapshot"},
                                         control{fault::takes_no_snapshots, "aborted only with its snapshot"},
                                         control{fault::aborts_everything, "not abortable is never aborted"},
                                         control{fault::forgets_emergency, "emergency is never preempted"},
                                         control{fault::never_preempts, "bounded inversion"},
                                         control{fault::ignores_revisions, "runs after its snapshot"},
                                         control{fault::launches_late, "work-conserving"},
                                         control{fault::rolls_back_at_abort, "roll-back after the drain"},
                                         control{fault::forgets_roll_back, "runs after the roll-back"},
                                         control{fault::prepares_twice, "one writer of a transaction"},
                                         control{fault::forgets_bound, "bounded number of transactions"},
                                         control{fault::forgets_holds,
                                                 "no launch beside a snapshot that is waited for"},
                                         control{fault::forgets_holds, "no copy beside a snapshot that is waited for"},
                                         control{fault::forgets_holds, "makes way for a snapshot that is waited for"},
                                         control{fault::holds_too_long, "work-conserving"},
                                         control{fault::divides_everything, "no snapshot for a short launch"},
                                         control{fault::divides_too_little, "runs after its snapshot"},
                                         control{fault::waits_too_long, "work-conserving"}),
                         [](const auto& each) {
                           return std::to_string(static_cast<int>(each.param.which)) + "_" + std::to_string(each.index);
                         });

TEST(PolicyControls, WithoutAFaultNothingIsFound) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    broken_policy policy(fault::none, without_aging());
    EXPECT_EQ(simulate(policy, random_workload(seed), without_aging(), true, seed).first, "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace genesys::schedule
