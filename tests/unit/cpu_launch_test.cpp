// SPDX-License-Identifier: Apache-2.0
// Launches of the CPU device: grids larger than it, residency, the order of blocks, streams, waiting.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

#include "cpu_testing.h"

namespace {

using namespace cpu_testing;

TEST(CpuDevice, RunsAGridOfTwoHundredThousandBlocks) {
  cpu::device device;
  const unsigned blocks = cpu::sanitizers::thread ? 2'000 : 200'000;
  device_array<std::uint64_t> sum(device, 1);
  device_array<unsigned> ended(device, blocks);
  run(device, {blocks}, {64}, [total = sum.get(), at = ended.get()] {
    const cpu::thread_identity& me = cpu::self();
    std::atomic_ref(at[me.block_rank]).fetch_add(1, std::memory_order_relaxed);
    if (me.thread_rank == 0) std::atomic_ref(*total).fetch_add(me.block_rank, std::memory_order_relaxed);
  });
  EXPECT_EQ(sum[0], std::uint64_t{blocks} * (blocks - 1) / 2);
  EXPECT_TRUE(std::all_of(ended.get(), ended.get() + blocks, [](unsigned n) { return n == 64; }));
}

// Every thread waits for all others, so all must be resident.
void meet_all(cpu::device& device, unsigned block) {
  device_array<unsigned> arrived(device, 1);
  const unsigned all = device.resident_threads_max() / block * block;
  run(device, {all / block}, {block}, [count = arrived.get(), all] {
    std::atomic_ref(*count).fetch_add(1, std::memory_order_relaxed);
    while (std::atomic_ref(*count).load(std::memory_order_relaxed) != all) cpu::pause();
  });
  EXPECT_EQ(arrived[0], all);
}

TEST(CpuDevice, AllResidentThreadsWaitForEachOther) {
  cpu::device device({.resident_threads_max = cpu::sanitizers::thread ? 256u : 0u});
  EXPECT_EQ(device.resident_threads_max(), cpu::sanitizers::thread ? 256u : 32'768u);
  meet_all(device, 64);
  meet_all(device, 256);
}

TEST(CpuDevice, BlocksThatDoNotFitFollow) {
  cpu::device device({.resident_threads_max = 128});
  EXPECT_EQ(device.warps_resident_max(), 32u);  // at least one block of 1,024 threads must fit
  device_array<int> here(device, 3);
  const auto body = [at = here.get()] {
    if (cpu::self().thread_rank == 0) {
      const int now = std::atomic_ref(at[0]).fetch_add(1) + 1;
      if (now > std::atomic_ref(at[1]).load()) std::atomic_ref(at[1]).store(now);  // no race: there is one OS thread
      std::atomic_ref(at[2]).fetch_add(1);
    }
    for (unsigned i = 0; i < 20; ++i) cpu::pause();
    cpu::sync_block();
    if (cpu::self().thread_rank == 0) std::atomic_ref(at[0]).fetch_sub(1);
  };
  run(device, {50}, {64}, body);
  EXPECT_EQ(here[1], 2);
  EXPECT_EQ(here[2], 50);
  here[1] = 0;
  run(device, {3}, {1024}, body);
  EXPECT_EQ(here[1], 1);
}

TEST(CpuDevice, WarpHintsAreUniqueAmongResidentWarps) {
  cpu::device device({.resident_threads_max = 2048});
  device_array<unsigned> holders(device, device.warps_resident_max());
  device_array<unsigned> wrong(device, 1);
  run(device, {300}, {70}, [at = holders.get(), bad = wrong.get()] {
    const cpu::thread_identity& me = cpu::self();
    if (me.lane == 0) {
      std::atomic_ref<unsigned> holder(at[me.warp_hint]);
      if (holder.exchange(1) != 0) std::atomic_ref(*bad).fetch_add(1);
      for (unsigned i = 0; i < 30; ++i) cpu::pause();
      holder = 0;
    }
    cpu::sync_block();
  });
  EXPECT_EQ(wrong[0], 0u);
}

std::vector<unsigned> order_with(std::uint64_t seed) {
  cpu::device device({.os_threads = 1, .seed = seed});
  EXPECT_EQ(device.seed(), seed);
  constexpr unsigned threads = 128, blocks = 3;
  device_array<unsigned> order(device, 3 * threads * blocks + 1);
  run(device, {blocks}, {threads}, [at = order.get()] {
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned place = std::atomic_ref(at[0]).fetch_add(1, std::memory_order_relaxed);
      at[1 + place] = cpu::self().block_rank * threads + cpu::self().thread_rank;
      i == 1 ? cpu::sync_block() : cpu::pause();
    }
  });
  return {order.get() + 1, order.get() + 1 + 3 * threads * blocks};
}

TEST(CpuDevice, SameSeedSameOrder) {
  const std::vector<unsigned> first = order_with(7);
  EXPECT_EQ(first, order_with(7));
  EXPECT_NE(first, order_with(8));
  EXPECT_FALSE(std::is_sorted(first.begin(), first.begin() + 128));
  EXPECT_NE(cpu::device().seed(), cpu::device().seed());
}

TEST(CpuDevice, LaunchesOfOneStreamRunInOrder) {
  cpu::device device;
  constexpr unsigned launches = 20, blocks = 6;
  device_array<unsigned> data(device, 2 * blocks * 32);
  device_array<unsigned> wrong(device, 1);
  int stream = 0;
  std::shared_ptr<cpu::launch_state> last;
  for (unsigned i = 0; i < launches; ++i) {
    last =
        device.launch({blocks}, {32}, 0, &stream,
                      [from = &data[i % 2 * blocks * 32], bad = wrong.get(), to = &data[(i + 1) % 2 * blocks * 32], i] {
                        const cpu::thread_identity& me = cpu::self();
                        for (unsigned k = 0; k < me.block_rank; ++k) cpu::pause();
                        // Another block of the previous launch wrote it.
                        if (from[(me.block_rank + 1) % blocks * 32 + me.thread_rank] != i)
                          std::atomic_ref(*bad).fetch_add(1);
                        to[me.block_rank * 32 + me.thread_rank] = i + 1;
                      });
    if (i % 7 == 6) sleep_ms(5);  // the stream runs empty
  }
  device.wait(*last);
  EXPECT_EQ(wrong[0], 0u);
}

TEST(CpuDevice, LaunchesOfDifferentStreamsRunSideBySide) {
  cpu::device device({.os_threads = 1});
  device_array<int> turn(device, 1);
  const auto wait_for = [at = turn.get()](int before) {
    return [=] {
      while (std::atomic_ref(*at).load() != before) cpu::pause();
      std::atomic_ref(*at).store(before + 1);
    };
  };
  int one = 0, two = 0;
  const auto a = device.launch({1}, {1}, 0, &one, wait_for(1));
  const auto b = device.launch({1}, {1}, 0, &two, wait_for(0));
  const auto c = device.launch({1}, {1}, 0, &two, wait_for(2));
  device.wait(*a);
  device.wait(*c);
  EXPECT_TRUE(device.done(*b));
  EXPECT_EQ(turn[0], 3);
}

TEST(CpuDevice, HostAndKernelWaitForEachOther) {
  cpu::device device;
  std::atomic<bool> go{false};
  const auto launch = device.launch({4}, {64}, 0, nullptr, [&] {
    while (!go.load(std::memory_order_acquire)) cpu::pause();
  });
  EXPECT_FALSE(device.wait_for(*launch, 20));
  EXPECT_FALSE(device.done(*launch));
  EXPECT_EQ(device.launches_pending(), 1u);
  go.store(true, std::memory_order_release);
  EXPECT_TRUE(device.wait_for(*launch, 10'000));
  EXPECT_TRUE(device.done(*launch));
  EXPECT_EQ(device.launches_pending(), 0u);
}

TEST(CpuDevice, TheKernelIsDestroyedWhenItsLaunchHasEnded) {
  const auto held = std::make_shared<int>(1);
  cpu::device device;
  run(device, {5}, {33}, [held] { (void)*held; });
  for (unsigned i = 0; held.use_count() != 1 && i < 1000; ++i) sleep_ms(1);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(CpuDevice, DevicesFollowEachOtherAndStandSideBySide) {
  for (unsigned i = 0; i < 5; ++i) {
    cpu::device one({.os_threads = 1}), two;
    device_array<unsigned> count(one, 2);
    const auto add = [](unsigned* at) { return [at] { std::atomic_ref(*at).fetch_add(1); }; };
    const auto first = one.launch({10}, {32}, 0, nullptr, add(&count[0]));
    run(two, {10}, {32}, add(&count[1]));
    one.wait(*first);
    EXPECT_EQ(count[0], 320u);
    EXPECT_EQ(count[1], 320u);
  }
}

}  // namespace
