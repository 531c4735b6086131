// SPDX-License-Identifier: Apache-2.0
// The CPU device alone, no runtime and no system calls: indices, barriers, votes and shuffles.
#include <atomic>
#include <stdexcept>

#include "cpu_testing.h"

namespace {

using namespace cpu_testing;

TEST(CpuDevice, IndicesNameEachThreadOnce) {
  cpu::device device;
  constexpr dims grid{3, 2, 2}, block{5, 7, 2};
  constexpr unsigned threads = 70, blocks = 12;
  device_array<cpu::thread_identity> seen(device, blocks * threads);
  run(device, grid, block, [at = seen.get()] {
    const cpu::thread_identity& me = cpu::self();
    at[me.block_rank * threads + me.thread_rank] = me;
  });
  for (unsigned i = 0; i < blocks * threads; ++i) {
    const cpu::thread_identity& me = seen[i];
    ASSERT_EQ(me.block_rank, i / threads);
    ASSERT_EQ(me.thread_rank, i % threads);
    ASSERT_EQ(me.lane, me.thread_rank % 32);
    ASSERT_EQ(me.warp, me.thread_rank / 32);
    ASSERT_EQ(me.thread_index.x + 5 * (me.thread_index.y + 7 * me.thread_index.z), me.thread_rank);
    ASSERT_LT(me.thread_index.x, 5u);
    ASSERT_LT(me.thread_index.y, 7u);
    ASSERT_EQ(me.block_index.x + 3 * (me.block_index.y + 2 * me.block_index.z), me.block_rank);
    ASSERT_LT(me.block_index.x, 3u);
    ASSERT_LT(me.block_index.y, 2u);
    ASSERT_EQ(me.block_dims.y, 7u);
    ASSERT_EQ(me.grid_dims.x, 3u);
    ASSERT_LT(me.warp_hint, device.warps_resident_max());
  }
}

TEST(CpuDevice, OutsideOfAKernelThereIsNoThread) {
  EXPECT_FALSE(cpu::inside_kernel());
  EXPECT_EQ(cpu::self().block_dims.x, 1u);
  cpu::pause();
  cpu::device device;
  std::atomic<bool> inside{false};
  run(device, {1}, {1}, [&] { inside = cpu::inside_kernel(); });
  EXPECT_TRUE(inside);
}

TEST(CpuDevice, RefusesLaunchesThatMakeNoSense) {
  cpu::device device;
  const auto launch = [&](dims grid, dims block, std::size_t shared_bytes) {
    return device.launch(grid, block, shared_bytes, nullptr, [] {});
  };
  EXPECT_THROW(launch({0}, {1}, 0), std::invalid_argument);
  EXPECT_THROW(launch({1}, {1, 0}, 0), std::invalid_argument);
  EXPECT_THROW(launch({1}, {1025}, 0), std::invalid_argument);
  EXPECT_THROW(launch({1}, {32, 32, 2}, 0), std::invalid_argument);
  EXPECT_THROW(launch({1, 65536}, {1}, 0), std::invalid_argument);
  EXPECT_THROW(launch({65536, 65535, 2}, {1}, 0), std::invalid_argument);
  EXPECT_THROW(launch({1}, {1}, cpu::shared_bytes_max + 1), std::invalid_argument);
  EXPECT_THROW(device.launch({1}, {1}, 0, nullptr, nullptr), std::invalid_argument);
  EXPECT_EQ(device.launches_pending(), 0u);
}

TEST(CpuDevice, BarrierCountsTheThreadsThatHaveNotLeft) {
  cpu::device device;
  device_array<unsigned> wrong(device, 1);
  run(device, {20}, {100}, [bad = wrong.get()] {
    unsigned alive = 100;
    for (unsigned i = 0; i < 10; ++i) {  // ten threads leave in each round, without calling the barrier
      const unsigned me = cpu::self().thread_rank;
      if (me >= alive) return;
      if (me >= alive - 10) {
        for (unsigned k = 0; k < me % 5; ++k) cpu::pause();
        return;
      }
      alive -= 10;
      const int odd = cpu::sync_block_count(me % 2 == 1);
      if (odd != static_cast<int>(alive / 2)) std::atomic_ref(*bad).fetch_add(1);
      cpu::sync_block();
    }
  });
  EXPECT_EQ(wrong[0], 0u);
}

TEST(CpuDevice, BarrierSeparatesWhatIsBeforeFromWhatIsAfter) {
  cpu::device device;
  device_array<unsigned> wrong(device, 1);
  run(
      device, {30}, {256},
      [bad = wrong.get()] {
        auto* const line = static_cast<unsigned*>(cpu::dynamic_shared());
        const unsigned me = cpu::self().thread_rank;
        line[me] = me;
        for (unsigned step = 1; step < 256; step *= 2) {
          cpu::sync_block();
          const unsigned other = line[(me + step) % 256];
          cpu::sync_block();
          line[me] += other;
        }
        if (line[me] != 255 * 128) std::atomic_ref(*bad).fetch_add(1);
      },
      256 * sizeof(unsigned));
  EXPECT_EQ(wrong[0], 0u);
}

TEST(CpuDevice, SeveralMasksVoteAndShuffleInOneWarp) {
  cpu::device device;
  device_array<unsigned> wrong(device, 1);
  run(device, {10}, {96}, [bad = wrong.get()] {
    const unsigned lane = cpu::self().lane;
    const unsigned part = lane % 3;  // three masks at once, interleaved
    unsigned mask = 0;
    for (unsigned i = part; i < 32; i += 3) mask |= 1u << i;
    bool right = true;
    for (unsigned round = 0; round < 20; ++round) {
      right &= cpu::ballot(mask, (lane + round) % 2 == 0) == (mask & (round % 2 ? 0xaaaaaaaau : 0x55555555u));
      const unsigned source = part + 3 * (round % 10);
      const std::uint64_t got = cpu::shuffle(mask, std::uint64_t{lane} << 40 | round, source);
      right &= got == (std::uint64_t{source} << 40 | round);
      for (unsigned k = 0; k < lane % (part + 2); ++k) cpu::pause();
      if (part == 1) cpu::sync_warp(mask);
      right &= cpu::ballot(1u << lane, true) == 1u << lane;
    }
    right &= cpu::ballot(all_lanes, lane < 7) == 0x7fu;
    if (!right) std::atomic_ref(*bad).fetch_add(1);
  });
  EXPECT_EQ(wrong[0], 0u);
}

TEST(CpuDevice, LanesThatHaveLeftAreNotWaitedFor) {
  cpu::device device;
  device_array<unsigned> wrong(device, 1);
  run(device, {10}, {40}, [bad = wrong.get()] {  // the second warp has 8 lanes
    const cpu::thread_identity& me = cpu::self();
    const unsigned mask = me.warp == 0 ? all_lanes : 0xffu;
    if (me.lane == 3) return;
    bool right = cpu::ballot(all_lanes, true) == (mask & ~8u);
    right &= cpu::shuffle(all_lanes, me.lane, 3) == 0xa5a5'a5a5'a5a5'a5a5u;
    right &= cpu::shuffle(all_lanes, me.lane, 5) == 5;
    if (me.lane == 5) {
      for (unsigned i = 0; i < 10; ++i) cpu::pause();
      return;  // a thread that leaves completes the barrier of the others
    }
    cpu::sync_warp(all_lanes);
    right &= cpu::ballot(all_lanes, true) == (mask & ~0x28u);
    if (!right) std::atomic_ref(*bad).fetch_add(1);
  });
  EXPECT_EQ(wrong[0], 0u);
}

}  // namespace
