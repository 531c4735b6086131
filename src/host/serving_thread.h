// SPDX-License-Identifier: Apache-2.0
// A thread of the runtime's own: signals go to the program's threads.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "genesys/error.h"

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

// `name`: as top and /proc show it, at most 15 characters. Throws error(system): there is no thread to be had.
template <class F>
std::thread serving_thread(const char* name, F body) {
  const signals_blocked blocked;
  try {
    return std::thread([name, body = std::move(body)]() mutable {
      ::pthread_setname_np(::pthread_self(), name);
      body();
    });
  } catch (const std::system_error& caught) {
    throw error(error_code::system, std::string("cannot start a thread (") + caught.code().message() +
                                        "): ulimit -u, or the pids.max of a control group, limits them");
  }
}

}  // namespace genesys::detail
