// SPDX-License-Identifier: Apache-2.0
// The driver on the CPU device, whose ends, time and naps a test decides: what it does if events come together.
#include "schedule/driver/driver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace genesys::schedule {
namespace {

// The CPU device, but the driver's thread does not nap: it takes what was submitted, as with a GPU. `holds`: nothing
// ends. Time stands still at `time`, if that is not 0, and the next look for an end adds `jump`.
// `ended`: launches whose ends are held. `lifts`: no end is held from the next look for the first of these on, so that
// one look finds all.
struct chosen_by_test {
  std::atomic<bool> holds{false}, lifts{false};
  std::atomic<time_ns> time{0}, jump{0};
  std::atomic<std::size_t> ended{0};
};

class held_execution final : public execution {
 public:
  explicit held_execution(chosen_by_test& by) : by_(by), real_(cpu_execution({.device = device_kind::cpu})) {}
  detail::device& on() override { return real_->on(); }
  mark launch(const kernel_launch& what, unsigned level, const detail::aborts::launch_context* abort,
              const detail::times::block_times* times) override {
    return real_->launch(what, level, abort, times);
  }
  mark copy(void* to, const void* from, std::size_t bytes) override { return real_->copy(to, from, bytes); }
  bool passed(mark at) override {
    if (!real_->passed(at)) return false;
    if (by_.holds && by_.lifts && at == *held_.begin()) by_.holds = false;
    if (by_.holds) {
      held_.insert(at);
      by_.ended = held_.size();
      return false;
    }
    by_.time += by_.jump.exchange(0);
    return true;
  }
  void forget(mark at) override {
    held_.erase(at);
    real_->forget(at);
  }
  time_ns now() const override { return by_.time != 0 ? by_.time.load() : real_->now(); }

 private:
  chosen_by_test& by_;
  const std::unique_ptr<execution> real_;
  std::set<mark> held_;
};

template <class function>
void wait_until(function holds) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    ASSERT_LT(std::chrono::steady_clock::now(), limit) << "60 s";
    std::this_thread::yield();
  }
}

// One block of one thread that may be aborted and run again.
instance_request request_of(std::function<void()> body) {
  instance_request made;
  made.what.blocks = made.what.threads = {1};
  made.what.body = std::move(body);
  made.kernel = 1;
  made.idempotent = made.abortable = true;
  return made;
}

// One look finds the ends of two launches, and that an urgent one has waited long enough. The policy learns of the
// first end, and aborts the second launch.
TEST(Driver, AnAbortOfALaunchThatHasEnded) {
  chosen_by_test by;
  by.time = 1'000'000;
  std::atomic<unsigned> ran{0}, raised{0};
  driver one(std::make_unique<held_execution>(by), {});
  one.observe([&](time_ns, const event&, const actions& decided) {
    for (const action& each : decided) raised += each.kind == action_kind::raise_abort;
  });
  const task_id least = one.add_task(10), batch = one.add_task(9), better = one.add_task(8);
  const auto launch = [&](task_id as, bool abortable) {
    instance_request request = request_of([&] { ++ran; });
    request.abortable = abortable;
    return one.submit(as, std::move(request));
  };
  // The kernel runs, and the driver has noted when it began: that takes the driver's lock, as counted() does.
  const auto runs = [&](unsigned launches) {
    wait_until([&] { return ran == launches; });
    (void)one.counted();
  };
  by.holds = true;  // the first launch teaches that the kernel takes 1 ms
  const auto first = launch(batch, true);
  runs(1);
  wait_until([&] { return by.ended == 1; });
  by.time += 1'000'000;
  by.holds = false;
  first->wait();
  by.holds = true;
  const auto beneath = launch(least, false);
  runs(2);
  const auto ends = launch(batch, true);
  runs(3);
  by.time += 980'000;
  // The launch of `batch` is nearly at its end: waiting costs less than an abort.
  const auto waits = launch(better, true);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(ran, 3u);
  EXPECT_EQ(raised, 0u);
  wait_until([&] { return by.ended == 2; });
  by.jump = 200'000;
  by.lifts = true;
  beneath->wait();
  ends->wait();
  waits->wait();
  EXPECT_EQ(raised, 1u) << "the test is of no use";
  EXPECT_EQ(ran, 4u);
  for (const task_id each : {least, batch, better}) one.remove_task(each);
}

