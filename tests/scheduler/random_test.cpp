// SPDX-License-Identifier: Apache-2.0
// Random launches of tasks of all nice values: whatever is aborted, the results are those of undisturbed launches. The
// control declares a kernel idempotent that is not.
#include "testing.h"

namespace {
using namespace scheduler_testing;

constexpr u32 block_threads = 64;

// The same launches on the host. All blocks do the same, so one is enough.
struct expected {
  std::vector<u64> data = std::vector<u64>(block_threads, 1), copied = std::vector<u64>(block_threads, 1);

  static std::vector<u64> of_all(const std::vector<u64>& block, u64 count) {
    std::vector<u64> all(count);
    for (u64 i = 0; i < count; ++i) all[i] = block[i % block_threads];
    return all;
  }

  void change_in_place(u32 turns) {
    for (u64& word : data) {
      for (u32 turn = 0; turn < turns; ++turn) word = word * 5 + turn;
    }
  }
  void change_with_barriers(u32 turns) {
    for (u64 i = 0; i < data.size(); ++i) {
      const u64 next = (i % block_threads + 1) % block_threads;
      for (u32 turn = 0; turn < turns; ++turn) data[i] = data[i] * 3 + turn * u64{1000} + next;
    }
  }
  void copy_with_work(u32 turns) {
    for (u64 i = 0; i < data.size(); ++i) {
      u64 value = data[i];
      for (u32 turn = 0; turn < turns; ++turn) value = value * 7 + turn;
      copied[i] = value;
    }
  }
};

struct stream_of_work {
  stream_of_work(genesys::scheduler& of, int nice, u32 blocks)
      : on(of),
        as(of.add_task(nice)),
        blocks(blocks),
        count(u64{blocks} * block_threads),
        data(of, count),
        copied(of, count) {}

  void launch(std::mt19937_64& random) {
    const u32 few = static_cast<u32>(random() % turns(on)) + 1;
    switch (random() % 3) {
      case 0:
        as.launch(shape(on, blocks, block_threads, data), change_in_place{}, data.get(), count, few);
        wanted.change_in_place(few);
        break;
      case 1:
        as.launch(shape(on, blocks, block_threads, data), change_with_barriers{}, data.get(), count, few / 8);
        wanted.change_with_barriers(few / 8);
        break;
      default: {
        genesys::task_launch how = shape(on, blocks, block_threads, copied);
        if (on.kind() == genesys::device_kind::cpu) how.again = genesys::rerun::idempotent;
        as.launch(how, copy_with_work{}, static_cast<const u64*>(data.get()), copied.get(), count, few);
        wanted.copy_with_work(few);
      }
    }
  }

  genesys::scheduler& on;
  genesys::task as;
  u32 blocks;
  u64 count;
  words data, copied;
  expected wanted;
};

u32 rounds() {
#if defined(__SANITIZE_THREAD__)
  return 4;
#else
  return std::getenv("GENESYS_TEST_FULL") != nullptr ? 200 : 6;
#endif
}

TEST(SchedulerRandom, ResultsAreThoseOfUndisturbedLaunches) {
  std::mt19937_64 random(seed());
  double aborts = 0, launches = 0;
  for (u32 round = 0; round < rounds(); ++round) {
    genesys::scheduler all({.aging_step_us = random() % 2 == 0 ? 0u : 1'000u,
                            .wait_max_us = random() % 2 == 0 ? 0u : 50u,
                            .short_block_us = random() % 4 == 0 ? 20u : 0u});
    std::vector<std::unique_ptr<stream_of_work>> tasks;
    for (u32 i = 0; i < 2 + random() % 3; ++i) {
      tasks.push_back(std::make_unique<stream_of_work>(all, static_cast<int>(random() % 40) - 20,
                                                       static_cast<u32>(random() % 30) + 1));
    }
    for (u32 launch = 0; launch < 40; ++launch) {
      tasks[random() % tasks.size()]->launch(random);
      if (random() % 2 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000));
    }
    for (const auto& each : tasks) each->as.wait();
    for (const auto& each : tasks) {
      ASSERT_EQ(each->data.take(), expected::of_all(each->wanted.data, each->count))
          << "GENESYS_TEST_SEED=" << seed() << ", round " << round;
      ASSERT_EQ(each->copied.take(), expected::of_all(each->wanted.copied, each->count))
          << "GENESYS_TEST_SEED=" << seed() << ", round " << round;
    }
    ASSERT_EQ(reported(all, column_complete), 40);
    aborts += reported(all, column_aborts);
    launches += reported(all, column_launches);
  }
  std::printf("%.0f launches, %.0f aborts\n", launches, aborts);
  EXPECT_GT(aborts, 0);
}

// Several threads launch, each for its own task.
TEST(SchedulerRandom, ThreadsLaunchAtTheSameTime) {
  genesys::scheduler all;
  std::vector<std::unique_ptr<stream_of_work>> tasks;
  for (int i = 0; i < 4; ++i) tasks.push_back(std::make_unique<stream_of_work>(all, 5 * i - 5, 4));
  std::vector<std::thread> threads_of;
  for (u32 i = 0; i < 4; ++i) {
    threads_of.emplace_back([&, i] {
      std::mt19937_64 random(seed() + i);
      for (u32 launch = 0; launch < 30; ++launch) tasks[i]->launch(random);
      tasks[i]->as.wait();
    });
  }
  for (std::thread& each : threads_of) each.join();
  for (const auto& each : tasks) {
    EXPECT_EQ(each->data.take(), expected::of_all(each->wanted.data, each->count)) << "GENESYS_TEST_SEED=" << seed();
    EXPECT_EQ(each->copied.take(), expected::of_all(each->wanted.copied, each->count))
        << "GENESYS_TEST_SEED=" << seed();
  }
}

// CONTROL: without a roll-back the results differ.
TEST(SchedulerRandom, AFalsePromiseIsSeen) {
  genesys::scheduler all;
  constexpr u32 blocks = 16;
  constexpr u64 count = u64{blocks} * block_threads;
  const genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
  words data(all, count), other(all, count);
  genesys::task_launch how = shape(all, blocks, block_threads, data);
  how.again = genesys::rerun::idempotent;
#if defined(__SANITIZE_THREAD__)
  constexpr u32 longer = 2,
                pause_ms = 300;  // all is some hundred times slower, and the kernel must write before its abort
#else
  constexpr u32 longer = 40, pause_ms = 4;
#endif
  const u32 many = longer * turns(all);
  // The first launch of a kernel compiles it.
  urgent.launch(shape(all, blocks, block_threads, other), change_in_place{}, other.get(), count, 1u).wait();
  expected wanted;
  wanted.change_with_barriers(many);
  const auto first = batch.launch(how, change_with_barriers{}, data.get(), count, many);
  const auto run_urgent = [&] {
    urgent.launch(shape(all, blocks, block_threads, other), change_in_place{}, other.get(), count, 1u).wait();
  };
  run_until_an_abort(all, first, run_urgent, pause_ms);
  first.wait();
  EXPECT_GE(reported(all, column_aborts), 1);
  EXPECT_NE(data.take(), expected::of_all(wanted.data, count));
}

}  // namespace
