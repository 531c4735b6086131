// SPDX-License-Identifier: Apache-2.0
// Threads of a block, or lanes of a warp, make different calls where all must make the same one. The CPU device reports
// both calls, and how many threads make each. The misuses run in child processes.
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "cpu_testing.h"
#include "genesys/genesys.h"

namespace {

using namespace cpu_testing;
using genesys::block;
using genesys::consumer;
using genesys::grid;
using genesys::producer;
using genesys::warp;

constexpr unsigned team_threads = 64;

bool is_second_half() { return genesys::thread_rank() >= team_threads / 2; }

template <class Body>
void play(Body body, unsigned blocks = 1) {
  genesys::runtime rt({.device = genesys::device_kind::cpu,
                       .workers = 1,
                       .arena_bytes = 1u << 20,
                       .bounce_bytes = 16u << 20,
                       .sigquit = false});
  genesys::launch(rt, {.blocks = {blocks}, .threads = {team_threads}}, body).drain();
}

std::string two_halves(const std::string& one, const std::string& other) {
  const std::string each = "of 64 ";
  return "genesys: threads of block \\(0,0,0\\), launch 1 make different calls(.|\n)*32 " + each + "(" + one +
         "; the first is thread \\(0,0,0\\)|" + other + "; the first is thread \\(32,0,0\\))(.|\n)*32 " + each + "(" +
         one + "; the first is thread \\(0,0,0\\)|" + other + "; the first is thread \\(32,0,0\\))";
}

class TeamCallDeathTest : public CpuDeviceDeathTest {};

TEST_F(TeamCallDeathTest, DifferentCalls) {
  const auto kernel = [](genesys::os os) {
    const auto io = os.on(block());
    is_second_half() ? io.getppid() : io.getpid();
  };
  EXPECT_DEATH(play(kernel), two_halves("make getpid\\(\\) at block scope", "make getppid\\(\\) at block scope"));
}

TEST_F(TeamCallDeathTest, DifferentArguments) {
  EXPECT_DEATH(play([](genesys::os os) { os.on(block()).getpriority(0, is_second_half() ? 1 : 2); }),
               two_halves("make getpriority\\(which=PRIO_PROCESS, who=2\\) at block scope",
                          "make getpriority\\(which=PRIO_PROCESS, who=1\\) at block scope"));
}

TEST_F(TeamCallDeathTest, DifferentPointersToSharedMemory) {
  const auto kernel = [](genesys::os os) {
    char* const buffer = genesys::shared<char[128]>();
    os.on(block()).pread64(0, buffer + (is_second_half() ? 64 : 0), 64, 0);
  };
  EXPECT_DEATH(play(kernel), "make pread64\\(fd=0, buf=0x[0-9a-f]*[048c]0, count=64, pos=0\\) at block scope");
}

TEST_F(TeamCallDeathTest, DifferentNumbers) {
  EXPECT_DEATH(play([](genesys::os os) { os.on(block()).syscall(is_second_half() ? 39 : 110); }),
               two_halves("make getppid\\(\\) at block scope", "make getpid\\(\\) at block scope"));
}

TEST_F(TeamCallDeathTest, DifferentOrders) {
  const auto kernel = [](genesys::os os) {
    const auto io = os.on(block());
    is_second_half() ? io.relaxed(producer()).getpid() : io.getpid();
  };
  EXPECT_DEATH(play(kernel), two_halves("make getpid\\(\\) at block scope",
                                        "make getpid\\(\\) at block scope, relaxed as a producer"));
}

TEST_F(TeamCallDeathTest, ProducersThatPost) {
  const auto kernel = [](genesys::os os) { os.on(block()).relaxed().posted().write(is_second_half() ? 1 : 2, "", 0); };
  const std::string rest = ", buf=0x[0-9a-f]+, count=0\\) at block scope, relaxed as a producer, posted";
  EXPECT_DEATH(play(kernel), two_halves("make write\\(fd=2" + rest, "make write\\(fd=1" + rest));
}

// The threads meet only after the call, which the first thread to arrive has then made.
TEST_F(TeamCallDeathTest, Consumers) {
  const auto kernel = [](genesys::os os) {
    const auto io = os.on(block()).relaxed(consumer());
    is_second_half() ? io.getpid() : io.getppid();
  };
  EXPECT_DEATH(play(kernel), two_halves("make getppid\\(\\) at block scope, relaxed as a consumer",
                                        "make getpid\\(\\) at block scope, relaxed as a consumer"));
}

TEST_F(TeamCallDeathTest, ConsumersByNumber) {
  const auto kernel = [](genesys::os os) {
    os.on(block()).relaxed(consumer()).posted().syscall(is_second_half() ? 39 : 110);
  };
  EXPECT_DEATH(play(kernel), two_halves("make getppid\\(\\) at block scope, relaxed as a consumer, posted",
                                        "make getpid\\(\\) at block scope, relaxed as a consumer, posted"));
}

TEST_F(TeamCallDeathTest, Tickets) {
  const auto kernel = [](genesys::os os) {
    const auto io = os.on(block()).ticket();
    auto one = io.getpriority(0, is_second_half() ? 1 : 2);
    one.wait();
  };
  EXPECT_DEATH(play(kernel),
               two_halves("make getpriority\\(which=PRIO_PROCESS, who=2\\) at block scope, with a ticket",
                          "make getpriority\\(which=PRIO_PROCESS, who=1\\) at block scope, with a ticket"));
}

TEST_F(TeamCallDeathTest, WaitsForDifferentTickets) {
  const auto kernel = [](genesys::os os) {
    const auto io = os.on(block()).ticket();
    auto one = io.getpriority(0, 1), other = io.getpriority(0, 2);
    (is_second_half() ? other : one).wait();
  };
  EXPECT_DEATH(play(kernel),
               two_halves("wait for the ticket of getpriority\\(which=PRIO_PROCESS, who=1\\) at block scope",
                          "wait for the ticket of getpriority\\(which=PRIO_PROCESS, who=2\\) at block scope"));
}

TEST_F(TeamCallDeathTest, ATicketAndACall) {
  const auto kernel = [](genesys::os os) {
    const auto io = os.on(block());
    auto one = io.ticket().getpid();
    is_second_half() ? io.getpid() : one.wait();
  };
  EXPECT_DEATH(play(kernel),
               two_halves("wait for the ticket of getpid\\(\\) at block scope", "make getpid\\(\\) at block scope"));
}

TEST_F(TeamCallDeathTest, BlocksOfAGrid) {
  const auto kernel = [](genesys::os os) {
    if (genesys::block_rank() != 0) return;
    const auto io = os.on(grid()).relaxed(consumer());
    is_second_half() ? io.getpid() : io.getppid();
  };
  EXPECT_DEATH(play(kernel, 2), two_halves("make getppid\\(\\) at grid scope, relaxed as a consumer",
                                           "make getpid\\(\\) at grid scope, relaxed as a consumer"));
}

TEST_F(TeamCallDeathTest, LanesOfAWarp) {
  const auto kernel = [](genesys::os os) {
    if (genesys::warp_rank() != 1) return;
    const auto io = os.on(warp());
    genesys::lane() == 5 ? io.getpid() : io.getppid();
  };
  EXPECT_DEATH(play(kernel),
               "genesys: lanes of warp 1 of block \\(0,0,0\\), launch 1 make different calls(.|\n)*"
               "(1 of 32 makes getpid\\(\\) at warp scope: thread \\(37,0,0\\)|"
               "31 of 32 make getppid\\(\\) at warp scope; the first is thread \\(32,0,0\\))(.|\n)*of 32");
}

TEST_F(TeamCallDeathTest, LanesOfAWarpThatConsume) {
  const auto kernel = [](genesys::os os) {
    if (genesys::lane() >= 7) return;
    const auto io = os.on(warp{0x7f}).relaxed(consumer());
    genesys::lane() == 5 ? io.getpid() : io.getppid();
  };
  EXPECT_DEATH(play(kernel), "genesys: lanes of warp [01] of block(.|\n)*of 7 make");
}

// sync_block_count of the kernel also counts threads, so a call meets these threads there.
TEST_F(TeamCallDeathTest, ABarrierAndACall) {
  const auto kernel = [](genesys::os os) {
    if (is_second_half()) {
      genesys::sync_block_count(true);
    } else {
      os.on(block()).getpid();
    }
  };
  EXPECT_DEATH(play(kernel),
               two_halves("make getpid\\(\\) at block scope", "wait in sync_block_count outside of any call"));
}

TEST_F(TeamCallDeathTest, ThreadsThatWaitForEachOtherInACall) {
  const auto kernel = [](genesys::os os) {
    if (is_second_half()) {
      genesys::sync_block();
    } else {
      os.on(block()).getpid();
    }
  };
  EXPECT_DEATH(
      play(kernel),
      "deadlock in block \\(0,0,0\\), launch 1(.|\n)*32 wait in sync_block, the first is thread \\(32,0,0\\)(.|\n)*"
      "32 wait in sync_block_count of getpid\\(\\) at block scope, the first is thread \\(0,0,0\\)");
}

// No misuse: private memory of each thread, threads that have left, two masks of one warp, and a producer's call that
// the leader's warp still makes while the other warps make the next one.
TEST(TeamCall, WhatIsAllowed) {
  testing::internal::CaptureStderr();
  play([](genesys::os os) {
    if (genesys::thread_rank() == 3) return;
    timespec now;
    char own[16];
    const auto io = os.on(block());
    for (unsigned i = 0; i < 4; ++i) {
      io.clock_gettime(CLOCK_MONOTONIC, &now);
      io.relaxed(producer()).getpid();
      io.relaxed(consumer()).getppid();
      io.relaxed().posted().pwrite64(-1, own, sizeof own, 0);
      auto later = io.ticket().pread64(-1, own, sizeof own, 0);
      io.getpid();
      later.wait();
      const unsigned lanes = genesys::lane() % 2 == 0 ? 0x55555555u : 0xaaaaaaaau;
      const auto half = os.on(warp{genesys::warp_rank() == 0 ? lanes & ~8u : lanes});
      half.getpriority(0, static_cast<int>(genesys::lane() % 2));
      os.getpriority(0, static_cast<int>(genesys::lane()));
    }
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
