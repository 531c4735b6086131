// SPDX-License-Identifier: Apache-2.0
// Submissions that the driver has not seen. Any thread adds one, and goes on at once; who holds the driver's lock takes
// the most important one. So an urgent instance does not wait for the submissions of others, and one thread makes all
// calls of CUDA: what these calls touch stays in its caches.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "schedule/driver/completion.h"
#include "schedule/driver/instance_request.h"
#include "schedule/driver/spin_lock.h"

namespace genesys::schedule {

struct arrival {
  task_id task = 0;
  instance_request request;
  std::shared_ptr<completion> done;
};

class arrivals {
 public:
  // Any thread.
  void add(arrival one) {
    const std::lock_guard hold(lock_);
    new_.push_back(std::move(one));
    has_new_.store(true);  // sequentially consistent: see driver::submit()
  }
  bool has_new() const { return has_new_.load(); }

  // The rest is called under the driver's lock.
  bool is_empty() const { return !has_new() && sorted_.empty(); }
  // Of the task with the least nice value, in the order of submission. `nice_of(task)` must not change meanwhile.
  template <class function>
  std::optional<arrival> take(function nice_of) {
    if (has_new()) {
      {
        const std::lock_guard hold(lock_);
        taken_.swap(new_);
        has_new_.store(false);
      }
      for (arrival& each : taken_) {
        const int nice = nice_of(each.task);
        sorted_[nice].push_back(std::move(each));
      }
      taken_.clear();
    }
    if (sorted_.empty()) return std::nullopt;
    const auto first = sorted_.begin();
    std::optional<arrival> one(std::move(first->second.front()));
    first->second.pop_front();
    if (first->second.empty()) sorted_.erase(first);
    return one;
  }

 private:
  spin_lock lock_;
  std::vector<arrival> new_;
  std::atomic<bool> has_new_{false};
  std::vector<arrival> taken_;                 // empty outside of take()
  std::map<int, std::deque<arrival>> sorted_;  // by nice value
};

}  // namespace genesys::schedule
