// SPDX-License-Identifier: Apache-2.0
// Races between the threads of a kernel. Each kernel runs in a child process, whose exit status is the number of races
// that ThreadSanitizer reports.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "cpu_testing.h"

namespace {

using namespace cpu_testing;

#if defined(GENESYS_CPU_TSAN)

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
