// SPDX-License-Identifier: Apache-2.0
// The CPU device's memory regions.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "cpu_testing.h"

namespace {

using namespace cpu_testing;

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
  for (unsigned i = 1; i < 300; i += 2) {  // these pages stay mapped between unmapped neighbours
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

}  // namespace
