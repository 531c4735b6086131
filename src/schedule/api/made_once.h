// SPDX-License-Identifier: Apache-2.0
// Values that take long to make, by key. The first thread that asks for one makes it, and threads that ask for the same
// one wait for it. Threads that ask for another one do not. Any thread may call it.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace genesys::schedule {

template <class key, class value>
class made_once {
 public:
  // The value stays where it is. If make() throws, the next thread that asks makes it.
  template <class maker>
  value& get(const key& of, maker make) {
    entry& one = entry_of(of);
    if (one.is_made.load(std::memory_order_acquire)) return *one.made;  // pairs with the store below
    const std::lock_guard hold(one.making);
    if (!one.made) {
      one.made.emplace(make());
      one.is_made.store(true, std::memory_order_release);
    }
    return *one.made;
  }

 private:
  struct entry {
    std::mutex making;
    std::optional<value> made;  // under making, until is_made
    std::atomic<bool> is_made{false};
  };
  entry& entry_of(const key& of) {
    const std::lock_guard hold(finding_);
    return entries_.try_emplace(of).first->second;
  }

  std::mutex finding_;
  std::map<key, entry> entries_;
};

}  // namespace genesys::schedule
