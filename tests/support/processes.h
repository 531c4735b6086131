// SPDX-License-Identifier: Apache-2.0
// What tests with several processes share: child processes that a test ends by their numbers, and memory that it shares
// with them. Called by the test's thread, which forks while it is the only one.
#pragma once

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <thread>
#include <utility>

namespace daemon_testing {

using namespace std::chrono_literals;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr unsigned slower = 20;
#else
constexpr unsigned slower = 1;
#endif

// Waits for a condition, ten seconds at most unless told.
template <class F>
bool until(F condition, std::chrono::seconds at_most = 10s) {
  const auto end = std::chrono::steady_clock::now() + at_most * slower;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

// A child that runs `body` and exits with its result. The test's end kills it.
class child {
 public:
  explicit child(const std::function<int()>& body) : pid_(::fork()) {
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    int status = 99;
    try {
      status = body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    ::_exit(status);
  }
  child(child&& from) noexcept : pid_(std::exchange(from.pid_, 0)) {}
  child& operator=(child&& from) noexcept {
    std::swap(pid_, from.pid_);
    return *this;
  }
  ~child() {
    if (pid_ > 0) kill(SIGKILL), wait();
  }
  void kill(int signal) const { ::kill(pid_, signal); }
  // The exit status; -N if signal N ended it; -1000 if it does not end.
  int wait() {
    int status = 0;
    if (!until([&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; }, 60s)) return -1000;
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

// Memory that the test and its children share, zero at first.
template <class T>
class shared {
 public:
  shared()
      : at_(static_cast<T*>(::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~shared() { ::munmap(at_, sizeof(T)); }
  T* operator->() const { return at_; }
  T& operator*() const { return *at_; }

 private:
  T* at_;
};

}  // namespace daemon_testing