// While the driver's thread is busy, submissions return, and the more important ones then come first.
TEST(Driver, SubmissionsDoNotWaitForTheDriver) {
  chosen_by_test by;
  by.holds = true;  // so that the driver's thread has something to look for
  std::atomic<bool> is_in{false}, goes_on{false};
  std::vector<task_id> order;
  driver one(std::make_unique<held_execution>(by), {});
  const std::thread::id here = std::this_thread::get_id();
  one.observe([&](time_ns, const event& what, const actions&) {
    if (what.kind != event_kind::submitted || std::this_thread::get_id() == here) return;
    order.push_back(what.task);
    is_in = true;
    wait_until([&] { return goes_on.load(); });
  });
  const task_id batch = one.add_task(10), urgent = one.add_task(-10);
  std::vector<std::shared_ptr<const completion>> all;
  // This thread does the driver's work itself while that thread sleeps.
  wait_until([&] {
    all.push_back(one.submit(batch, request_of([] {})));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return is_in.load();
  });
  all.push_back(one.submit(batch, request_of([] {})));
  all.push_back(one.submit(urgent, request_of([] {})));
  all.push_back(one.submit(batch, request_of([] {})));
  all.push_back(one.submit(urgent, request_of([] {})));
  EXPECT_EQ(all.back()->is_done(), false);
  by.holds = false;
  goes_on = true;
  for (const auto& each : all) each->wait();
  // (The first loop may have submitted once more before it saw that the thread was in.)
  ASSERT_GE(order.size(), 5u);
  EXPECT_EQ(std::vector<task_id>(order.begin(), order.begin() + 3), (std::vector<task_id>{batch, urgent, urgent}));
  EXPECT_EQ(std::count(order.begin() + 3, order.end(), batch), order.end() - order.begin() - 3);
  for (const task_id each : {batch, urgent}) one.remove_task(each);
}

// The driver's thread naps and wakes while others submit; each launch runs once, those of a task in order.
TEST(Driver, ManyThreadsSubmit) {
  constexpr unsigned threads = 4, launches = 300;
  chosen_by_test by;
  driver one(std::make_unique<held_execution>(by), {});
  std::vector<std::vector<unsigned>> ran(threads);
  std::vector<std::thread> all;
  std::vector<task_id> tasks;
  for (unsigned i = 0; i < threads; ++i) tasks.push_back(one.add_task(static_cast<int>(i)));
  for (unsigned i = 0; i < threads; ++i) {
    all.emplace_back([&, i] {
      std::shared_ptr<const completion> last;
      for (unsigned number = 0; number < launches; ++number) {
        instance_request request = request_of([&ran, i, number] { ran[i].push_back(number); });
        request.abortable = false;
        last = one.submit(tasks[i], std::move(request));
        if (number % 16 == 15) last->wait();
        if (number % 64 == 63) std::this_thread::sleep_for(std::chrono::milliseconds(3));
      }
      last->wait();
      one.remove_task(tasks[i]);
    });
  }
  for (std::thread& each : all) each.join();
  for (const auto& of : ran) {
    ASSERT_EQ(of.size(), launches);
    for (unsigned number = 0; number < launches; ++number) ASSERT_EQ(of[number], number);
  }
}

// What an event costs must not grow with the launches that wait.
TEST(Driver, ManyLaunchesWait) {
  constexpr unsigned few = 200, many = 20'000;
  const auto seconds_for = [](unsigned waiting) {
    chosen_by_test by;
    driver one(std::make_unique<held_execution>(by), {});
    const task_id batch = one.add_task(0), urgent = one.add_task(-10);
    by.holds = true;
    std::shared_ptr<const completion> last;
    for (unsigned i = 0; i < waiting; ++i) last = one.submit(batch, request_of([] {}));
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < 2'000; ++i) one.set_nice(urgent, -10);
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    by.holds = false;
    last->wait();
    one.remove_task(batch);
    one.remove_task(urgent);
    return took;
  };
  (void)seconds_for(few);
  const double most = 20 * seconds_for(few) + 0.05;
  double took = seconds_for(many);
  // Other processes may have had the processor meanwhile.
  for (int again = 0; again < 4 && took >= most; ++again) took = seconds_for(many);
  EXPECT_LT(took, most);
}

}  // namespace
}  // namespace genesys::schedule
