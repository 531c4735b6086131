// SPDX-License-Identifier: Apache-2.0
// Which launches leave space for those of more important tasks, and what the driver makes of it. On the CPU device,
// which here says what a multiprocessor has; compiled for it alone.
#include "schedule/driver/residency.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "schedule/driver/driver.h"
#include "schedule/driver/important_shapes.h"

#if GENESYS_WITH_CPU

namespace {
using namespace genesys::schedule;

// As an H100 has it.
constexpr multiprocessor_limits h100{132, 2'048, 65'536, 32, 233'472};
constexpr std::size_t reserved = 1'024;

constexpr block_needs needs(unsigned threads, unsigned registers, unsigned at_a_time, std::size_t shared = 0) {
  return {threads, threads * registers, shared + reserved, at_a_time};
}

TEST(Residency, BlocksAreSpreadEvenly) {
  const block_needs of = needs(256, 32, 8);
  EXPECT_EQ(shape_of(of, 1, h100).resident, 1U);
  EXPECT_EQ(shape_of(of, 132, h100).resident, 1U);
  EXPECT_EQ(shape_of(of, 133, h100).resident, 2U);
  EXPECT_EQ(shape_of(of, 1'000'000, h100).resident, 8U);
  EXPECT_EQ(shape_of(of, 132, {}).resident, 0U) << "nothing is known of the device";
}

TEST(Residency, EachResourceCounts) {
  const launch_shape urgent = shape_of(needs(1'024, 16, 2), 132, h100);
  const auto fits = [&](const block_needs& of, std::uint64_t blocks) {
    return fits_beside(shape_of(of, blocks, h100), urgent, h100);
  };
  EXPECT_TRUE(fits(needs(256, 32, 8), 4 * 132));
  EXPECT_FALSE(fits(needs(256, 32, 8), 5 * 132)) << "threads";
  EXPECT_TRUE(fits(needs(256, 48, 5), 4 * 132));
  EXPECT_FALSE(fits(needs(256, 56, 4), 4 * 132)) << "registers";
  EXPECT_TRUE(fits(needs(32, 32, 32), 31 * 132));
  EXPECT_FALSE(fits(needs(32, 32, 32), 32 * 132)) << "blocks";
  EXPECT_FALSE(fits(needs(256, 32, 0), 132)) << "not known";
}

// While a block of the first launch is resident, shared memory stays divided for as many of them as have a place.
TEST(Residency, SharedMemoryIsDividedForTheFirst) {
  const launch_shape urgent = shape_of(needs(1'024, 16, 2), 132, h100);
  EXPECT_FALSE(fits_beside(shape_of(needs(256, 32, 1, 100'000), 132, h100), urgent, h100));
  EXPECT_TRUE(fits_beside(shape_of(needs(256, 32, 2, 100'000), 132, h100), urgent, h100));
  const launch_shape greedy = shape_of(needs(1'024, 16, 1, 150'000), 132, h100);
  EXPECT_FALSE(fits_beside(shape_of(needs(256, 32, 2, 100'000), 132, h100), greedy, h100));
}

TEST(ImportantShapes, OnlyThoseOfMoreImportantTasksCount) {
  important_shapes known;
  const launch_shape some = shape_of(needs(256, 32, 8), 4 * 132, h100);
  EXPECT_FALSE(known.all_fit_beside(some, 10, h100)) << "nothing is known";
  EXPECT_TRUE(known.add(-10, shape_of(needs(1'024, 16, 2), 132, h100)));
  EXPECT_FALSE(known.add(-10, shape_of(needs(1'024, 16, 2), 132, h100))) << "it was known";
  EXPECT_TRUE(known.all_fit_beside(some, 10, h100));
  EXPECT_FALSE(known.all_fit_beside(some, -10, h100)) << "of the same importance";
  EXPECT_TRUE(known.add(10, shape_of(needs(1'024, 32, 2), 264, h100)));
  EXPECT_TRUE(known.all_fit_beside(some, 10, h100));
  EXPECT_TRUE(known.add(-5, shape_of(needs(1'024, 32, 2), 264, h100)));
  EXPECT_FALSE(known.all_fit_beside(some, 10, h100));
  EXPECT_TRUE(known.all_fit_beside(some, -5, h100));
}

// However many there are, each fits at most where its own shape would.
TEST(ImportantShapes, ManyAreMerged) {
  important_shapes known;
  for (unsigned threads = 1; threads <= 16 * important_shapes::shapes_max; ++threads) {
    known.add(-10, {needs(threads, 16, 2'048 / threads), 1});
  }
  EXPECT_TRUE(known.all_fit_beside(shape_of(needs(256, 32, 8), 4 * 132, h100), 10, h100));
  known.add(-10, {needs(1'025, 16, 1), 1});
  EXPECT_FALSE(known.all_fit_beside(shape_of(needs(256, 32, 8), 4 * 132, h100), 10, h100));
  EXPECT_TRUE(known.all_fit_beside(shape_of(needs(256, 32, 8), 3 * 132, h100), 10, h100));
}

// The CPU device, as if it had one multiprocessor of an H100. It counts launches that begin after a mark.
class one_multiprocessor final : public execution {
 public:
  explicit one_multiprocessor(unsigned& begun_after) : begun_after_(begun_after) {}
  genesys::detail::device& on() override { return on_->on(); }
  mark launch(const kernel_launch& what, unsigned level, const genesys::detail::aborts::launch_context* abort,
              const genesys::detail::times::block_times* times) override {
    return on_->launch(what, level, abort, times);
  }
  mark copy(void* to, const void* from, std::size_t bytes) override { return on_->copy(to, from, bytes); }
  void begin_after(unsigned, mark) override { ++begun_after_; }
  bool passed(mark at) override { return on_->passed(at); }
  void forget(mark at) override { on_->forget(at); }
  block_needs needs_of(const kernel_launch& what, code) override {
    return needs(what.threads.x, 32, 2'048 / what.threads.x);
  }
  multiprocessor_limits limits() const override {
    return {1, h100.threads, h100.registers, h100.blocks, h100.shared_bytes};
  }
  time_ns now() const override { return on_->now(); }
  time_ns nap() const override { return on_->nap(); }

 private:
  const std::unique_ptr<execution> on_ = cpu_execution({});
  unsigned& begun_after_;
};

instance_request kernel(kernel_id id, unsigned blocks, unsigned threads, std::function<void()> body) {
  instance_request made;
  made.kernel = id;
  made.what.blocks = {blocks};
  made.what.threads = {threads};
  made.what.body = std::move(body);
  made.idempotent = made.abortable = true;
  return made;
}

driver_options options(bool shares, time_ns short_block) {
  driver_options made;
  made.short_block = short_block;
  made.shares_multiprocessors = shares;
  return made;
}

// A driver, and what it told the policy of the last kernel but 2 to 4. `short_block`: 0, because these are short.
class told {
 public:
  explicit told(bool shares = true, time_ns short_block = 0)
      : on(std::make_unique<one_multiprocessor>(begun_after), options(shares, short_block)) {
    on.observe([this](time_ns, const event& what, const actions&) {
      const kernel_id of = what.facts.kernel;
      if (what.kind == event_kind::submitted && (of < 2 || of > 4)) last = what.facts;
      if (what.kind == event_kind::revised) last = what.facts, ++revised;
    });
  }
  void run(task_id as, kernel_id id, unsigned blocks, unsigned threads) {
    on.submit(as, kernel(id, blocks, threads, [] {}))->wait();
  }
  unsigned begun_after = 0;
  driver on;
  kernel_facts last;
  unsigned revised = 0;
};

TEST(SpaceForOthers, IsLeftIfAllOfThemHaveLaunched) {
  told by;
  const task_id batch = by.on.add_task(10);
  by.run(batch, 1, 4, 256);
  EXPECT_TRUE(by.last.abortable) << "nobody is more important";
  const task_id urgent = by.on.add_task(-10);
  by.run(batch, 1, 4, 256);
  EXPECT_TRUE(by.last.abortable) << "the urgent task has not launched";
  by.run(urgent, 2, 1, 1'024);
  by.run(batch, 1, 4, 256);
  EXPECT_FALSE(by.last.abortable);
  EXPECT_TRUE(by.last.leaves_space);
  by.run(batch, 1, 5, 256);
  EXPECT_TRUE(by.last.abortable) << "too large";
  EXPECT_FALSE(by.last.leaves_space);
  const task_id other = by.on.add_task(0);
  by.run(batch, 1, 4, 256);
  EXPECT_TRUE(by.last.abortable) << "another task is more important, and has not launched";
  by.run(other, 3, 2, 1'024);
  by.run(batch, 1, 4, 256);
  EXPECT_TRUE(by.last.abortable) << "it has launched what needs more";
  by.on.remove_task(other);
  by.run(batch, 1, 4, 256);
  EXPECT_TRUE(by.last.abortable) << "such a task may come again";
}

TEST(SpaceForOthers, ANewNiceValueIsANewTask) {
  told by;
  const task_id batch = by.on.add_task(10), urgent = by.on.add_task(-10);
  by.run(urgent, 2, 1, 1'024);
  by.on.set_nice(urgent, -9);
  by.run(batch, 1, 4, 256);
  EXPECT_TRUE(by.last.abortable);
  by.run(urgent, 2, 1, 1'024);
  by.run(batch, 1, 4, 256);
  EXPECT_FALSE(by.last.abortable);
}

TEST(SpaceForOthers, TheOptionSwitchesItOff) {
  told by(false);
  const task_id batch = by.on.add_task(10), urgent = by.on.add_task(-10);
  by.run(urgent, 2, 1, 1'024);
  by.run(batch, 1, 4, 256);
  EXPECT_TRUE(by.last.abortable);
}

// Of a full multiprocessor, half of the blocks must leave. They do so one by one if they come in many waves.
TEST(SpaceForOthers, BlocksLeaveSoon) {
  constexpr time_ns short_block = 20'000;
  told by(true, short_block);
  const task_id batch = by.on.add_task(10), urgent = by.on.add_task(-10);
  by.run(urgent, 2, 1, 1'024);
  kernel_id next = 10;
  const auto leaves_space = [&](unsigned blocks, unsigned threads, time_ns run) {
    const instance_request request = kernel(++next, blocks, threads, [] {});
    by.on.recall(learnt_times::of(next, request.what), {.run = run});
    by.on.submit(batch, request)->wait();
    EXPECT_NE(by.last.leaves_space, by.last.abortable);
    return by.last.leaves_space;
  };
  EXPECT_TRUE(leaves_space(64, 256, 8 * 2 * short_block)) << "8 waves; 4 blocks of 8";
  EXPECT_FALSE(leaves_space(64, 256, 8 * 3 * short_block)) << "their blocks run longer";
  EXPECT_FALSE(leaves_space(64, 256, 0)) << "it is not known how long they run";
  EXPECT_FALSE(leaves_space(24, 256, 3 * 2 * short_block)) << "few waves: all blocks leave at a time";
  EXPECT_TRUE(leaves_space(16, 1'024, 8 * 2 * short_block)) << "1 block of 2";
  by.run(urgent, 2, 2, 1'024);
  EXPECT_FALSE(leaves_space(64, 256, 8 * short_block)) << "all blocks must leave, and one may run long";
}

// A launch waits behind another one of its task. Meanwhile a task comes, or launches what has no space beside it: it
// gets polls after all.
TEST(SpaceForOthers, WhatWaitsIsRevised) {
  told by;
  const task_id batch = by.on.add_task(10), urgent = by.on.add_task(-10);
  by.run(urgent, 2, 1, 1'024);
  for (const bool by_launch : {false, true}) {
    std::atomic<bool> goes_on{false};
    const auto wait = [&] {
      while (!goes_on) genesys::pause();
    };
    instance_request first = kernel(4, 1, 256, wait);
    first.abortable = false;
    const auto ends = by.on.submit(batch, std::move(first));
    const auto second_ends = by.on.submit(batch, kernel(4, 1, 256, wait));
    const unsigned before = by.revised;
    const auto waits = by.on.submit(batch, kernel(1, 4, 256, [] {}));
    (void)by.on.counted();
    EXPECT_FALSE(by.last.abortable);
    const task_id comes = by.on.add_task(-5);
    if (by_launch) by.run(comes, 3, 2, 1'024);
    (void)by.on.counted();
    EXPECT_EQ(by.revised, before + 1);
    EXPECT_TRUE(by.last.abortable);
    EXPECT_FALSE(by.last.leaves_space);
    goes_on = true;
    for (const auto& each : {ends, second_ends, waits}) each->wait();
    by.on.remove_task(comes);
  }
}

// A long launch whose blocks would be spread over all multiprocessors does not begin on those that are free first.
TEST(AfterADrain, LongLaunchesOfFewBlocksBegin) {
  told by(false);
  const task_id batch = by.on.add_task(10), urgent = by.on.add_task(-10);
  kernel_id next = 10;
  const auto begun_after_abort = [&](unsigned blocks, time_ns run) {
    std::atomic<bool> runs{false}, goes_on{false};
    const auto aborted = by.on.submit(batch, kernel(++next, 1, 32, [&] {
                                        runs = true;
                                        while (!goes_on) genesys::pause();
                                      }));
    while (!runs) std::this_thread::yield();
    const instance_request request = kernel(++next, blocks, 1'024, [] {});
    by.on.recall(learnt_times::of(next, request.what), {.run = run});
    const unsigned before = by.begun_after;
    by.on.submit(urgent, request)->wait();
    EXPECT_EQ(by.on.counted().at(next - 1).aborts, 1U);
    goes_on = true;
    aborted->wait();
    return by.begun_after - before;
  };
  EXPECT_EQ(begun_after_abort(1, 1'000'000), 1U);
  EXPECT_EQ(begun_after_abort(1, 100'000), 0U) << "it is short";
  EXPECT_EQ(begun_after_abort(2, 1'000'000), 0U) << "its blocks fill the multiprocessor";
}

}  // namespace

#endif
