// SPDX-License-Identifier: Apache-2.0
// Signals that a kernel sends to the process.
#include <signal.h>

#include <algorithm>
#include <atomic>

#include "contract.h"

namespace contract {
namespace {

constexpr u32 signals = 64;
struct caught_signal {
  int code, pid, uid, number;
  u64 value;
};
caught_signal caught[signals + 1];
std::atomic<u32> caught_begun{0}, caught_count{0};

void catch_signal(int number, siginfo_t* info, void*) {
  const u32 at = caught_begun.fetch_add(1);
  if (at > signals) return;
  caught[at] = {info->si_code, info->si_pid, static_cast<int>(info->si_uid), number,
                reinterpret_cast<u64>(info->si_value.sival_ptr)};
  caught_count.fetch_add(1);
}

struct send_signals {
  GENESYS_KERNEL void operator()(genesys::os os, int number, unsigned user, long* values) const {
    const u32 me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    siginfo_t info{};
    info.si_signo = number;
    info.si_code = SI_QUEUE;
    info.si_pid = static_cast<int>(os.getpid());
    info.si_uid = user;
    info.si_value.sival_ptr = reinterpret_cast<void*>(u64{0x1234'5678'0000} + me);
    values[me * 2] = os.rt_sigqueueinfo(info.si_pid, number, &info);
    info.si_code = SI_USER;
    values[me * 2 + 1] = os.rt_sigqueueinfo(info.si_pid, number, &info);
  }
};

TEST(Signals, ArriveWithTheirValues) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer keeps one signal of a number for each thread, and loses those that come meanwhile";
#endif
  runtime& rt = shared_runtime();
  const int number = SIGRTMIN + 3;
  struct sigaction action {
  }, before{};
  action.sa_sigaction = catch_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  ASSERT_EQ(::sigaction(number, &action, &before), 0);
  caught_begun = caught_count = 0;
  in_arena<long> values(rt, 2 * signals);
  play(rt, {.blocks = {2}, .threads = {signals / 2}}, send_signals{}, number, unsigned{::getuid()}, values.get());
  EXPECT_TRUE(eventually([] { return caught_count == signals; })) << caught_count;
  sigval native{};
  native.sival_ptr = reinterpret_cast<void*>(u64{0x1234'5678'0000} + signals);
  ASSERT_EQ(::sigqueue(::getpid(), number, native), 0);
  EXPECT_TRUE(eventually([] { return caught_count == signals + 1; })) << caught_count;
  ASSERT_EQ(::sigaction(number, &before, nullptr), 0);
  const caught_signal& last = caught[signals];
  std::vector<u64> seen;
  for (const caught_signal& one : caught) {
    EXPECT_EQ(one.code, last.code);
    EXPECT_EQ(one.pid, last.pid);
    EXPECT_EQ(one.uid, last.uid);
    EXPECT_EQ(one.number, number);
    seen.push_back(one.value - 0x1234'5678'0000);
  }
  std::sort(seen.begin(), seen.end());
  for (u32 i = 0; i <= signals; ++i) EXPECT_EQ(seen[i], i);
  for (u32 i = 0; i < signals; ++i) {
    EXPECT_EQ(values[2 * i], 0);
    EXPECT_EQ(values[2 * i + 1], -EPERM) << "only the process's first thread may pose as kill(2)";
  }
}

}  // namespace
}  // namespace contract
