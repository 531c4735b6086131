// SPDX-License-Identifier: Apache-2.0
// SIGQUIT prints a report as long as a runtime exists. Afterwards the program's own action for the signal holds again.
#include "host/sigquit.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <ostream>
#include <thread>

namespace genesys::detail {
namespace {

using handler = void (*)(int);

handler handler_now() {
  struct sigaction now {};
  ::sigaction(SIGQUIT, nullptr, &now);
  return now.sa_handler;
}

template <class F>
bool eventually(F holds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::ptrdiff_t threads_now() { return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}); }

// Registers for SIGQUIT as a runtime does, and counts reports.
class reporting {
 public:
  reporting() {
    report_on_sigquit(this, [this](std::ostream&) { ++reports_; });
  }
  ~reporting() { forget_on_sigquit(this); }
  reporting(const reporting&) = delete;
  reporting& operator=(const reporting&) = delete;
  int reports() const { return reports_; }

 private:
  std::atomic<int> reports_{0};
};

// The wait status of a child that calls `first` and then gets SIGQUIT.
template <class F>
int end_of_child(F first) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    first();
    ::raise(SIGQUIT);
    ::_exit(7);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(Sigquit, ReportsAsLongAsThereIsARuntime) {
  ASSERT_EQ(handler_now(), SIG_DFL);
  const auto threads = threads_now();
  for (int round = 0; round < 3; ++round) {
    reporting one;
    {
      reporting other;
      EXPECT_NE(handler_now(), SIG_DFL);
      ::raise(SIGQUIT);
      EXPECT_TRUE(eventually([&] { return one.reports() == 1 && other.reports() == 1; }));
    }
    EXPECT_NE(handler_now(), SIG_DFL) << "one is left";
    ::raise(SIGQUIT);
    EXPECT_TRUE(eventually([&] { return one.reports() == 2; }));
    EXPECT_EQ(threads_now(), threads + 1);
  }
  EXPECT_EQ(handler_now(), SIG_DFL);
  EXPECT_TRUE(eventually([&] { return threads_now() == threads; })) << "its thread stays";
}

TEST(Sigquit, EndsTheProcessAfterTheLastRuntime) {
  const int status = end_of_child([] { const reporting gone; });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGQUIT) << status;
}

std::atomic<int> programs{0};
void of_program(int) { ++programs; }

TEST(Sigquit, TheProgramsHandlerStays) {
  ::signal(SIGQUIT, of_program);
  {
    const reporting one;
    EXPECT_EQ(handler_now(), &of_program);
  }
  EXPECT_EQ(handler_now(), &of_program);
  ::signal(SIGQUIT, SIG_IGN);  // as in a background job of a shell
  {
    const reporting one;
    EXPECT_EQ(handler_now(), SIG_IGN);
  }
  ::signal(SIGQUIT, SIG_DFL);
  {
    const reporting one;
    EXPECT_NE(handler_now(), SIG_DFL);
    ::signal(SIGQUIT, of_program);  // instead of ours
  }
  EXPECT_EQ(handler_now(), &of_program);
  ::signal(SIGQUIT, SIG_DFL);
  EXPECT_EQ(programs, 0);
}

}  // namespace
}  // namespace genesys::detail
