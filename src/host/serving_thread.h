// SPDX-License-Identifier: Apache-2.0
// A thread of the runtime's own: signals go to the program's threads.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

#include "target/start_thread.h"

namespace genesys::detail {

// No signal is delivered to this thread, nor to those that it starts, while one exists.
class signals_blocked {
 public:
  signals_blocked() {
    sigset_t all;
    sigfillset(&all);
    changed_ = ::pthread_sigmask(SIG_SETMASK, &all, &before_) == 0;
  }
  ~signals_blocked() {
    if (changed_) ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;

 private:
  sigset_t before_{};
  bool changed_ = false;
};

// `name`: as top and /proc show it, at most 15 characters. Throws error(system): the system gives no thread.
template <class F>
std::thread serving_thread(const char* name, F body) {
  const signals_blocked blocked;
  return start_thread([name, body = std::move(body)]() mutable {
    ::pthread_setname_np(::pthread_self(), name);
    body();
  });
}

}  // namespace genesys::detail
