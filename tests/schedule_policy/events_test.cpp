// SPDX-License-Identifier: Apache-2.0
// Single events: races between an abort and the end of a kernel, events that cannot have happened, and the choice of
// the way to preempt.
#include <gtest/gtest.h>

#include <stdexcept>

#include "driven.h"
#include "schedule/policy/preemption.h"

namespace genesys::schedule {
namespace {

TEST(PolicyEvents, AbortLosesTheRace) {
  driven by;
  EXPECT_EQ(by.submit(1, 1), "launch 1");
  EXPECT_EQ(by.tell(event_kind::started, 1), "");
  EXPECT_EQ(by.submit(3, 2), "raise_abort 1, launch 2");
  EXPECT_EQ(by.tell(event_kind::finished, 1), "complete 1");  // and it does not run again
  EXPECT_EQ(by.tell(event_kind::finished, 2), "complete 2");
  EXPECT_EQ(by.policy().counted().at(0).finished_in_spite_of_abort, 1u);
}

TEST(PolicyEvents, AbortedKernelIsRolledBackBesideTheOther) {
  driven by;
  EXPECT_EQ(by.submit(1, 1, false), "prepare_snapshot 1");
  EXPECT_EQ(by.tell(event_kind::snapshot_finished, 1), "launch 1");
  by.tell(event_kind::started, 1);
  EXPECT_EQ(by.submit(2, 2), "raise_abort 1, launch 2");
  EXPECT_EQ(by.tell(event_kind::aborted, 1), "roll_back 1");
  EXPECT_EQ(by.tell(event_kind::finished, 2), "complete 2");
  EXPECT_EQ(by.tell(event_kind::rolled_back, 1), "launch 1");  // its snapshot is still there
  EXPECT_EQ(by.tell(event_kind::finished, 1, 2), "discard_snapshot 1, complete 1");
}

TEST(PolicyEvents, UntouchedMemoryNeedsNoRollBack) {
  driven by;
  by.submit(1, 1, false);
  by.tell(event_kind::snapshot_finished, 1);
  EXPECT_EQ(by.submit(2, 2), "raise_abort 1, launch 2");
  EXPECT_EQ(by.tell({.kind = event_kind::aborted, .instance = 1, .attempt = 1, .wrote = false}), "");
  EXPECT_EQ(by.tell(event_kind::finished, 2), "launch 1, complete 2");  // the launch goes first
}

TEST(PolicyEvents, ATaskThatBecomesAnEmergencyIsNotAborted) {
  driven by;
  EXPECT_EQ(by.submit(1, 1), "launch 1");
  EXPECT_EQ(by.tell(event_kind::started, 1), "");
  by.tell({.kind = event_kind::task_added, .task = 1, .nice = nice_emergency});
  EXPECT_EQ(by.submit(3, 2), "");
  EXPECT_EQ(by.tell(event_kind::finished, 1), "launch 2, complete 1");
}

TEST(PolicyEvents, NotAbortableIsDrained) {
  driven by;
  EXPECT_EQ(by.submit(1, 1, true, false), "launch 1");
  by.tell(event_kind::started, 1);
  EXPECT_EQ(by.submit(3, 2), "launch 2");  // at a higher level, beside it
  EXPECT_EQ(by.tell(event_kind::finished, 2), "complete 2");
  EXPECT_EQ(by.tell(event_kind::finished, 1), "complete 1");
}

// What was to leave space for more important kernels, until one came that needs more.
TEST(PolicyEvents, RevisedBeforeTheLaunchItIsAborted) {
  driven by;
  by.submit(2, 1, true, false);
  EXPECT_EQ(by.submit(1, 2, {.abortable = false, .leaves_space = true}), "");
  EXPECT_EQ(by.tell({.kind = event_kind::revised, .instance = 2, .facts = {.idempotent = true, .abortable = true}}),
            "");
  EXPECT_EQ(by.tell(event_kind::finished, 1), "launch 2, complete 1");
  by.tell(event_kind::started, 2);
  EXPECT_EQ(by.submit(3, 3), "raise_abort 2, launch 3");
}

TEST(PolicyEvents, RevisedItTakesItsSnapshot) {
  driven by;
  by.submit(2, 1, true, false);
  EXPECT_EQ(by.submit(1, 2, {.abortable = false, .leaves_space = true}), "");
  EXPECT_EQ(by.tell({.kind = event_kind::revised, .instance = 2, .facts = {.abortable = true, .snapshot_bytes = 4096}}),
            "prepare_snapshot 2");
}

TEST(PolicyEvents, RevisedAfterTheLaunchItIsDrained) {
  driven by;
  EXPECT_EQ(by.submit(1, 1, {.abortable = false, .leaves_space = true}), "launch 1");
  by.tell(event_kind::started, 1);
  EXPECT_EQ(by.tell({.kind = event_kind::revised, .instance = 1, .facts = {.idempotent = true, .abortable = true}}),
            "");
  EXPECT_EQ(by.submit(3, 2), "launch 2");
  EXPECT_THROW((void)by.tell({.kind = event_kind::revised, .instance = 7}), std::logic_error);
}

TEST(PolicyEvents, LaterLaunchesAreAbortedToo) {
  driven by;
  by.submit(1, 1);
  EXPECT_EQ(by.submit(1, 2), "launch 2");
  EXPECT_EQ(by.submit(1, 3), "");  // two launches at most
  EXPECT_EQ(by.submit(2, 4), "raise_abort 2, raise_abort 1, launch 4");
  by.tell(event_kind::aborted, 1);
  EXPECT_EQ(by.tell(event_kind::finished, 4), "complete 4");  // 1 waits for the drain of 2
  EXPECT_EQ(by.tell(event_kind::aborted, 2), "launch 1, launch 2");
}

// An abort of the first launch would leave the second one to run without its input.
TEST(PolicyEvents, NothingThatCannotBeAbortedFollowsWhatCan) {
  driven by;
  EXPECT_EQ(by.submit(1, 1, true, true), "launch 1");
  EXPECT_EQ(by.submit(1, 2, true, false), "");
  EXPECT_EQ(by.tell(event_kind::finished, 1), "launch 2, complete 1");
  EXPECT_EQ(by.submit(1, 3, true, true), "launch 3");
  EXPECT_EQ(by.submit(2, 4), "raise_abort 3, launch 4");
}

// Short blocks, and an abort would waste a lot.
void run_what_is_better_drained(driven& by) {
  by.tell({.kind = event_kind::submitted,
           .task = 1,
           .instance = 1,
           .facts = {.idempotent = true, .abortable = true, .times = {.run = 0, .block = 5'000, .abort = 12'000}}});
  by.tell(event_kind::started, 1);
  by.pass(1'000'000);
  EXPECT_EQ(by.submit(2, 2), "launch 2");
  EXPECT_NE(by.policy().next_deadline(), never);
}

TEST(PolicyEvents, DrainThatTakesTooLongIsAborted) {
  driven by;
  run_what_is_better_drained(by);
  by.pass(10'000);
  EXPECT_EQ(by.tell({.kind = event_kind::time_passed}), "raise_abort 1");
  EXPECT_EQ(by.policy().next_deadline(), never);
}

TEST(PolicyEvents, DrainEndsWhereTheOtherStarts) {
  driven by;
  run_what_is_better_drained(by);
  EXPECT_EQ(by.tell(event_kind::started, 2), "");
  EXPECT_EQ(by.policy().next_deadline(), never);
  EXPECT_EQ(by.submit(1, 3), "");  // its task has not the GPU now
  EXPECT_EQ(by.tell(event_kind::finished, 2), "launch 3, complete 2");
}

TEST(PolicyEvents, DisplacedLaunchesAreLeftAlone) {
  driven by;
  run_what_is_better_drained(by);
  by.tell(event_kind::started, 2);
  EXPECT_EQ(by.submit(3, 3), "raise_abort 2, launch 3");
}

// A displaced launch goes on where the other one ends, and is then protected by its age.
TEST(PolicyEvents, DisplacedLaunchesAge) {
  driven by;
  by.submit(1, 1, true, false);
  by.tell(event_kind::started, 1);
  EXPECT_EQ(by.submit(2, 2), "launch 2");
  EXPECT_EQ(by.tell(event_kind::finished, 2), "complete 2");
  EXPECT_EQ(by.submit(2, 3), "launch 3");
  by.pass(1'000'000'000);
  EXPECT_EQ(by.tell(event_kind::finished, 3), "complete 3");
  EXPECT_EQ(by.submit(2, 4), "");
  EXPECT_EQ(by.submit(3, 5), "launch 5");  // the emergency class goes first all the same
  EXPECT_EQ(by.tell(event_kind::finished, 5), "complete 5");
  EXPECT_EQ(by.tell(event_kind::finished, 1), "launch 4, complete 1");
}

class one_transaction : public driven {
 public:
  one_transaction() : driven({.transactions_max = 1}) {
    tell({.kind = event_kind::task_added, .task = 4, .nice = 10});
    tell({.kind = event_kind::task_added, .task = 5, .nice = -10});
  }
};

TEST(PolicyEvents, StoppedSnapshotsAreResumed) {
  one_transaction by;
  EXPECT_EQ(by.submit(1, 1, false), "prepare_snapshot 1");
  EXPECT_EQ(by.submit(4, 2, false), "");  // not more important
  EXPECT_EQ(by.submit(2, 3, false), "stop_snapshot 1, prepare_snapshot 3");
  EXPECT_EQ(by.submit(5, 4, false), "");  // as many stop as may be in preparation
  EXPECT_EQ(by.tell({.kind = event_kind::snapshot_stopped, .instance = 1, .stored_bytes = 1024}),
            "stop_snapshot 3, prepare_snapshot 4");
  EXPECT_EQ(by.tell(event_kind::snapshot_finished, 3), "");  // whole before it stopped; 4 would abort it
  EXPECT_EQ(by.tell(event_kind::snapshot_finished, 4), "launch 4, prepare_snapshot 1");
  EXPECT_EQ(by.last().stored_bytes, 1024u);
}

TEST(PolicyEvents, ImpossibleEventsAreRefused) {
  driven by;
  by.submit(1, 1);
  EXPECT_THROW(by.submit(1, 1), std::logic_error);
  EXPECT_THROW(by.submit(9, 2), std::logic_error);
  EXPECT_THROW(by.tell(event_kind::finished, 2), std::logic_error);
  EXPECT_THROW(by.tell(event_kind::finished, 1, 2), std::logic_error);
  EXPECT_THROW(by.tell(event_kind::aborted, 1), std::logic_error);  // no abort was raised
  EXPECT_THROW(by.tell(event_kind::rolled_back, 1), std::logic_error);
  EXPECT_THROW(by.tell(event_kind::snapshot_finished, 1), std::logic_error);
  EXPECT_THROW(by.tell({.kind = event_kind::task_removed, .task = 1}), std::logic_error);
  EXPECT_THROW(by.tell({.kind = event_kind::task_added, .task = 4, .nice = 20}), std::logic_error);
  EXPECT_EQ(by.tell(event_kind::finished, 1), "complete 1");
  EXPECT_THROW(by.tell(event_kind::finished, 1), std::logic_error);
  EXPECT_EQ(by.tell({.kind = event_kind::task_removed, .task = 1}), "");
}

instance running_since(time_ns when, const kernel_times& times) {
  instance one;
  one.state = instance_state::running;
  one.started_at = when;
  one.can_abort = true;
  one.facts = {.idempotent = true, .abortable = true, .times = times};
  return one;
}

TEST(PolicyPreemption, ByCost) {
  const policy_options options;
  const auto way = [&](const instance& running, int nice, bool may_wait = true) {
    return choose_preemption(running, 10, nice, 1'000'000, may_wait, options).how;
  };
  // Long blocks, and most of the run is still to come.
  EXPECT_EQ(way(running_since(990'000, {50'000'000, 40'000'000, 12'000}), 0), preemption::abort);
  // Nearly at its end.
  EXPECT_EQ(way(running_since(1'000, {1'010'000, 500'000, 12'000}), 9), preemption::wait);
  EXPECT_EQ(way(running_since(1'000, {1'010'000, 500'000, 12'000}), 9, false), preemption::abort);
  // Short blocks.
  EXPECT_EQ(way(running_since(1'000, {50'000'000, 3'000, 12'000}), 0), preemption::drain);
  // The emergency class takes the shortest latency, whatever it wastes.
  EXPECT_EQ(way(running_since(1'000, {1'010'000, 20'000, 12'000}), nice_emergency), preemption::abort);
  EXPECT_EQ(way(running_since(1'000, {0, 0, 0}), 0), preemption::abort);
  instance held = running_since(1'000, {});
  held.can_abort = false;
  EXPECT_EQ(way(held, nice_emergency), preemption::drain);
}

}  // namespace
}  // namespace genesys::schedule
