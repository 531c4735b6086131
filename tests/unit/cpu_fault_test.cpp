// SPDX-License-Identifier: Apache-2.0
// The reports of the CPU device on faults of kernels. Fatal errors happen in child processes.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "cpu_testing.h"

namespace {

using namespace cpu_testing;

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
    cpu::device device({.os_threads = 1, .seed = 1});  // with a fixed seed the same stack overflows each time
    run(device, {1}, {40}, [&] { recurse(cpu::self().thread_rank == 33 ? depth : 1); });
  };
  EXPECT_DEATH(overflow(), "stack overflow: thread \\(33,0,0\\) of block \\(0,0,0\\), launch 1 ran past");
}

// A thread of a kernel with a local array of 1 MiB: it writes every page, and reads all of them after a pause.
unsigned fill_large_array() {
  constexpr std::size_t bytes = 1u << 20, page = 4096;
  volatile unsigned char large[bytes];
  for (std::size_t at = 0; at < bytes; at += page) large[at] = static_cast<unsigned char>(at / page);
  cpu::pause();
  unsigned wrong = 0;
  for (std::size_t at = 0; at < bytes; at += page) wrong += large[at] != static_cast<unsigned char>(at / page);
  return wrong;
}

TEST_F(CpuDeviceDeathTest, ALargeLocalArrayOverflowsTheDefaultStack) {
  if (sanitized) GTEST_SKIP() << "the sanitizers report it themselves";
  const auto overflow = [] {
    cpu::device device;
    run(device, {1}, {40}, [] {
      if (cpu::self().thread_rank == 33) fill_large_array();
    });
  };
  EXPECT_DEATH(overflow(),
               "stack overflow: thread \\(33,0,0\\) of block \\(0,0,0\\), launch 1 ran past the end of its stack of 64 "
               "KiB; options.stack_bytes sets how large the stacks are");
}

TEST(CpuDevice, ALargerStackHoldsALargeLocalArray) {
  for (const std::size_t stack_bytes : {std::size_t{2} << 20, (std::size_t{1} << 20) + 16 * 1024}) {
    cpu::device device({.stack_bytes = stack_bytes});
    constexpr unsigned threads = 40;  // each takes 1 MiB
    device_array<unsigned> wrong(device, threads);
    run(device, {1}, {threads}, [wrong = wrong.get()] { wrong[cpu::self().thread_rank] += fill_large_array(); });
    unsigned sum = 0;
    for (unsigned i = 0; i < threads; ++i) sum += wrong[i];
    EXPECT_EQ(sum, 0u);
  }
}

TEST(CpuDevice, StackSizesAreWholePagesWithinLimits) {
  using options = cpu::device_options;
  const std::size_t scale = sanitized ? 4 : 1;
  EXPECT_EQ(cpu::device({.stack_bytes = 20'001}).stack_bytes(), scale * 20'480);
  EXPECT_EQ(cpu::device({.stack_bytes = options::stack_bytes_min}).stack_bytes(), scale * options::stack_bytes_min);
  EXPECT_THROW(cpu::device({.stack_bytes = options::stack_bytes_min - 1}), std::invalid_argument);
  EXPECT_THROW(cpu::device({.stack_bytes = options::stack_bytes_max + 1}), std::invalid_argument);
  // The address space holds a few thousand of the largest stacks, which suffices for a block of 1,024 threads.
  cpu::device largest({.resident_threads_max = 1u << 20, .stack_bytes = options::stack_bytes_max});
  EXPECT_GE(largest.resident_threads_max(), 1024u);
  EXPECT_LT(largest.resident_threads_max(), 8192u);
  run(largest, {20}, {1024}, [] { cpu::sync_block(); });
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

}  // namespace
