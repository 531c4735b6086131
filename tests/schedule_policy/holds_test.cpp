// SPDX-License-Identifier: Apache-2.0
// What waits although the GPU could run it: for a snapshot that is on the critical path, and in a gap between two
// instances of a task. And launches that are too short for a snapshot.
#include <gtest/gtest.h>

#include "driven.h"

namespace genesys::schedule {
namespace {

// Task 1 has nice 10, task 2 nice 0, task 3 is of the emergency class.
constexpr kernel_facts idempotent{.idempotent = true, .abortable = true};
constexpr kernel_facts restored{.abortable = true, .snapshot_bytes = 4096};
constexpr kernel_facts not_abortable{};
constexpr kernel_facts short_run{.abortable = true, .snapshot_bytes = 256'000'000, .times = {.run = 100'000}};

TEST(PolicyHolds, TheSnapshotHasTheGpu) {
  driven by;
  EXPECT_EQ(by.submit(1, 1, idempotent), "launch 1");
  by.tell(event_kind::started, 1);
  EXPECT_EQ(by.submit(2, 2, restored), "raise_abort 1, prepare_snapshot 2");
  EXPECT_EQ(by.tell(event_kind::aborted, 1), "");
  EXPECT_EQ(by.tell(event_kind::snapshot_finished, 2), "launch 2");
  EXPECT_EQ(by.tell(event_kind::finished, 2), "discard_snapshot 2, launch 1, complete 2");
  EXPECT_EQ(by.policy().counted().at(0).holds, 1u);
}

TEST(PolicyHolds, AreBounded) {
  driven by;
  by.submit(1, 1, idempotent);
  by.submit(2, 2, restored);
  const time_ns since = by.now();
  EXPECT_EQ(by.tell(event_kind::aborted, 1), "");
  EXPECT_EQ(by.policy().next_deadline(), since + policy_options{}.hold_max);
  by.pass(policy_options{}.hold_max);
  EXPECT_EQ(by.tell({.kind = event_kind::time_passed}), "launch 1");
  EXPECT_EQ(by.policy().next_deadline(), never);
  EXPECT_EQ(by.tell(event_kind::snapshot_finished, 2), "raise_abort 1, launch 2");
}

TEST(PolicyHolds, NotForALongSnapshot) {
  driven by;
  by.submit(1, 1, idempotent);
  EXPECT_EQ(by.submit(2, 2, {.abortable = true, .snapshot_bytes = 6'000'000'000}), "prepare_snapshot 2");
  EXPECT_EQ(by.tell(event_kind::finished, 1), "complete 1");
  EXPECT_EQ(by.submit(1, 3, idempotent), "launch 3");
  EXPECT_EQ(by.tell(event_kind::snapshot_finished, 2), "raise_abort 3, launch 2");
}

TEST(PolicyHolds, NotForALessImportantSnapshot) {
  driven by;
  by.submit(2, 1, idempotent);
  EXPECT_EQ(by.submit(1, 2, restored), "prepare_snapshot 2");
  EXPECT_EQ(by.tell(event_kind::finished, 1), "complete 1");
  EXPECT_EQ(by.submit(2, 3, idempotent), "launch 3");
}

TEST(PolicyHolds, WhatIsDrainedGoesOnUntilTheLaunch) {
  driven by;
  by.submit(1, 1, {.idempotent = true, .abortable = true, .times = {.run = 0, .block = 5'000, .abort = 12'000}});
  by.tell(event_kind::started, 1);
  by.pass(1'000'000);
  EXPECT_EQ(by.submit(2, 2, restored), "prepare_snapshot 2");
  EXPECT_EQ(by.tell(event_kind::snapshot_finished, 2), "launch 2");
  EXPECT_EQ(by.policy().counted().at(0).drains, 1u);
}

TEST(PolicyHolds, RollBacksWait) {
  driven by;
  by.submit(1, 1, restored);
  by.tell(event_kind::snapshot_finished, 1);
  EXPECT_EQ(by.submit(2, 2, restored), "raise_abort 1, prepare_snapshot 2");
  EXPECT_EQ(by.tell(event_kind::aborted, 1), "");
  EXPECT_EQ(by.tell(event_kind::snapshot_finished, 2), "launch 2, roll_back 1");
  EXPECT_EQ(by.tell(event_kind::rolled_back, 1), "");
  EXPECT_EQ(by.tell(event_kind::finished, 2), "discard_snapshot 2, launch 1, complete 2");
}

TEST(PolicyHolds, OtherSnapshotsStop) {
  driven by;
  EXPECT_EQ(by.submit(1, 1, restored), "prepare_snapshot 1");
  EXPECT_EQ(by.submit(2, 2, restored), "prepare_snapshot 2, stop_snapshot 1");
  EXPECT_EQ(by.tell({.kind = event_kind::snapshot_stopped, .instance = 1, .stored_bytes = 1024}), "");
  EXPECT_EQ(by.tell(event_kind::snapshot_finished, 2), "launch 2, prepare_snapshot 1");
  EXPECT_EQ(by.last().stored_bytes, 1024u);
}

// What cannot be aborted runs beside the snapshot. It gets no successor, and the GPU is then the snapshot's.
TEST(PolicyHolds, NothingFollowsWhatCannotBeAborted) {
  driven by;
  EXPECT_EQ(by.submit(1, 1, not_abortable), "launch 1");
  EXPECT_EQ(by.submit(2, 2, restored), "prepare_snapshot 2");
  EXPECT_EQ(by.submit(1, 3, not_abortable), "");
  by.pass(10 * policy_options{}.hold_max);
  EXPECT_EQ(by.tell({.kind = event_kind::time_passed}), "");
  EXPECT_EQ(by.tell(event_kind::finished, 1), "complete 1");
  by.pass(policy_options{}.hold_max);
  EXPECT_EQ(by.tell({.kind = event_kind::time_passed}), "launch 3");
}

TEST(PolicyUndivided, ShortLaunchesAreDrained) {
  driven by;
  by.submit(1, 1, idempotent);
  EXPECT_EQ(by.submit(2, 2, short_run), "raise_abort 1, launch 2");
  by.tell(event_kind::started, 2);
  EXPECT_EQ(by.submit(3, 3, idempotent), "launch 3");
  EXPECT_EQ(by.policy().counted().at(0).undivided, 1u);
}

TEST(PolicyUndivided, NotALongOneOrASmallSnapshot) {
  kernel_facts longer = short_run, smaller = short_run, unknown = short_run;
  longer.times.run = policy_options{}.undivided_max + 1;
  smaller.snapshot_bytes = 20'000'000;
  unknown.times.run = 0;
  for (const kernel_facts& facts : {longer, smaller, unknown})
    EXPECT_EQ(driven().submit(2, 1, facts), "prepare_snapshot 1");
  EXPECT_EQ(driven({.undivided_max = 0}).submit(2, 1, short_run), "prepare_snapshot 1");
  EXPECT_EQ(driven({.snapshot_share_max = 0}).submit(2, 1, short_run), "prepare_snapshot 1");
}

// An abort of the first one would leave the second one to run without its input.
TEST(PolicyUndivided, DoNotFollowWhatCanBeAborted) {
  driven by;
  EXPECT_EQ(by.submit(2, 1, idempotent), "launch 1");
  EXPECT_EQ(by.submit(2, 2, short_run), "");
  EXPECT_EQ(by.tell(event_kind::finished, 1), "launch 2, complete 1");
  EXPECT_EQ(by.submit(2, 3, short_run), "launch 3");
}

// Task 2 runs one instance after the other, with a pause of 1 us.
class in_gap : public driven {
 public:
  explicit in_gap(const policy_options& options = {}) : driven(options) {
    submit(2, 1, idempotent);
    tell(event_kind::finished, 1);
    submit(2, 2, idempotent);
  }
};

TEST(PolicyGaps, LongLaunchesWait) {
  in_gap by;
  EXPECT_EQ(by.submit(1, 3, idempotent), "");
  EXPECT_EQ(by.tell(event_kind::finished, 2), "complete 2");
  EXPECT_EQ(by.policy().next_deadline(), by.now() + policy_options{}.gap_max);
  EXPECT_EQ(by.submit(2, 4, idempotent), "launch 4");
  EXPECT_EQ(by.policy().next_deadline(), never);
  EXPECT_EQ(by.tell(event_kind::finished, 4), "complete 4");
  by.pass(policy_options{}.gap_max);
  EXPECT_EQ(by.tell({.kind = event_kind::time_passed}), "launch 3");
}

TEST(PolicyGaps, WhatCannotBeAbortedWaitsAsLongAsItsBlocksRun) {
  for (const auto& [block, wait] :
       {std::pair<time_ns, time_ns>{60'000, 100'000}, {300'000, 300'000}, {70'000'000, 1'000'000}, {0, 1'000'000}}) {
    in_gap by;
    by.submit(1, 3, {.times = {.run = 70'000'000, .block = block}});
    EXPECT_EQ(by.tell(event_kind::finished, 2), "complete 2");
    EXPECT_EQ(by.policy().next_deadline(), by.now() + wait) << block;
  }
}

// The next instance of the more important task runs beside it.
TEST(PolicyGaps, WhatLeavesSpaceDoesNotWait) {
  in_gap by;
  by.submit(1, 3, {.leaves_space = true, .times = {.run = 70'000'000, .block = 70'000'000}});
  EXPECT_EQ(by.tell(event_kind::finished, 2), "launch 3, complete 2");
}

TEST(PolicyGaps, ShortBlocksAndShortRunsDoNotWait) {
  for (const kernel_times& times :
       {kernel_times{.run = 70'000'000, .block = 10'000}, kernel_times{.run = 900, .block = 0}}) {
    in_gap by;
    by.submit(1, 3, {.idempotent = true, .abortable = true, .times = times});
    EXPECT_EQ(by.tell(event_kind::finished, 2), "launch 3, complete 2");
  }
  in_gap by({.gap_max = 0});
  by.submit(1, 3, idempotent);
  EXPECT_EQ(by.tell(event_kind::finished, 2), "launch 3, complete 2");
}

TEST(PolicyGaps, NothingFollowsALaunchInTheGpu) {
  in_gap by;
  by.tell(event_kind::finished, 2);
  by.pass(1'000'000'000);
  EXPECT_EQ(by.submit(1, 3, not_abortable), "launch 3");
  by.tell(event_kind::started, 3);
  EXPECT_EQ(by.submit(3, 4, idempotent), "launch 4");  // the emergency class, with its first pauses
  EXPECT_EQ(by.submit(1, 5, not_abortable), "");
  EXPECT_EQ(by.tell(event_kind::finished, 4), "launch 5, complete 4");
}

TEST(PolicyGaps, LongPausesAreNoGaps) {
  driven by;
  by.submit(2, 1, idempotent);
  by.tell(event_kind::finished, 1);
  by.pass(200'000);
  by.submit(2, 2, idempotent);
  by.submit(1, 3, idempotent);
  EXPECT_EQ(by.tell(event_kind::finished, 2), "launch 3, complete 2");
}

}  // namespace
}  // namespace genesys::schedule
