// SPDX-License-Identifier: Apache-2.0
// A thread that starts programs for kernels whose policy denies something: Linux confines the threads that serve them
// (confine.h), and a program that such a thread started would be confined, too. Any thread may ask.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "genesys/detail/wire/types.h"

namespace genesys::detail {

class program_starter {
 public:
  program_starter();
  ~program_starter();
  program_starter(const program_starter&) = delete;
  program_starter& operator=(const program_starter&) = delete;

  // Runs `start` in the thread, and returns its result. One at a time; each takes as long as Linux needs to begin the
  // program.
  i64 run(const std::function<i64()>& start);

 private:
  void serve();

  std::mutex asking_;  // one thread asks at a time
  std::mutex lock_;    // of what follows
  std::condition_variable changed_;
  const std::function<i64()>* asked_ = nullptr;
  i64 result_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace genesys::detail
