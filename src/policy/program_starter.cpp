// SPDX-License-Identifier: Apache-2.0
#include "policy/program_starter.h"

#include <signal.h>

namespace genesys::detail {

// The thread takes no signals of the program's.
program_starter::program_starter() {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { serve(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

program_starter::~program_starter() {
  {
    const std::lock_guard hold(lock_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

i64 program_starter::run(const std::function<i64()>& start) {
  const std::lock_guard alone(asking_);
  std::unique_lock hold(lock_);
  asked_ = &start;
  changed_.notify_all();
  changed_.wait(hold, [this] { return asked_ == nullptr; });
  return result_;
}

void program_starter::serve() {
  std::unique_lock hold(lock_);
  for (;;) {
    changed_.wait(hold, [this] { return asked_ != nullptr || ends_; });
    if (asked_ == nullptr) return;
    result_ = (*asked_)();
    asked_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace genesys::detail
