// SPDX-License-Identifier: Apache-2.0
// Violations of invariants that the host's private state has, each found by its assertion, in a child process.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "host/completion_writer.h"
#include "host/submission_queue.h"

namespace genesys::detail {
namespace {

static_assert(GENESYS_ASSERTIONS, "this suite is built where assertions are on");

// Opens a shard's private word (the names in an explicit instantiation are not checked for access).
std::atomic<u64>& turn_of(submission_queue& of);
template <std::atomic<u64> submission_queue::*turn>
struct opened {
  friend std::atomic<u64>& turn_of(submission_queue& of) { return of.*turn; }
};
template struct opened<&submission_queue::turn_>;

// One warp: 32 cells of blocking calls, and behind them 32 of tickets.
struct one_side {
  one_side() { from.lay_out(where(), 0, under_way.get(), &dependents); }

  device_context where() {
    device_context a{};
    a.groups = a.ticket_groups = a.queues = 1;
    a.slots_log2 = 6;
    a.completion_slots = cells.data();
    a.extras = extra.data();
    a.slots = ring.data();
    a.published_heads = &mirror;
    return a;
  }
  // As the GPU does.
  void publish(u64 number, request r) {
    r.pairs = pairs_all;
    for (int i = 0; i < 8; ++i) ring[number % 64].words[i] = tag_of(number, 6) << tag_shift | pack_word(r, i);
  }
  // A posted call that follows the one of a ticket's cell.
  static request follower(u32 earlier, u32 phase) {
    request r{};
    r.mode = wait_mode::posted;
    r.number = internal_lost;
    r.scope = depends_on_earlier;
    r.block = earlier;
    r.warp = phase;
    return r;
  }

  std::vector<u64> cells = std::vector<u64>(64);
  std::vector<completion_extra> extra = std::vector<completion_extra>(64);
  std::vector<request_slot> ring = std::vector<request_slot>(64);
  published_head_line mirror{};
  std::unique_ptr<in_flight_counters> under_way = std::make_unique<in_flight_counters>();
  ready_calls ready;
  answers to{where(), nullptr, under_way.get(), &dependents};
  dependent_calls dependents{where(), to, ready, 100};
  submission_queue from;
};

class HostAssertionsDeathTest : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(HostAssertionsDeathTest, ARequestTakenTwice) {
  EXPECT_DEATH(
      {
        one_side s;
        request taken;
        s.publish(0, request{});
        (void)s.from.take(0, taken);
        turn_of(s.from) = 0;
        (void)s.from.take(0, taken);
      },
      "assertion failed at .*: I3: a request is taken by one worker");
}

TEST_F(HostAssertionsDeathTest, ARequestThatFollowsTakenTwice) {
  EXPECT_DEATH(
      {
        one_side s;
        request taken;
        s.publish(0, s.follower(40, 0));  // the earlier call is finished
        (void)s.from.take(0, taken);
        turn_of(s.from) = 0;
        (void)s.from.take(0, taken);
      },
      "assertion failed at .*: I3: a request is taken by one worker");
}

// A worker that comes late, when the slot's next request was taken, is no violation.
TEST(HostAssertions, ALateWorker) {
  one_side s;
  taken_once once;
  once.lay_out(6);
  once.take(64);
  once.take(0);
  once.take(128);
}

TEST_F(HostAssertionsDeathTest, ACallThatEndsTwice) {
  EXPECT_DEATH(
      {
        const auto under_way = std::make_unique<in_flight_counters>();
        under_way->begin(3);
        under_way->end(3);
        under_way->end_posted(3, 0);
        (void)under_way->any(3);
      },
      "assertion failed at .*: a call ends once, after it has begun");
}

TEST_F(HostAssertionsDeathTest, AnAnswerToNobody) {
  EXPECT_DEATH(
      {
        one_side s;
        request r{};
        r.completion_slot = 64;
        s.to.write(r, 0);
      },
      "assertion failed at .*: a call that is answered has a cell, or is posted");
}

TEST_F(HostAssertionsDeathTest, AFollowerKeptTwice) {
  EXPECT_DEATH(
      {
        one_side s;
        const dependent_calls::seen one = s.dependents.look(s.follower(40, 1));
        (void)s.dependents.keep(one.key);
        (void)s.dependents.keep(one.key);
      },
      "assertion failed at .*: a call that follows another is kept once");
}

TEST_F(HostAssertionsDeathTest, AFollowerForgottenTwice) {
  EXPECT_DEATH(
      {
        one_side s;
        const dependent_calls::seen one = s.dependents.look(s.follower(40, 1));
        s.dependents.forget(one.key);
        s.dependents.forget(one.key);
      },
      "assertion failed at .*: a call that follows another is kept or forgotten, not both");
}

}  // namespace
}  // namespace genesys::detail
