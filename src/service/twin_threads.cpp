// SPDX-License-Identifier: Apache-2.0
#include "service/twin_threads.h"

#include <pthread.h>

#include <system_error>

namespace genesys::detail::services {

bool twin_threads::post(std::function<void()> job, std::size_t jobs_max) {
  {
    const std::lock_guard hold(lock_);
    if (ends_ || jobs_.size() >= jobs_max) return false;
    if (threads_.size() < count_) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        if (threads_.empty()) return false;
      }
    }
    jobs_.push_back(std::move(job));
  }
  woken_.notify_one();
  return true;
}

void twin_threads::work() {
  pthread_setname_np(pthread_self(), "genesys-twin");
  std::unique_lock hold(lock_);
  for (;;) {
    woken_.wait(hold, [this] { return ends_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    const auto job = std::move(jobs_.front());
    jobs_.pop_front();
    hold.unlock();
    job();
    hold.lock();
  }
}

void twin_threads::end() {
  {
    const std::lock_guard hold(lock_);
    ends_ = true;
  }
  woken_.notify_all();
  for (std::thread& each : threads_) each.join();
  threads_.clear();
}

}  // namespace genesys::detail::services
