// SPDX-License-Identifier: Apache-2.0
// What the driver learns of block times: in which launches they are measured, and what follows from them. On the CPU
// device, compiled for it alone.
#include "schedule/driver/driver.h"
#include "testing.h"

#if GENESYS_WITH_CPU

namespace {
using namespace scheduler_testing;
using genesys::schedule::driver;
using genesys::schedule::execution;
using genesys::schedule::instance_request;
using genesys::schedule::kernel_launch;
using genesys::schedule::kernel_times;
using genesys::schedule::learnt_times;

constexpr learnt_times::key some{1, 100, 64};

TEST(LearntTimes, BlocksAreEqualWavesUntilTheyAreMeasured) {
  learnt_times known;
  known.ran(some, 1'000'000, 10);
  EXPECT_EQ(known[some].block, 100'000U);
  known.timed(some, 700'000);
  EXPECT_EQ(known[some].block, 700'000U);
  known.ran(some, 1'000'000, 10);
  EXPECT_EQ(known[some].block, 700'000U);
  known.timed(some, 600'000);  // of other blocks
  EXPECT_EQ(known[some].block, 700'000U);
  known.timed(some, 900'000);
  EXPECT_EQ(known[some].block, 900'000U);
}

TEST(LearntTimes, AFewLaunchesMeasureAndThenNone) {
  learnt_times known;
  for (unsigned i = 0; i < learnt_times::timed_launches; ++i) {
    EXPECT_TRUE(known.wants_blocks(some));
    EXPECT_EQ(known.timing_begins(some), i);
    known.timed(some, 5'000);
    known.ran(some, 1'000'000, 10);
  }
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_FALSE(known.wants_blocks(some));
    known.ran(some, 1'000'000 + i % 2 * 500'000, 10);
  }
  EXPECT_TRUE(known.wants_blocks({1, 101, 64})) << "another shape";
  EXPECT_TRUE(known.wants_blocks({2, 100, 64})) << "another kernel";
}

TEST(LearntTimes, ALaunchThatDidNotMeasureIsReplaced) {
  learnt_times known;
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_TRUE(known.wants_blocks(some));
    known.timing_begins(some);
    known.timing_failed(some);
  }
}

TEST(LearntTimes, BlocksAreMeasuredAgainIfTheRunTimeChanges) {
  learnt_times known;
  for (unsigned i = 0; i < learnt_times::timed_launches; ++i) {
    known.timing_begins(some);
    known.timed(some, 90'000);
  }
  known.ran(some, 50'000'000, 10);  // the first launch loads code
  for (unsigned i = 0; i < 100; ++i) known.ran(some, 1'000'000, 10);
  EXPECT_FALSE(known.wants_blocks(some));
  for (unsigned i = 0; i < 100; ++i) known.ran(some, 1'900'000, 10);
  EXPECT_FALSE(known.wants_blocks(some));
  for (unsigned i = 0; i < 100; ++i) known.ran(some, 2'200'000, 10);
  EXPECT_TRUE(known.wants_blocks(some));
  EXPECT_EQ(known[some].block, 90'000U) << "until there is a new one";
  known.timing_begins(some);
  known.timed(some, 40'000);
  EXPECT_EQ(known[some].block, 40'000U);
  for (unsigned i = 0; i < 2; ++i) known.timing_begins(some);
  for (unsigned i = 0; i < 100; ++i) known.ran(some, 2'200'000, 10);
  EXPECT_FALSE(known.wants_blocks(some));
  for (unsigned i = 0; i < 100; ++i) known.ran(some, 900'000, 10);
  EXPECT_TRUE(known.wants_blocks(some)) << "shorter counts as well";
}

TEST(LearntTimes, RecallsWhatIsNotKnown) {
  learnt_times known;
  known.recall(some, {.run = 1'000'000, .block = 9'000, .abort = 7'000});
  EXPECT_EQ(known[some].run, 1'000'000U);
  EXPECT_EQ(known[some].block, 9'000U);
  known.recall(some, {.run = 1, .block = 1});
  EXPECT_EQ(known[some].block, 9'000U);
  EXPECT_TRUE(known.wants_blocks(some)) << "the arguments may be others now";
  (void)known.timing_begins(some);
  EXPECT_FALSE(known.wants_blocks(some)) << "one launch is enough";
  known.timed(some, 4'000);
  EXPECT_EQ(known[some].block, 4'000U) << "the new time replaces what was recalled";
  for (unsigned i = 0; i < 100; ++i) known.ran(some, 3'000'000, 10);
  EXPECT_TRUE(known.wants_blocks(some)) << "what was recalled does not hold any more";
}

// The CPU device, and which launches measured.
class watched final : public execution {
 public:
  explicit watched(std::vector<bool>& timed) : on_(genesys::schedule::cpu_execution({})), timed_(timed) {}
  genesys::detail::device& on() override { return on_->on(); }
  mark launch(const kernel_launch& what, unsigned level, const genesys::detail::aborts::launch_context* abort,
              const genesys::detail::times::block_times* times) override {
    timed_.push_back(times != nullptr);
    return on_->launch(what, level, abort, times);
  }
  mark copy(void* to, const void* from, std::size_t bytes) override { return on_->copy(to, from, bytes); }
  bool passed(mark at) override { return on_->passed(at); }
  void forget(mark at) override { on_->forget(at); }
  genesys::schedule::time_ns now() const override { return on_->now(); }
  genesys::schedule::time_ns nap() const override { return on_->nap(); }

 private:
  std::unique_ptr<execution> on_;
  std::vector<bool>& timed_;
};

struct fixture {
  std::vector<bool> timed, abortable;  // each launch; each submission
  driver on{std::make_unique<watched>(timed), {}};
  genesys::schedule::task_id task = on.add_task(10);

  fixture() {
    on.observe([this](auto, const genesys::schedule::event& what, const auto&) {
      if (what.kind == genesys::schedule::event_kind::submitted) abortable.push_back(what.facts.abortable);
    });
  }
  static kernel_launch kernel(std::function<void()> body, u32 blocks) {
    kernel_launch made;
    made.blocks = {blocks};
    made.threads = {32};
    made.body = std::move(body);
    made.timed_code = kernel_launch::timing::polls;
    return made;
  }
  std::shared_ptr<const genesys::schedule::completion> submit(const kernel_launch& what, genesys::schedule::task_id as,
                                                              genesys::schedule::kernel_id kernel = 1) {
    instance_request made;
    made.what = what;
    made.kernel = kernel;
    made.idempotent = made.abortable = true;
    return on.submit(as, std::move(made));
  }
  void run(const kernel_launch& what) { submit(what, task)->wait(); }
};

void work_us(u64 us) {
  const u64 begin = genesys::detail::cpu::clock_ns();
  while (genesys::detail::cpu::clock_ns() - begin < 1'000 * us) rest();
}

TEST(BlockTimes, AFewLaunchesMeasureThem) {
  fixture with;
  const kernel_launch what = fixture::kernel([] {}, 2'000);
  for (int i = 0; i < 20; ++i) with.run(what);
  const std::vector<bool> first(with.timed.begin(), with.timed.begin() + learnt_times::timed_launches);
  EXPECT_EQ(first, std::vector<bool>(learnt_times::timed_launches, true));
  EXPECT_GT(with.on.times_of(1, what).block, 0U);
}

// All blocks of the CPU device would count as one wave. Linux may suspend a block for longer than others run, so
// several kernels try.
TEST(BlockTimes, ABlockIsShorterThanItsLaunch) {
  fixture with;
  bool is_shorter = false;
  for (genesys::schedule::kernel_id kernel = 1; kernel < 50 && !is_shorter; ++kernel) {
    const kernel_launch what = fixture::kernel([] {}, 2'000);
    for (int i = 0; i < 5; ++i) with.submit(what, with.task, kernel)->wait();
    const kernel_times times = with.on.times_of(kernel, what);
    is_shorter = times.block < times.run;
  }
  EXPECT_TRUE(is_shorter);
}

// One of the blocks takes long: the others say nothing of it.
TEST(BlockTimes, TheLongestBlockCounts) {
  fixture with;
  const kernel_launch what = fixture::kernel(
      [] {
        if (genesys::block_rank() == 3) work_us(20'000);
      },
      64);
  for (int i = 0; i < 5; ++i) with.run(what);
  EXPECT_GE(with.on.times_of(1, what).block, 20'000'000U);
}

// Blocks that are shorter than short_block: after the first launches nothing is aborted.
TEST(BlockTimes, ShortBlocksRunWithoutPolls) {
  std::vector<bool> timed, abortable;
  genesys::schedule::driver_options options;
  options.short_block = 10'000'000'000;
  driver on(std::make_unique<watched>(timed), options);
  on.observe([&](auto, const genesys::schedule::event& what, const auto&) {
    if (what.kind == genesys::schedule::event_kind::submitted) abortable.push_back(what.facts.abortable);
  });
  const genesys::schedule::task_id task = on.add_task(0);
  for (int i = 0; i < 8; ++i) {
    instance_request made;
    made.what = fixture::kernel([] {}, 16);
    made.kernel = 1;
    made.idempotent = made.abortable = true;
    on.submit(task, std::move(made))->wait();
  }
  EXPECT_EQ(abortable, (std::vector<bool>{true, true, true, false, false, false, false, false}));
  EXPECT_EQ(timed, (std::vector<bool>{true, true, true, false, false, false, false, false}));
}

// A launch that measures is aborted like any other, and then measured once more.
TEST(BlockTimes, ALaunchThatMeasuresIsAborted) {
  fixture with;
  const genesys::schedule::task_id urgent = with.on.add_task(-10);
  std::atomic<u64> calls{0};
  const kernel_launch what = fixture::kernel(
      [&] {
        work_us(300'000);
        calls.fetch_add(1, std::memory_order_relaxed);
      },
      4);
  const auto end = with.submit(what, with.task);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kernel_launch other = fixture::kernel([] {}, 1);
  instance_request made;
  made.what = other;
  made.kernel = 2;
  with.on.submit(urgent, std::move(made))->wait();
  EXPECT_FALSE(end->is_done());
  EXPECT_EQ(calls.load(), 0U);
  end->wait();
  EXPECT_EQ(calls.load(), 4U * 32);
  ASSERT_GE(with.timed.size(), 3U);
  EXPECT_TRUE(with.timed.front());
  EXPECT_TRUE(with.timed.back());
  EXPECT_GE(with.on.times_of(1, what).block, 300'000'000U);
}

// What cannot be aborted is measured as well.
TEST(BlockTimes, KernelsWithoutPollsAreMeasured) {
  fixture with;
  kernel_launch what = fixture::kernel([] {}, 500);
  what.timed_code = kernel_launch::timing::plain;
  for (int i = 0; i < 4; ++i) {
    instance_request made;
    made.what = what;
    made.kernel = 1;
    with.on.submit(with.task, std::move(made))->wait();
  }
  EXPECT_EQ(with.timed, (std::vector<bool>{true, true, true, false}));
  // With polls that the timed code does not have it runs abortable instead.
  with.timed.clear();
  kernel_launch abortable = fixture::kernel([] {}, 501);
  abortable.timed_code = kernel_launch::timing::plain;
  with.run(abortable);
  EXPECT_EQ(with.timed, std::vector<bool>{false});
}

}  // namespace

#endif
