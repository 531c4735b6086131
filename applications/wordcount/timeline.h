// SPDX-License-Identifier: Apache-2.0
// What the process uses over time: every 10 ms the bytes that it has read, its CPU time, and how long a block of the
// kernel has computed, as the mean of all blocks (GENESYS, Figure 14).
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "genesys/kernel.h"
#include "support/program.h"
#include "work.h"

namespace wordcount {

struct cpu_use {
  double user, system;
};
inline cpu_use cpu_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return {seconds(used.ru_utime), seconds(used.ru_stime)};
}

class timeline {
 public:
  explicit timeline(const std::string& path) : path_(path), to_(path) {
    if (!to_) throw std::runtime_error("cannot write " + path);
    to_ << "seconds,bytes,user,system,computed\n";
    thread_ = std::jthread([this](const std::stop_token& ends) {
      const auto begin = std::chrono::steady_clock::now();
      for (; !ends.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
        std::ifstream io("/proc/self/io");
        std::string name;
        u64 bytes = 0;
        io >> name >> bytes;  // rchar
        const cpu_use used = cpu_seconds();
        to_ << application::seconds_since(begin) << "," << bytes << "," << used.user << "," << used.system << ","
            << computed_seconds() << "\n";
      }
    });
  }

  // Ends it. Throws std::runtime_error: the file is not complete.
  void finish() {
    thread_.request_stop();
    thread_.join();
    if (!to_.flush()) throw std::runtime_error("cannot write " + path_);
  }

  // While it lives, the timeline reads how long each of `blocks` blocks has computed: `computed`, nanoseconds.
  class kernel {
   public:
    kernel(timeline& of, u64* computed, unsigned blocks) : of_(of) {
      const std::lock_guard hold(of.mutex_);
      of.computed_ = computed;
      of.blocks_ = blocks;
    }
    ~kernel() {
      const std::lock_guard hold(of_.mutex_);
      of_.last_ = of_.mean_seconds();
      of_.computed_ = nullptr;
    }
    kernel(const kernel&) = delete;
    kernel& operator=(const kernel&) = delete;

   private:
    timeline& of_;
  };

 private:
  double computed_seconds() {
    const std::lock_guard hold(mutex_);
    return computed_ == nullptr ? last_ : mean_seconds();
  }
  double mean_seconds() const {
    double sum = 0;
    for (unsigned i = 0; i < blocks_; ++i)
      sum +=
          static_cast<double>(genesys::atomic<u64, genesys::thread_scope::system>(computed_[i]).load(order::relaxed));
    return sum / blocks_ / 1e9;
  }

  std::mutex mutex_;  // of the three below
  u64* computed_ = nullptr;
  unsigned blocks_ = 0;
  double last_ = 0;
  const std::string path_;
  std::ofstream to_;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace wordcount
