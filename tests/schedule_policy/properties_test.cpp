// SPDX-License-Identifier: Apache-2.0
// The properties of the policy, over thousands of random workloads in the simulated machine. A failure names its seed.
#include <gtest/gtest.h>

#include <cstdlib>

#include "schedule/policy/priority_policy.h"
#include "workload.h"

namespace genesys::schedule {
namespace {

std::uint64_t seeds() { return std::getenv("GENESYS_TEST_FULL") != nullptr ? 200'000 : 3'000; }

struct totals {
  time_ns longest_inversion = 0, longest_abortable = 0;
  std::uint64_t aborts = 0, drains = 0, waits = 0, whole = 0, stopped = 0, discarded = 0, unprotected = 0, rolled = 0;
  std::uint64_t holds = 0, undivided = 0;
};

totals expect_no_violation(const policy_options& options, bool checks_inversion) {
  totals sum;
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    priority_policy policy(options);
    const simulated run = simulate(policy, random_workload(seed), options, checks_inversion, seed);
    for (const auto& [property, times] : run.violations)
      ADD_FAILURE() << "seed " << seed << ": " << property << ", " << times << " times; first " << run.first;
    sum.longest_inversion = std::max(sum.longest_inversion, run.longest_inversion);
    sum.longest_abortable = std::max(sum.longest_abortable, run.longest_abortable);
    for (const auto& [kernel, counted] : policy.counted()) {
      EXPECT_EQ(counted.completed, counted.submitted);
      EXPECT_EQ(counted.launches, counted.completed + (counted.launches - counted.submitted));
      sum.aborts += counted.aborts, sum.drains += counted.drains, sum.waits += counted.waits;
      sum.whole += counted.finished_in_spite_of_abort, sum.stopped += counted.snapshots_stopped;
      sum.discarded += counted.snapshots_discarded, sum.unprotected += counted.launches_without_snapshot;
      sum.rolled += counted.roll_backs, sum.holds += counted.holds, sum.undivided += counted.undivided;
    }
    if (testing::Test::HasFailure()) break;
  }
  std::printf(
      "%llu seeds: %llu aborts, %llu drains, %llu waits, %llu whole in spite of an abort, %llu roll-backs, %llu "
      "snapshots stopped, %llu discarded, %llu launches without, %llu undivided, %llu holds; longest inversion %.1f "
      "us, by what can be aborted "
      "%.1f us\n",
      static_cast<unsigned long long>(seeds()), static_cast<unsigned long long>(sum.aborts),
      static_cast<unsigned long long>(sum.drains), static_cast<unsigned long long>(sum.waits),
      static_cast<unsigned long long>(sum.whole), static_cast<unsigned long long>(sum.rolled),
      static_cast<unsigned long long>(sum.stopped), static_cast<unsigned long long>(sum.discarded),
      static_cast<unsigned long long>(sum.unprotected), static_cast<unsigned long long>(sum.undivided),
      static_cast<unsigned long long>(sum.holds), static_cast<double>(sum.longest_inversion) / 1e3,
      static_cast<double>(sum.longest_abortable) / 1e3);
  return sum;
}

policy_options options_without_aging() {
  policy_options options;
  options.aging_step = 0;
  options.aborts_max = 0;
  options.snapshot_space_bytes = std::uint64_t{1} << 40;
  return options;
}

TEST(PolicyProperties, WithoutAging) {
  const policy_options options = options_without_aging();
  const totals sum = expect_no_violation(options, true);
  // The seeds have met every way.
  EXPECT_GT(sum.aborts, 0u);
  EXPECT_GT(sum.drains, 0u);
  EXPECT_GT(sum.waits, 0u);
  EXPECT_GT(sum.whole, 0u);
  EXPECT_GT(sum.rolled, 0u);
  EXPECT_GT(sum.stopped, 0u);
}

TEST(PolicyProperties, WithAging) {
  policy_options options = options_without_aging();
  options.aging_step = 100'000;  // the workloads are short
  options.aborts_max = 2;
  expect_no_violation(options, false);
}

TEST(PolicyProperties, WithLittleSnapshotSpace) {
  policy_options options = options_without_aging();
  options.snapshot_space_bytes = 300 << 20;
  const totals sum = expect_no_violation(options, true);
  EXPECT_GT(sum.discarded, 0u);
  EXPECT_GT(sum.unprotected, 0u);
}

TEST(PolicyProperties, OneLaunchAndOneTransaction) {
  policy_options options = options_without_aging();
  options.launches_max = 1;
  options.transactions_max = 1;
  options.wait_max = options.drain_max = 0;  // always abort
  expect_no_violation(options, true);
}

// Many snapshots are too long to hold others back, many holds end before their snapshot, and many launches are drained.
TEST(PolicyProperties, ShortHolds) {
  policy_options options = options_without_aging();
  options.hold_max = 50'000;
  options.undivided_max = 1'000'000;
  options.gap_max = 1'000'000;
  const totals sum = expect_no_violation(options, true);
  EXPECT_GT(sum.undivided, 0u);
  EXPECT_GT(sum.holds, 0u);
}

// Every snapshot is stored beside what runs, and the GPU waits for nothing.
TEST(PolicyProperties, NoHolds) {
  policy_options options = options_without_aging();
  options.hold_max = options.undivided_max = options.gap_max = 0;
  const totals sum = expect_no_violation(options, true);
  EXPECT_EQ(sum.undivided, 0u);
  EXPECT_EQ(sum.holds, 0u);
}

TEST(PolicyProperties, ManyLaunchesAndTransactions) {
  policy_options options = options_without_aging();
  options.launches_max = 8;
  options.transactions_max = 6;
  options.aging_step = 1'000'000;
  expect_no_violation(options, false);
}

}  // namespace
}  // namespace genesys::schedule
