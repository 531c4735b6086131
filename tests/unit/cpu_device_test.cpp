// SPDX-License-Identifier: Apache-2.0
// The CPU device alone: no runtime, no system calls. What must not happen to a kernel is tested in child processes.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "genesys/detail/target_cpu.h"
#include "target/cpu/sanitizers.h"

namespace {

namespace cpu = genesys::detail::cpu;
using cpu::dims;

constexpr unsigned all_lanes = 0xffffffffu;
constexpr bool sanitized = cpu::sanitizers::address || cpu::sanitizers::thread;

template <class Body>
void run(cpu::device& device, dims grid, dims block, Body body, std::size_t shared_bytes = 0) {
  device.wait(*device.launch(grid, block, shared_bytes, nullptr, body));
}

// An array in device memory, zeroed.
template <class T>
class device_array {
 public:
  device_array(cpu::device& device, std::size_t count)
      : device_(device), items_(static_cast<T*>(device.allocate_device(count * sizeof(T)))) {
    cpu::allow_device_memory();
    for (std::size_t i = 0; i < count; ++i) new (items_ + i) T();
  }
  ~device_array() { device_.free_device(items_); }
  device_array(const device_array&) = delete;
  T* get() const { return items_; }
  T& operator[](std::size_t i) const { return items_[i]; }

