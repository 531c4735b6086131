// SPDX-License-Identifier: Apache-2.0
// How far the search is, on a terminal: what it has opened and read so far, five times a second. Host code.
#pragma once

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include "genesys/genesys.h"

namespace grep {

class progress {
 public:
  // Shows nothing unless standard error is a terminal, and standard output is none.
  progress(const genesys::runtime& rt, bool is_wanted) : rt_(rt) {
    if (!is_wanted || ::isatty(STDERR_FILENO) == 0 || ::isatty(STDOUT_FILENO) != 0) return;
    thread_ = std::jthread([this](const std::stop_token& ends) {
      std::mutex lock;
      std::unique_lock hold(lock);
      std::condition_variable_any ended;
      bool is_shown = false;
      while (!ended.wait_for(hold, ends, std::chrono::milliseconds(200), [&] { return ends.stop_requested(); })) {
        show();
        is_shown = true;
      }
      if (is_shown) std::fputs("\r\033[K", stderr);
    });
  }

 private:
  void show() const {
    std::ifstream io("/proc/self/io");
    std::string name;
    unsigned long long bytes = 0;
    io >> name >> bytes;  // rchar
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    unsigned long long opened = 0;
    for (const auto& [call, count] : rt_.stats().calls) opened += call == "openat" ? count : 0;
    std::fprintf(stderr, "\rgrep: %llu opened, %.2f GB read, %.2f GB/s\033[K", opened, static_cast<double>(bytes) / 1e9,
                 static_cast<double>(bytes) / 1e9 / seconds);
  }

  const genesys::runtime& rt_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace grep
