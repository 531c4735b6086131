// SPDX-License-Identifier: Apache-2.0
// Violations of invariants of the host's private state. The assertion of each finds it, in a child process.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "host/completion_writer.h"
#include "host/submission_queue.h"

namespace genesys::detail {
namespace {

static_assert(GENESYS_ASSERTIONS, "this suite is built where assertions are on");

// Opens a queue's private word (the names in an explicit instantiation are not checked for access).
std::atomic<u64>& cursor_of(submission_queue& of);
template <std::atomic<u64> submission_queue::*cursor>
struct opened {
  friend std::atomic<u64>& cursor_of(submission_queue& of) { return of.*cursor; }
};
template struct opened<&submission_queue::cursor_>;

// One warp: 32 completion slots of blocking calls, then 32 of tickets, and 32 of requests that the host makes.
struct one_side {
  one_side() { queue.lay_out(where(), 0, under_way.get(), &dependents); }

  device_context where() {
    device_context a{};
    a.groups = a.ticket_groups = a.queues = 1;
    a.slots_log2 = 6;
    a.completion_slots = completions.data();
    a.extras = extra.data();
    a.slots = slots.data();
    a.published_heads = &head;
    return a;
  }
  // Publishes a request as a lane does.
  void publish(u64 number, request r) {
    r.pairs = pairs_all;
    for (int i = 0; i < 8; ++i) slots[number % 64].words[i] = tag_of(number, 6) << tag_shift | pack_word(r, i);
  }
  // A posted call that depends on the call of a ticket's slot.
  static request dependent(u32 earlier, u32 phase) {
    request r{};
    r.mode = wait_mode::posted;
    r.number = internal_lost;
    set_earlier(r, earlier, phase);
    return r;
  }

  std::vector<completion_slot> completions = std::vector<completion_slot>(96);
  std::vector<completion_extra> extra = std::vector<completion_extra>(96);
  std::vector<request_slot> slots = std::vector<request_slot>(64);
  published_head_line head{};
  std::unique_ptr<in_flight_counters> under_way = std::make_unique<in_flight_counters>(0);
  ready_calls ready;
  completion_writer to{where(), nullptr, under_way.get(), &dependents};
  dependent_calls dependents{where(), to, ready, 100};
  submission_queue queue;
};

class HostAssertionsDeathTest : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(HostAssertionsDeathTest, ARequestDequeuedTwice) {
  EXPECT_DEATH(
      {
        one_side s;
        request r;
        s.publish(0, request{});
        (void)s.queue.dequeue(0, r);
        cursor_of(s.queue) = 0;
        (void)s.queue.dequeue(0, r);
      },
      "assertion failed at .*: I3: a request is dequeued by one worker");
}

TEST_F(HostAssertionsDeathTest, ADependentRequestDequeuedTwice) {
  EXPECT_DEATH(
      {
        one_side s;
        request r;
        s.publish(0, s.dependent(40, 0));  // the leader is finished
        (void)s.queue.dequeue(0, r);
        cursor_of(s.queue) = 0;
        (void)s.queue.dequeue(0, r);
      },
      "assertion failed at .*: I3: a request is dequeued by one worker");
}

// It is no violation if a worker is late and another one has taken the slot's next request.
TEST(HostAssertions, ALateWorker) {
  one_side s;
  taken_once once;
  once.lay_out(6);
  once.dequeue(64);
  once.dequeue(0);
  once.dequeue(128);
}

TEST_F(HostAssertionsDeathTest, ACallThatEndsTwice) {
  EXPECT_DEATH(
      {
        const auto under_way = std::make_unique<in_flight_counters>(0);
        under_way->begin(3);
        under_way->end(3);
        under_way->end_posted(3, 0);
        (void)under_way->any(3);
      },
      "assertion failed at .*: a call ends once, after it has begun");
}

TEST_F(HostAssertionsDeathTest, ACompletionForNobody) {
  EXPECT_DEATH(
      {
        one_side s;
        request r{};
        r.completion_slot = completion_slots_of(s.where());
        s.to.complete(r, {.value = 0});
      },
      "assertion failed at .*: a call that completes has a completion slot, or is posted");
}

TEST_F(HostAssertionsDeathTest, ADependentKeptTwice) {
  EXPECT_DEATH(
      {
        one_side s;
        const dependent_calls::seen one = s.dependents.look(s.dependent(40, 1));
        (void)s.dependents.keep(one.key);
        (void)s.dependents.keep(one.key);
      },
      "assertion failed at .*: a dependent call is kept once");
}

TEST_F(HostAssertionsDeathTest, ADependentForgottenTwice) {
  EXPECT_DEATH(
      {
        one_side s;
        const dependent_calls::seen one = s.dependents.look(s.dependent(40, 1));
        s.dependents.forget(one.key);
        s.dependents.forget(one.key);
      },
      "assertion failed at .*: a dependent call is kept or forgotten, not both");
}

}  // namespace
}  // namespace genesys::detail
