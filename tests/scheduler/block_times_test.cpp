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

// A launch of the same shape with these arguments.
template <class... types>
kernel_launch with_arguments(types... values) {
  kernel_launch made;
  made.blocks = {100};
  made.threads = {64};
  genesys::detail::scheduling::request packed;
  genesys::detail::scheduling::append_all(packed, values...);
  made.arguments = std::move(packed.arguments);
  made.offsets = std::move(packed.offsets);
  made.sizes = std::move(packed.sizes);
  return made;
}

// A kernel that loops to n, in turns with a small and a large n: each has the time that its launches take.
TEST(LearntTimes, ArgumentsOfAnotherMagnitudeHaveTheirOwn) {
  constexpr u64 pointer = 0x7f3c'4500'0000;
  const auto small = learnt_times::of(1, with_arguments(pointer, u32{1'000})),
             large = learnt_times::of(1, with_arguments(pointer, u32{1'000'000'000}));
  learnt_times known;
  for (int i = 0; i < 40; ++i) {
    known.ran(small, 20'000, 10);
    known.ran(large, 900'000'000, 10);
  }
  EXPECT_EQ(known[small].run, 20'000U);
  EXPECT_EQ(known[large].run, 900'000'000U);
  EXPECT_EQ(known[learnt_times::of(1, with_arguments(pointer + 4'096, u32{900}))].run, 20'000U) << "about as many";
  EXPECT_EQ(known[learnt_times::of(1, with_arguments(pointer, u32{100'000}))].run, 0U) << "not known";
  EXPECT_EQ(known[learnt_times::of(1, with_arguments(pointer, u64{1'000}))].run, 20'000U) << "of any width";
  EXPECT_NE(learnt_times::of(1, with_arguments(u32{1'000}, u32{1})),
            learnt_times::of(1, with_arguments(u32{1}, u32{1'000})));
}

// Bytes between the members of a structure have any value.
TEST(LearntTimes, OnlyNumbersOfFourAndEightBytesCount) {
  struct three {
    unsigned char bytes[3];
  };
  const auto key = [](unsigned char one, three many) { return learnt_times::of(1, with_arguments(one, many, u32{7})); };
  EXPECT_EQ(key(1, {{1, 2, 3}}), key(200, {{250, 0, 0}}));
}

TEST(LearntTimes, AreBounded) {
  learnt_times known;
  const auto of = [](u64 n) { return learnt_times::of(1, with_arguments(n)); };
  for (unsigned bits = 0; bits < 64; ++bits) {
    known.ran(of(u64{1} << bits), 1'000'000 * (bits + 1), 10);
    known.timed(of(u64{1} << bits), 1'000);
  }
  unsigned shapes = 0;
  known.for_each_measured([&](const auto&, const auto&) { ++shapes; });
  EXPECT_EQ(shapes, learnt_times::magnitudes_max + 1);
  EXPECT_EQ(known[of(8)].run, 4'000'000U);
  EXPECT_EQ(known[of(u64{1} << 50)].run, known[of(u64{1} << 60)].run) << "the others share theirs";
  EXPECT_NE(known[of(u64{1} << 50)].run, 0U);
}

// A few launches beside the resident raiser, a few without it, and then what costs little.
TEST(LearntTimes, WhetherAKernelBearsTheResidentRaiser) {
  for (const auto& [beside, bears] : {std::pair{1'100'000U, true}, {1'900'000U, false}}) {
    learnt_times known;
    for (unsigned i = 0; i < learnt_times::raiser_runs; ++i) {
      EXPECT_TRUE(known.bears_raiser(some));
      known.ran_with_polls(some, beside + i * 1'000'000, true);  // the first launches may wait for others
    }
    for (unsigned i = 0; i < learnt_times::raiser_runs; ++i) {
      EXPECT_FALSE(known.bears_raiser(some));
      known.ran_with_polls(some, 1'000'000, false);
    }
    EXPECT_EQ(known.bears_raiser(some), bears);
    EXPECT_TRUE(known.bears_raiser({2, 100, 64})) << "another kernel";
    for (unsigned i = 0; i < 100; ++i) known.ran_with_polls(some, 1'900'000, false);
    EXPECT_TRUE(known.bears_raiser(some)) << "it takes as long without";
  }
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

// What the policy is told of a launch is not what launches with other arguments took.
TEST(BlockTimes, ThePolicyIsToldTheTimesOfTheArguments) {
  fixture with;
  std::vector<genesys::schedule::time_ns> told;
  with.on.observe([&](auto, const genesys::schedule::event& what, const auto&) {
    if (what.kind == genesys::schedule::event_kind::submitted) told.push_back(what.facts.times.run);
  });
  const auto run = [&](u32 ms) {
    kernel_launch what = with_arguments(ms);
    what.blocks = {1};
    what.threads = {1};
    what.body = [ms] { work_us(1'000 * ms); };
    with.run(what);
  };
  for (int i = 0; i < 3; ++i) run(0);
  run(200);
  run(0);
  run(200);
  ASSERT_EQ(told.size(), 6U);
  EXPECT_EQ(told[3], 0U) << "no launch with about such arguments has run";
  EXPECT_LT(told[4], told[5]);
  EXPECT_GE(told[5], 199'000'000U);  // by another clock than work_us()
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
