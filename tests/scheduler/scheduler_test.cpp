// SPDX-License-Identifier: Apache-2.0
// What a program sees of genesys::scheduler.
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "testing.h"

namespace {
using namespace scheduler_testing;

constexpr u32 blocks = 16, threads = 64;
constexpr u64 count = u64{blocks} * threads;

std::vector<u64> changed(u64 launches, u32 turns) {
  u64 value = 1;
  for (u64 launch = 0; launch < launches; ++launch) {
    for (u32 turn = 0; turn < turns; ++turn) value = value * 5 + turn;
  }
  return std::vector<u64>(count, value);
}

TEST(Scheduler, LaunchesOfATaskRunInOrder) {
  genesys::scheduler all;
  const genesys::task one = all.add_task();
  words data(all, count);
  for (u32 launch = 0; launch < 20; ++launch) {
    one.launch(shape(all, blocks, threads, data), change_in_place{}, data.get(), count, 10u);
  }
  one.wait();
  EXPECT_EQ(data.take(), changed(20, 10));
  EXPECT_EQ(reported(all, column_complete), 20);
}

TEST(Scheduler, AnUrgentKernelAbortsTheOneThatRuns) {
  genesys::scheduler all;
  const genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
  words data(all, count), other(all, count);
  const u32 long_turns = 40 * turns(all);
  const auto first = batch.launch(shape(all, blocks, threads, data), change_in_place{}, data.get(), count, long_turns);
  const u32 rounds = run_until_an_abort(all, first, [&] {
    urgent.launch(shape(all, blocks, threads, other), change_in_place{}, other.get(), count, 10u).wait();
  });
  first.wait();
  EXPECT_EQ(data.take(), changed(1, long_turns));
  EXPECT_EQ(other.take(), changed(rounds, 10));
  EXPECT_GE(reported(all, column_aborts), 1);
}

TEST(Scheduler, AnUrgentKernelDoesNotWaitForALongOne) {
  genesys::scheduler all;
  const genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
  words data(all, count), other(all, count);
  const auto first =
      batch.launch(shape(all, blocks, threads, data), change_in_place{}, data.get(), count, 400 * turns(all));
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  urgent.launch(shape(all, blocks, threads, other), change_in_place{}, other.get(), count, 1u).wait();
  EXPECT_FALSE(first.is_done());
  first.wait();
  EXPECT_EQ(data.take(), changed(1, 400 * turns(all)));
}

TEST(Scheduler, CountsAreOfEachKernel) {
  genesys::scheduler all;
  const genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
  EXPECT_TRUE(all.counts().empty());
  words data(all, count), other(all, count);
  // The first launch of a kernel compiles it.
  batch.launch(shape(all, blocks, threads, data), change_in_place{}, data.get(), count, 40 * turns(all)).wait();
  urgent.launch(shape(all, blocks, threads, other), change_with_barriers{}, other.get(), count, 8u).wait();
  const auto first =
      batch.launch(shape(all, blocks, threads, data), change_in_place{}, data.get(), count, 40 * turns(all));
  const u32 rounds = run_until_an_abort(all, first, [&] {
    urgent.launch(shape(all, blocks, threads, other), change_with_barriers{}, other.get(), count, 8u).wait();
  });
  first.wait();
  const std::vector<genesys::kernel_counts> counts = all.counts();
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_NE(counts[0].kernel.find("change_in_place"), std::string::npos);
  EXPECT_NE(counts[1].kernel.find("change_with_barriers"), std::string::npos);
  EXPECT_EQ(counts[0].completed, 2u);
  EXPECT_EQ(counts[0].launches, counts[0].aborts + 2);
  EXPECT_GE(counts[0].aborts, 1u);
  EXPECT_GT(counts[0].wasted_us, 0);
  EXPECT_GT(counts[0].snapshot_us, 0);
  EXPECT_GE(counts[0].snapshot_bytes, count * sizeof(u64));
  EXPECT_EQ(counts[1].launches, rounds + 1);
  EXPECT_EQ(counts[1].aborts, 0u);
}

TEST(Scheduler, EqualTasksDoNotAbortEachOther) {
  genesys::scheduler all;
  const genesys::task one = all.add_task(5), two = all.add_task(5);
  words data(all, count), other(all, count);
  for (u32 launch = 0; launch < 10; ++launch) {
    one.launch(shape(all, blocks, threads, data), change_in_place{}, data.get(), count, 50u);
    two.launch(shape(all, blocks, threads, other), change_in_place{}, other.get(), count, 50u);
  }
  one.wait();
  two.wait();
  EXPECT_EQ(data.take(), changed(10, 50));
  EXPECT_EQ(other.take(), changed(10, 50));
  EXPECT_EQ(reported(all, column_aborts), 0);
}

TEST(Scheduler, NeverIsNeverAborted) {
  genesys::scheduler all;
  const genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
  words data(all, count), other(all, count);
  genesys::task_launch how = shape(all, blocks, threads, data);
  how.again = genesys::rerun::never;
  const auto first = batch.launch(how, change_in_place{}, data.get(), count, 10 * turns(all));
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  urgent.launch(shape(all, blocks, threads, other), change_in_place{}, other.get(), count, 1u).wait();
  first.wait();
  EXPECT_EQ(data.take(), changed(1, 10 * turns(all)));
  EXPECT_EQ(reported(all, column_aborts), 0);
}

// Without space for a snapshot the kernel is not aborted.
TEST(Scheduler, NoSpaceForASnapshot) {
  genesys::scheduler all({.snapshot_device_bytes = 0, .snapshot_pinned_bytes = 0});
  const genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
  words data(all, count), other(all, count);
  const auto first =
      batch.launch(shape(all, blocks, threads, data), change_in_place{}, data.get(), count, 10 * turns(all));
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  urgent.launch(shape(all, blocks, threads, other), change_in_place{}, other.get(), count, 1u).wait();
  first.wait();
  EXPECT_EQ(data.take(), changed(1, 10 * turns(all)));
  EXPECT_EQ(reported(all, column_aborts), 0);
}

TEST(Scheduler, SnapshotsSpillToPinnedMemory) {
  genesys::scheduler all({.snapshot_device_bytes = 0});
  const genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
  words data(all, count), other(all, count);
  const auto first =
      batch.launch(shape(all, blocks, threads, data), change_in_place{}, data.get(), count, 40 * turns(all));
  run_until_an_abort(all, first, [&] {
    urgent.launch(shape(all, blocks, threads, other), change_in_place{}, other.get(), count, 1u).wait();
  });
  first.wait();
  EXPECT_EQ(data.take(), changed(1, 40 * turns(all)));
  EXPECT_GE(reported(all, column_aborts), 1);
  EXPECT_GE(reported(all, column_snapshots), 1);
}

TEST(Scheduler, NiceValuesMayChange) {
  genesys::scheduler all;
  const genesys::task one = all.add_task(0), two = all.add_task(0);
  words data(all, count), other(all, count);
  const auto first =
      one.launch(shape(all, blocks, threads, data), change_in_place{}, data.get(), count, 40 * turns(all));
  two.set_nice(-5);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  two.launch(shape(all, blocks, threads, other), change_in_place{}, other.get(), count, 1u).wait();
  first.wait();
  EXPECT_EQ(data.take(), changed(1, 40 * turns(all)));
}

TEST(Scheduler, WritesATimeline) {
  const std::string path = testing::TempDir() + "genesys-timeline-" + std::to_string(::getpid());
  {
    genesys::scheduler all({.timeline = path});
    const genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
    words data(all, count), other(all, count);
    const auto first =
        batch.launch(shape(all, blocks, threads, data), change_in_place{}, data.get(), count, 40 * turns(all));
    run_until_an_abort(all, first, [&] {
      urgent.launch(shape(all, blocks, threads, other), change_in_place{}, other.get(), count, 1u).wait();
    });
    first.wait();
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const char* const name : {"task 1, nice 10", "task 2, nice -10", "change_in_place", "submitted", "abort"}) {
    EXPECT_NE(text.find(name), std::string::npos) << name;
  }
  std::remove(path.c_str());
  EXPECT_THROW(genesys::scheduler({.timeline = "/nonexistent/folder/file"}), genesys::error);
}

TEST(Scheduler, RefusesWhatItCannotDo) {
  genesys::scheduler all;
  EXPECT_THROW((void)all.add_task(-21), genesys::error);
  EXPECT_THROW((void)all.add_task(20), genesys::error);
  std::vector<genesys::task> tasks;
  for (u32 i = 0; i < 16; ++i) tasks.push_back(all.add_task(static_cast<int>(i)));
  EXPECT_THROW((void)all.add_task(0), genesys::error);
  tasks.pop_back();
  EXPECT_NO_THROW((void)all.add_task(0));
  u64 none = 0;
  EXPECT_THROW(all.free(&none), genesys::error);
  if (all.kind() == genesys::device_kind::cpu) {
    EXPECT_THROW((void)all.load(".version 8.0"), genesys::error);
  }
  EXPECT_THROW(tasks[0].launch({.blocks = {0}}, change_in_place{}, &none, u64{0}, 0u).wait(), genesys::error);
}

}  // namespace