 private:
  cpu::device& device_;
  T* items_;
};

void sleep_ms(unsigned ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

class CpuDeviceDeathTest : public testing::Test {
 protected:
  // The child starts anew: a fork would lack the threads.
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

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

// --- Barriers, votes, shuffles.

TEST(CpuDevice, BarrierCountsTheThreadsThatHaveNotLeft) {
  cpu::device device;
  device_array<unsigned> wrong(device, 1);
  run(device, {20}, {100}, [bad = wrong.get()] {
    unsigned alive = 100;
    for (unsigned i = 0; i < 10; ++i) {  // ten leave in each turn, without calling the barrier
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
      return;  // completes the sync of the others
    }
    cpu::sync_warp(all_lanes);
    right &= cpu::ballot(all_lanes, true) == (mask & ~0x28u);
    if (!right) std::atomic_ref(*bad).fetch_add(1);
  });
  EXPECT_EQ(wrong[0], 0u);
}

// --- Grids and residency.

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

// Every thread waits for all others, so all must be there.
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
  EXPECT_EQ(device.warps_resident_max(), 32u);  // one block of 1,024 threads must fit, alone
  device_array<int> here(device, 3);
  const auto body = [at = here.get()] {
    if (cpu::self().thread_rank == 0) {
      const int now = std::atomic_ref(at[0]).fetch_add(1) + 1;
      if (now > std::atomic_ref(at[1]).load()) std::atomic_ref(at[1]).store(now);  // one OS thread
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

// --- Streams and waiting.

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
                        // What another block of the launch before wrote.
                        if (from[(me.block_rank + 1) % blocks * 32 + me.thread_rank] != i)
                          std::atomic_ref(*bad).fetch_add(1);
                        to[me.block_rank * 32 + me.thread_rank] = i + 1;
                      });
    if (i % 7 == 6) sleep_ms(5);  // the stream runs dry
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

// --- Memory.

TEST(CpuDevice, RegionsAreToldApart) {
  int on_host_stack = 0;
  EXPECT_EQ(cpu::region_of(nullptr), cpu::region::none);
  cpu::device device;
  device_array<cpu::region> seen(device, 6);
  static int global;
  const auto heap = std::make_unique<int>();
  run(
      device, {1}, {1},
      [at = seen.get(), heap = heap.get(), &on_host_stack] {
        static const char tag = 0;
        int mine = 0;
        at[0] = cpu::region_of(&mine);
        at[1] = cpu::region_of(cpu::dynamic_shared());
        at[2] = cpu::region_of(cpu::shared_static(&tag, 8));
        at[3] = cpu::region_of(at);
        at[4] = cpu::region_of(heap);
        at[5] = cpu::region_of(&on_host_stack);
      },
      64);
  EXPECT_EQ(seen[0], cpu::region::private_);
  EXPECT_EQ(seen[1], cpu::region::shared);
  EXPECT_EQ(seen[2], cpu::region::shared);
  EXPECT_EQ(seen[3], cpu::region::device);
  EXPECT_EQ(seen[4], cpu::region::none);
  EXPECT_EQ(seen[5], cpu::region::none);
  EXPECT_EQ(cpu::region_of(&global), cpu::region::none);
}

TEST(CpuDevice, DeviceMemoryIsGivenAndTakenBack) {
  cpu::device device;
  EXPECT_EQ(device.allocate_device(0), nullptr);
  EXPECT_EQ(device.allocate_device(std::size_t{1} << 50), nullptr);
  std::vector<char*> got;
  for (unsigned i = 0; i < 300; ++i) {
    got.push_back(static_cast<char*>(device.allocate_device(1 + i * 37)));
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(got.back()) % 256, 0u);
    std::memset(got.back(), static_cast<int>(i), 1 + i * 37);
  }
  for (unsigned i = 0; i < 300; i += 2) ASSERT_TRUE(device.free_device(got[i]));
  EXPECT_FALSE(device.free_device(got[0]));
  EXPECT_FALSE(device.free_device(got[1] + 1));
  for (unsigned i = 1; i < 300; i += 2) {  // the neighbours' pages went, theirs did not
    ASSERT_TRUE(std::all_of(got[i], got[i] + 1 + i * 37, [i](char c) { return c == static_cast<char>(i); }));
    void* base = nullptr;
    std::size_t bytes = 0;
    ASSERT_TRUE(device.device_range(got[i] + i * 37, &base, &bytes));
    EXPECT_EQ(base, got[i]);
    EXPECT_EQ(bytes, 1 + i * 37);
    EXPECT_FALSE(device.device_range(got[i] + i * 37 + 1, nullptr, nullptr));
  }
  EXPECT_FALSE(device.device_range(got[0], nullptr, nullptr));
  void* const reused = device.allocate_device(1);
  EXPECT_LE(reused, got[0]);  // first fit
  EXPECT_TRUE(device.free_device(reused));
  for (unsigned i = 1; i < 300; i += 2) EXPECT_TRUE(device.free_device(got[i]));
}

TEST(CpuDevice, SharedMemoryIsTheBlocksOwnAndFresh) {
  cpu::device device;
  device_array<unsigned> wrong(device, 1);
  run(
      device, {300}, {64},
      [bad = wrong.get()] {
        static const char small = 0, large = 0;
        const cpu::thread_identity& me = cpu::self();
        auto* const dynamic = static_cast<unsigned char*>(cpu::dynamic_shared());
        auto* const object = static_cast<unsigned char*>(cpu::shared_static(&small, 64));
        auto* const wide = static_cast<unsigned char*>(cpu::shared_static(&large, 4096));
        bool right = dynamic[me.thread_rank] == 0xa5 && object[me.thread_rank] == 0xa5 && wide[4095] == 0xa5;
        right &=
            reinterpret_cast<std::uintptr_t>(object) % 64 == 0 && reinterpret_cast<std::uintptr_t>(wide) % 256 == 0;
        right &= object >= dynamic + 1000 && (wide >= object + 64 || object >= wide + 4096);
        right &= object == cpu::shared_static(&small, 64);
        cpu::sync_block();
        dynamic[me.thread_rank] = object[me.thread_rank] = static_cast<unsigned char>(me.block_rank);
        cpu::sync_block();
        right &= dynamic[63 - me.thread_rank] == static_cast<unsigned char>(me.block_rank);
        right &= object[63 - me.thread_rank] == static_cast<unsigned char>(me.block_rank);
        if (me.thread_rank == 0) wide[4095] = 0;
        if (!right) std::atomic_ref(*bad).fetch_add(1);
      },
      1000);
  EXPECT_EQ(wrong[0], 0u);
}

TEST(CpuDevice, ProtectionKeysKeepLinuxOutOfDeviceMemory) {
  cpu::device device;
  if (!cpu::has_protection_keys()) GTEST_SKIP() << "this processor or this Linux has no protection keys";
  device_array<char> text(device, 16);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  long denied = 0, allowed = 0;
  std::thread([&] {
    cpu::deny_device_memory();
    denied = write(ends[1], text.get(), 16) < 0 ? -errno : 0;
    cpu::allow_device_memory();
    allowed = write(ends[1], text.get(), 16);
  }).join();
  EXPECT_EQ(denied, -EFAULT);
  EXPECT_EQ(allowed, 16);
  close(ends[0]);
  close(ends[1]);
}

// --- What goes wrong is told.

TEST(CpuDevice, AThreadThatSpinsWithoutPauseIsReported) {
  testing::internal::CaptureStderr();
  {
    cpu::device device({.os_threads = 1, .spin_report_ms = 40});
    run(device, {1, 3}, {2, 2}, [] {
      const cpu::thread_identity& me = cpu::self();
      if (me.block_rank != 2 || me.thread_rank != 3) {
        for (unsigned i = 0; i < 50; ++i) cpu::pause();
        return;
      }
      for (unsigned i = 0; i < 10; ++i) cpu::pause();
      sleep_ms(400);
    });
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("genesys: thread (1,1,0) of block (0,2,0), launch 1 has run for 0."), std::string::npos) << said;
  EXPECT_NE(said.find("without pause()"), std::string::npos);
  const auto lines = std::count(said.begin(), said.end(), '\n');  // after 40, 80, 160, 320 ms; later on a busy machine
  EXPECT_GE(lines, 1);
  EXPECT_LE(lines, 6);
}

TEST(CpuDevice, NoReportOfThreadsThatPause) {
  testing::internal::CaptureStderr();
  {
    cpu::device device({.spin_report_ms = 150});
    run(device, {4}, {32}, [] {
      const std::uint64_t until = cpu::clock_ns() + 400'000'000;
      while (cpu::clock_ns() < until) cpu::pause();
    });
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

__attribute__((noinline)) unsigned recurse(unsigned depth) {
  volatile unsigned char frame[2000];
  frame[depth % sizeof frame] = static_cast<unsigned char>(depth);
  if (depth == 0) {
    cpu::pause();
    return frame[0];
  }
  return recurse(depth - 1) + frame[depth % sizeof frame];
}

TEST_F(CpuDeviceDeathTest, StackOverflowIsReported) {
  const unsigned depth = (sanitized ? 256 : 64) * 1024 / 2000 + 2;
  const auto overflow = [&] {
    cpu::device device({.os_threads = 1, .seed = 1});  // so that always the same stack is over
    run(device, {1}, {40}, [&] { recurse(cpu::self().thread_rank == 33 ? depth : 1); });
  };
  EXPECT_DEATH(overflow(), "stack overflow: thread \\(33,0,0\\) of block \\(0,0,0\\), launch 1 ran past");
}

TEST_F(CpuDeviceDeathTest, EndlessRecursionIsReported) {
  if (sanitized) GTEST_SKIP() << "the sanitizers report it themselves";
  const auto overflow = [] {
    cpu::device device;
    run(device, {3}, {40}, [] { recurse(cpu::self().thread_rank == 33 ? 1u << 20 : 1); });
  };
  EXPECT_DEATH(overflow(), "stack overflow: thread \\(33,0,0\\) of block \\([0-2],0,0\\), launch 1 ran past");
}

TEST_F(CpuDeviceDeathTest, DeadlockIsReported) {
  const auto deadlock = [] {
    cpu::device device;
    run(device, {5}, {64}, [] {
      const cpu::thread_identity& me = cpu::self();
      if (me.block_rank != 3) return;
      if (me.thread_rank == 40) cpu::ballot(all_lanes, true);
      if (me.thread_rank != 40) cpu::sync_block();
    });
  };
  EXPECT_DEATH(deadlock(),
               "deadlock in block \\(3,0,0\\), launch 1: none of its 64 threads(.|\n)*"
               "1 waits in ballot\\(lanes 0xffffffff\\) in warp 1: thread \\(40,0,0\\)(.|\n)*"
               "63 wait in sync_block, the first is thread \\(0,0,0\\)");
}

TEST_F(CpuDeviceDeathTest, ALeavingThreadMayLeaveADeadlockBehind) {
  const auto deadlock = [] {
    cpu::device device;
    run(device, {1}, {2}, [] {
      if (cpu::self().lane == 0) {
        cpu::sync_warp(3);
      } else {
        cpu::sync_block();
      }
    });
  };
  EXPECT_DEATH(deadlock(), "deadlock in block");
}

TEST_F(CpuDeviceDeathTest, MisuseIsReported) {
  const auto run_one = [](auto body) {
    cpu::device device;
    run(device, {1}, {2}, body);
  };
  EXPECT_DEATH(run_one([] { cpu::ballot(1, true); }), "ballot: thread \\(1,0,0\\) .* not among the lanes 0x00000001");
  EXPECT_DEATH(cpu::sync_block(), "sync_block: called outside of a kernel");
  EXPECT_DEATH(run_one([] { throw std::runtime_error("boom"); }), "an exception left the kernel in thread .*boom");
  EXPECT_DEATH(run_one([] {
                 static const char tag = 0;
                 cpu::shared_static(&tag, cpu::shared_bytes_max + 1);
               }),
               "shared memory of 232448 bytes");
}

TEST_F(CpuDeviceDeathTest, FreedDeviceMemoryCannotBeTouched) {
  const auto touch = [] {
    cpu::device device;
    auto* const memory = static_cast<volatile char*>(device.allocate_device(10'000));
    device.free_device(const_cast<char*>(memory));
    memory[5000] = 1;
  };
  EXPECT_DEATH(touch(), "");
}

#if defined(GENESYS_CPU_TSAN)

// --- Races. Each kernel runs in a child process, which ends with the number of races that were reported.

std::atomic<int> reports{0};

}  // namespace
extern "C" void __tsan_on_report(void*) { ++reports; }
namespace {

template <class Body>
[[noreturn]] void count_reports(dims grid, dims block, Body body) {
  {
    cpu::device device({.os_threads = 1, .seed = 5});
    device_array<unsigned> data(device, 4096);
    run(
        device, grid, block, [at = data.get(), &body] { body(at); }, 4096);
  }
  _exit(std::min(reports.load(), 2) + 10);
}

const auto no_race = testing::ExitedWithCode(10);
bool some_race(int status) { return WIFEXITED(status) && WEXITSTATUS(status) > 10; }

class CpuDeviceRaceDeathTest : public CpuDeviceDeathTest {};

TEST_F(CpuDeviceRaceDeathTest, LanesThatMeetNowhere) {
  const auto racing = [](unsigned* at) { at[0] += cpu::self().lane; };
  EXPECT_EXIT(count_reports({1}, {32}, racing), some_race, "data race");
  EXPECT_EXIT(count_reports({2}, {1}, racing), some_race, "data race");
  EXPECT_EXIT(count_reports({1}, {64}, [](unsigned*) { ++*static_cast<unsigned*>(cpu::dynamic_shared()); }), some_race,
              "data race");
  EXPECT_EXIT(count_reports({1}, {32}, [](unsigned* at) { at[cpu::self().lane] = 1; }), no_race, "");
}

void pass_on(unsigned* at, void (*meet)()) {
  const unsigned lane = cpu::self().lane;
  if (lane < 2) at[lane] = 7;
  meet();
  if (lane < 2 && at[1 - lane] != 7) std::abort();
}

TEST_F(CpuDeviceRaceDeathTest, SyncWarpOrders) {
  EXPECT_EXIT(count_reports({4}, {64},
                            [](unsigned* at) {
                              pass_on(at + cpu::self().block_rank * 64 + cpu::self().warp * 8,
                                      [] { cpu::sync_warp(all_lanes); });
                            }),
              no_race, "");
}

TEST_F(CpuDeviceRaceDeathTest, VotesAndShufflesDoNot) {
  EXPECT_EXIT(count_reports({1}, {32}, [](unsigned* at) { pass_on(at, [] { cpu::ballot(all_lanes, true); }); }),
              some_race, "data race");
  EXPECT_EXIT(count_reports({1}, {32}, [](unsigned* at) { pass_on(at, [] { cpu::shuffle(all_lanes, 1, 1); }); }),
              some_race, "data race");
}

TEST_F(CpuDeviceRaceDeathTest, SyncWarpOrdersTheLanesItNames) {
  const auto other_mask = [] { cpu::sync_warp(1u << cpu::self().lane); };
  EXPECT_EXIT(count_reports({1}, {32}, [&](unsigned* at) { pass_on(at, other_mask); }), some_race, "data race");
}

TEST_F(CpuDeviceRaceDeathTest, ABarrierIsMissing) {
  const auto add_neighbour = [](bool second) {
    return [second](unsigned* at) {
      const unsigned me = cpu::self().thread_rank;
      at[me] = me;
      cpu::sync_block();
      const unsigned sum = at[me] + at[(me + 1) % 64];
      if (second) cpu::sync_block();
      at[me] = sum;
      cpu::sync_block();
    };
  };
  EXPECT_EXIT(count_reports({1}, {64}, add_neighbour(true)), no_race, "");
  EXPECT_EXIT(count_reports({1}, {64}, add_neighbour(false)), some_race, "data race");
}

TEST_F(CpuDeviceRaceDeathTest, StacksAndSharedMemoryOfEarlierBlocksAreForgotten) {
  EXPECT_EXIT(count_reports({200}, {40},
                            [](unsigned*) {
                              static const char tag = 0;
                              auto* const line =
                                  static_cast<unsigned*>(cpu::shared_static(&tag, 40 * sizeof(unsigned)));
                              auto* const other = static_cast<unsigned*>(cpu::dynamic_shared());
                              volatile unsigned mine[100];
                              for (unsigned i = 0; i < 100; ++i) mine[i] = i;
                              line[cpu::self().thread_rank] = other[cpu::self().thread_rank] = mine[5];
                              cpu::pause();
                            }),
              no_race, "");
}

#endif

}  // namespace
