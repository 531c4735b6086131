// SPDX-License-Identifier: Apache-2.0
// What a program's options mean for the policy.
#include "schedule/driver/chosen_options.h"
#include "testing.h"

namespace {

using genesys::schedule::options_of;

TEST(SchedulerOptions, TheirDefaultsAreThoseOfThePolicy) {
  const genesys::schedule::driver_options made = options_of({}), expected;
  EXPECT_EQ(made.policy.aging_step, expected.policy.aging_step);
  EXPECT_EQ(made.policy.aborts_max, expected.policy.aborts_max);
  EXPECT_EQ(made.policy.wait_max, expected.policy.wait_max);
  EXPECT_EQ(made.policy.drain_max, expected.policy.drain_max);
  EXPECT_EQ(made.policy.hold_max, expected.policy.hold_max);
  EXPECT_EQ(made.policy.undivided_max, expected.policy.undivided_max);
  EXPECT_EQ(made.policy.gap_max, expected.policy.gap_max);
  EXPECT_EQ(made.policy.gap_not_abortable_max, expected.policy.gap_not_abortable_max);
  EXPECT_EQ(made.short_block, expected.short_block);
  EXPECT_EQ(made.shares_multiprocessors, expected.shares_multiprocessors);
  EXPECT_EQ(made.snapshots.device_bytes, expected.snapshots.device_bytes);
  EXPECT_EQ(made.snapshots.pinned_bytes, expected.snapshots.pinned_bytes);
}

TEST(SchedulerOptions, EachReachesThePolicy) {
  genesys::scheduler_options chosen;
  chosen.aging_step_us = 3;
  chosen.wait_max_us = 5;
  chosen.short_block_us = 7;
  chosen.share_multiprocessors = false;
  chosen.snapshot_hold_max_us = 11;
  chosen.undivided_max_us = 13;
  chosen.gap_max_us = 17;
  chosen.aborts_max = 19;
  chosen.snapshot_device_bytes = 23;
  chosen.snapshot_pinned_bytes = 29;
  const genesys::schedule::driver_options made = options_of(chosen);
  EXPECT_EQ(made.policy.aging_step, 3'000U);
  EXPECT_EQ(made.policy.wait_max, 5'000U);
  EXPECT_EQ(made.policy.drain_max, 5'000U);
  EXPECT_EQ(made.short_block, 7'000U);
  EXPECT_FALSE(made.shares_multiprocessors);
  EXPECT_EQ(made.policy.hold_max, 11'000U);
  EXPECT_EQ(made.policy.undivided_max, 13'000U);
  EXPECT_EQ(made.policy.gap_max, 17'000U);
  EXPECT_EQ(made.policy.aborts_max, 19U);
  EXPECT_EQ(made.snapshots.device_bytes, 23U);
  EXPECT_EQ(made.snapshots.pinned_bytes, 29U);
}

// Without aging nothing protects what is aborted, and without gaps nothing waits for them.
TEST(SchedulerOptions, NoughtSwitchesOff) {
  genesys::scheduler_options chosen;
  chosen.aging_step_us = chosen.gap_max_us = 0;
  EXPECT_EQ(options_of(chosen).policy.aborts_max, 0U);
  EXPECT_EQ(options_of(chosen).policy.gap_not_abortable_max, 0U);
}

}  // namespace
