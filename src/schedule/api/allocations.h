// SPDX-License-Identifier: Apache-2.0
// The memory that kernels may be given, as the verdict on a launch needs it. Any thread may call it.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "schedule/classify/launch_verdict.h"

namespace genesys::schedule {

class allocations {
 public:
  void add(allocation one) {
    const std::lock_guard hold(lock_);
    known_[one.base] = one;
  }
  bool remove(std::uint64_t base) {
    const std::lock_guard hold(lock_);
    return known_.erase(base) != 0;
  }
  bool holds(std::uint64_t address) const {
    const std::lock_guard hold(lock_);
    auto after = known_.upper_bound(address);
    return after != known_.begin() && address - (--after)->first < after->second.bytes;
  }
  // Sorted by base.
  std::vector<allocation> all() const {
    const std::lock_guard hold(lock_);
    std::vector<allocation> list;
    list.reserve(known_.size());
    for (const auto& [base, one] : known_) list.push_back(one);
    return list;
  }

 private:
  mutable std::mutex lock_;
  std::map<std::uint64_t, allocation> known_;
};

}  // namespace genesys::schedule
