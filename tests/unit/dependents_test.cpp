// SPDX-License-Identifier: Apache-2.0
// Dependents, on the serving side alone: the host holds, makes, refuses and cancels them.
#include "host/dependent_calls.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "host/completion_writer.h"
#include "host/submission_queue.h"

namespace genesys::detail {
namespace {

using verdict = dependent_calls::verdict;

// One warp: 32 completion slots of blocking calls, then 32 of tickets.
struct serving_side {
  explicit serving_side(u32 held_max = 100) : table(where(), to, ready, held_max) {}

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
  static request ticket(u32 slot, u32 phase) {
    request r{};
    r.mode = wait_mode::ticket;
    r.completion_slot = slot;
    r.phase = phase;
    return r;
  }
  static request dependent(u32 earlier, u32 phase, u64 name = 0) {
    request r{};
    r.mode = wait_mode::posted;
    r.number = internal_lost;
    set_earlier(r, earlier, phase);
    r.args[0] = name;
    return r;
  }
  bool pop(request& into) {
    const auto one = ready.pop();
    if (one) into = one.mapped().call;
    return bool{one};
  }
  // Publishes a request as a lane does.
  void publish(u64 number, const request& r) {
    request mine = r;
    if (!is_dependent(mine)) mine.pairs = pairs_all;
    for (int i = 0; i < 8; ++i)
      std::atomic_ref<u64>(slots[number % 64].words[i])
          .store(tag_of(number, 6) << tag_shift | pack_word(mine, i), std::memory_order_release);
  }

  std::vector<completion_slot> completions = std::vector<completion_slot>(64);
  std::vector<completion_extra> extra = std::vector<completion_extra>(64);
  std::vector<request_slot> slots = std::vector<request_slot>(64);
  published_head_line head{};
  std::unique_ptr<in_flight_counters> in_flight = std::make_unique<in_flight_counters>(0);
  ready_calls ready;
  completion_writer to{where(), nullptr, in_flight.get(), &table};
  dependent_calls table;
};

TEST(Dependents, WaitForTheCompletion) {
  serving_side s;
  request got;
  const dependent_calls::seen one = s.table.look(s.dependent(40, 1, 7));
  ASSERT_EQ(one.what, verdict::hold);
  EXPECT_TRUE(s.table.keep(one.key));
  EXPECT_EQ(s.table.held().size(), 1u);
  s.to.complete(s.ticket(41, 1), {.value = 0});  // another call's completion
  EXPECT_FALSE(s.pop(got));
  s.to.complete(s.ticket(40, 1), {.value = 0});
  ASSERT_TRUE(s.pop(got));
  EXPECT_EQ(got.args[0], 7u);
  EXPECT_TRUE(s.table.held().empty());
  EXPECT_EQ(s.table.look(s.dependent(40, 1)).what, verdict::make);
  EXPECT_EQ(s.table.look(s.dependent(40, 0)).what, verdict::hold);  // it depends on a call of the slot's next owner
}

TEST(Dependents, AreDueBeforeTheyAreTaken) {
  serving_side s;
  request got;
  const dependent_calls::seen one = s.table.look(s.dependent(40, 1)), two = s.table.look(s.dependent(40, 1));
  s.to.complete(s.ticket(40, 1), {.value = 0});
  EXPECT_FALSE(s.pop(got));
  EXPECT_FALSE(s.table.keep(one.key));
  s.table.forget(two.key);
  EXPECT_FALSE(s.table.any(40));
}

TEST(Dependents, OfACompletionWithoutATicket) {
  serving_side s;
  for (const u32 slot : {0u, 31u, 64u, 0xfffffu}) EXPECT_EQ(s.table.look(s.dependent(slot, 1)).what, verdict::make);
  request wild = s.dependent(40, 1);
  wild.mode = wait_mode::ticket;
  wild.completion_slot = 1000;
  EXPECT_EQ(s.table.look(wild).what, verdict::make);  // the host drops its completion afterwards
}

TEST(Dependents, BeyondTheLimit) {
  serving_side s(1);
  ASSERT_TRUE(s.table.keep(s.table.look(s.dependent(40, 1)).key));
  const request more = s.dependent(41, 1);
  EXPECT_EQ(s.table.look(more).what, verdict::refuse);
  s.table.refuse(more);
  EXPECT_EQ(s.in_flight->posted_failed(), 1u);
}

TEST(Dependents, Canceled) {
  serving_side s;
  request last = s.ticket(41, 1);
  set_earlier(last, 40, 1);
  ASSERT_TRUE(s.table.keep(s.table.look(last).key));
  ASSERT_TRUE(s.table.keep(s.table.look(s.dependent(41, 1)).key));
  const dependent_calls::seen untaken = s.table.look(s.dependent(40, 1));
  s.table.cancel();
  EXPECT_FALSE(s.table.keep(untaken.key));
  EXPECT_EQ(completion_value(s.completions[41].word), -ECANCELED);
  EXPECT_EQ(s.in_flight->posted_canceled(), 1u);
  EXPECT_EQ(s.table.look(s.dependent(42, 1)).what, verdict::make);
}

// One completion slot has one owner after another, each with a dependent call, while several workers serve. Each call
// is made once, after the call on which it depends.
TEST(Dependents, AreMadeOnceAndInOrder) {
  serving_side s;
  constexpr u64 rounds = 3000;
  submission_queue own_queue;
  own_queue.lay_out(s.where(), 0, s.in_flight.get(), &s.table);
  std::atomic<u64> finished{0}, made{0}, wrong{0};
  std::vector<std::atomic<u32>> times(rounds + 1);
  const auto make = [&](const request& r) {
    if (r.mode == wait_mode::ticket) {
      finished = r.args[0];
      s.to.complete(r, {.value = 0});
      return;
    }
    wrong += finished.load() < r.args[0];
    wrong += times[r.args[0]].fetch_add(1) != 0;
    s.in_flight->end(0);
    ++made;
  };
  const auto serve = [&] {
    request r;
    while (made != rounds) {
      if (s.ready.any() && s.pop(r)) make(r);
      // All workers use the same epoch, as if it had wrapped after 4,096 migrations.
      const auto outcome = own_queue.dequeue(0, r);
      if (outcome == submission_queue::dequeue_result::taken) make(r);
      if (outcome == submission_queue::dequeue_result::empty) std::this_thread::yield();
    }
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i) workers.emplace_back(serve);
  u64 number = 0;
  for (u64 i = 1; i <= rounds; ++i) {
    while (own_queue.taken_so_far() + 60 < number) std::this_thread::yield();
    request first = s.ticket(40, i & 1), second = s.dependent(40, i & 1, i);
    first.args[0] = i;
    s.publish(number++, first);
    s.publish(number++, second);
    while (phase_of(std::atomic_ref<u64>(s.completions[40].word).load()) != (i & 1)) std::this_thread::yield();
  }
  for (std::thread& one : workers) one.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_FALSE(s.in_flight->any(0));
  EXPECT_TRUE(s.table.held().empty());
}

}  // namespace
}  // namespace genesys::detail
