// SPDX-License-Identifier: Apache-2.0
// The monitor, which wakes Linux for the rings of the executor `direct`, is stopped and resumed.
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "direct.h"

namespace attack {

using namespace contract;

namespace {

struct call_now_and_then {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, u32 times, u64 gap_ns, long* said, u64* took_ns) const {
    using namespace genesys;
    for (u32 i = block_rank() * times; i < (block_rank() + 1) * times; ++i) {
      u64 begin = clock_ns();
      while (clock_ns() - begin < gap_ns) pause(1000);
      begin = clock_ns();
      said[i] = os.fdatasync(fd);
      took_ns[i] = clock_ns() - begin;
    }
  }
};

// The youngest monitor of this process's runtimes, or 0. (Linux shows the thread's name.)
pid_t youngest_monitor() {
  pid_t found = 0;
  for (const auto& one : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream comm(one.path() / "comm");
    std::string name;
    if (std::getline(comm, name) && name == "genesys-monitor")
      found = std::max(found, std::atoi(one.path().filename().c_str()));
  }
  return found;
}

// Starts a process that stops and resumes a thread of this one, again and again. Its exit status is 0 or an errno. It
// makes system calls only between fork() and _exit().
pid_t process_that_stops(pid_t thread, u32 times, long stopped_ms, long between_ms) {
  const pid_t other = ::fork();
  if (other != 0) return other;
  const timespec stopped{0, stopped_ms * 1'000'000}, between{0, between_ms * 1'000'000};
  int status;
  if (::ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) != 0) ::_exit(errno);
  for (u32 i = 0; i < times; ++i) {
    ::nanosleep(&between, nullptr);
    if (::ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr) != 0) ::_exit(errno);
    if (::waitpid(thread, &status, __WALL) != thread || !WIFSTOPPED(status)) ::_exit(ECHILD);
    ::nanosleep(&stopped, nullptr);
    if (::ptrace(PTRACE_CONT, thread, nullptr, nullptr) != 0) ::_exit(errno);
  }
  ::_exit(0);  // Linux detaches and resumes the thread
}

// While the monitor is stopped, a call whose ring sleeps waits for it. No call is lost, and the runtime takes none for
// lost.
TEST(DirectFaults, TheMonitorIsStoppedForAWhile) {
  constexpr u32 callers = 2, times = 25, stops = 5;
  constexpr long stopped_ms = 40;
  // After that time the thread of Linux sleeps: it counts its 2 ms in ticks, and 250 a second are usual.
  constexpr u64 gap_ns = 12'000'000;
  const pid_t of_others = youngest_monitor();
  runtime rt(direct_with(2, 8));
  if (!is_direct(rt)) GTEST_SKIP() << rt.describe();
  pid_t monitor = 0;
  ASSERT_TRUE(eventually([&] { return (monitor = youngest_monitor()) > of_others; }));
  const folder in;
  const descriptor file = made_file(in, "file", "x");
  const in_arena<long> said(rt, callers * times);
  const in_arena<u64> took_ns(rt, callers * times);
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  const pid_t other = process_that_stops(monitor, stops, stopped_ms, 30);
  ASSERT_GT(other, 0);
  play(rt, {.blocks = {callers}, .threads = {1}}, call_now_and_then{}, file.get(), times, gap_ns, said.get(),
       took_ns.get());
  int status = 0;
  if (!eventually([&] { return ::waitpid(other, &status, WNOHANG) == other; }))
    give_up(rt, "the monitor is not resumed");
  ::prctl(PR_SET_PTRACER, 0, 0, 0, 0);
  ASSERT_TRUE(WIFEXITED(status));
  const int why = WEXITSTATUS(status);
  if (why == EPERM || why == EACCES || why == ENOSYS) GTEST_SKIP() << "ptrace: " << std::strerror(why);
  ASSERT_EQ(why, 0) << std::strerror(why);
  u32 late = 0;
  for (u32 i = 0; i < callers * times; ++i) {
    EXPECT_EQ(said[i], 0) << i;
    late += took_ns[i] > u64{stopped_ms} * 1'000'000 / 2;
  }
  EXPECT_GE(late, 2u);
  EXPECT_EQ(rt.stats().direct_calls, callers * times);
}

}  // namespace
}  // namespace attack
