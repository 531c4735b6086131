// SPDX-License-Identifier: Apache-2.0
// Threads that do the same with different numbers. Host code.
#pragma once

#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace application {

class thread_group {
 public:
  // `body(i)` in a thread for each i in [0, count). If Linux gives fewer threads, `end()` is called, which ends those
  // that run, and the constructor throws.
  template <class Body, class End>
  thread_group(unsigned count, Body body, const End& end) {
    try {
      for (unsigned i = 0; i < count; ++i) {
        threads_.emplace_back([this, body, i] {
          try {
            body(i);
          } catch (...) {
            const std::lock_guard hold(lock_);
            if (!failed_) failed_ = std::current_exception();
          }
        });
      }
    } catch (const std::exception&) {  // no thread, or no memory for it
      const std::size_t started = threads_.size();
      end();
      wait();
      throw std::runtime_error("only " + std::to_string(started) + " of " + std::to_string(count) +
                               " threads can be started: 'ulimit -u' and 'ulimit -v' limit them");
    }
  }
  ~thread_group() { wait(); }
  thread_group(const thread_group&) = delete;
  thread_group& operator=(const thread_group&) = delete;

  // Waits for all threads. Throws what the first one threw.
  void join() {
    wait();
    if (failed_) std::rethrow_exception(std::exchange(failed_, nullptr));
  }

 private:
  void wait() {
    for (std::thread& each : threads_)
      if (each.joinable()) each.join();
  }

  std::mutex lock_;
  std::exception_ptr failed_;
  std::vector<std::thread> threads_;
};

}  // namespace application
