// SPDX-License-Identifier: Apache-2.0
// Threads of a server that run twins, for tickets and for threads that sleep. They start with the first job.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace genesys::detail::services {

class twin_threads {
 public:
  explicit twin_threads(unsigned count) : count_(count) {}
  // Runs what is left.
  ~twin_threads() { end(); }
  twin_threads(const twin_threads&) = delete;
  twin_threads& operator=(const twin_threads&) = delete;

  // False: `jobs_max` wait already, or Linux gives no thread, and the job is not taken. Any thread.
  bool post(std::function<void()> job, std::size_t jobs_max);
  // Runs what is left. No bound: a twin is a function of the program, as if the program called it itself.
  void end();

 private:
  void work();

  const unsigned count_;
  std::mutex lock_;
  std::condition_variable woken_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  bool ends_ = false;
};

}  // namespace genesys::detail::services
