// SPDX-License-Identifier: Apache-2.0
// Calls that waited without a thread (parking.h, dependent_calls.h) and are now ready: the next free worker makes them.
// Parking, dependents and workers with a busy ring add calls; workers remove them. Moving a call here from where it
// waited allocates nothing.
#pragma once

#include <atomic>
#include <compare>
#include <functional>
#include <map>
#include <mutex>

#include "genesys/detail/wire/protocol.h"
#include "policy/descriptors.h"

namespace genesys::detail {

// What a call waits for: a socket, by its cookie (SO_COOKIE, socket(7)), to become ready as the events of epoll(7) say.
struct socket_wait {
  u64 cookie;  // 0: no socket
  u32 events;
  auto operator<=>(const socket_wait&) const = default;
};

struct parked_call {
  request call;
  u64 since_ns;
  own_descriptor fd;  // a duplicate, so that the call keeps its open file; none: a sleep, or a line has one for all
  bool anew;          // a worker makes the call again; otherwise the call completes
  // Of a dependent: it is still in its queue; it may be made.
  bool untaken = false, due = false;
  socket_wait wait{0, 0};
  u64 gives_up_ns = 0;    // it waits until then (wait_limit_ns); 0: without limit
  bool gives_up = false;  // that time has come: the worker makes it without waiting
};
using parked_calls = std::map<u64, parked_call>;  // by order of arrival

// This thread is a worker that looks for ready calls in its next round, so its own push() wakes no other worker.
// If a call holds that worker up first, another worker takes them; the monitor wakes one if all sleep.
inline thread_local bool looks_for_ready_soon = false;

class ready_calls {
 public:
  // Wakes a worker that may sleep. Set before the first push.
  void set_wakeup(std::function<void()> wakeup) { wakeup_ = std::move(wakeup); }

  // Adds a call that was not parked. Throws bad_alloc.
  void push(const request& call) {
    parked_calls one;
    one.emplace(0, parked_call{call, 0, {}, true});
    push(one.extract(one.begin()));
  }
  void push(parked_calls::node_type one) {
    {
      const std::lock_guard hold(lock_);
      one.key() = came_++;  // its key where it waited may not be unique here
      calls_.insert(std::move(one));
      any_.store(true, std::memory_order_seq_cst);  // pairs with any(), which a worker calls before it sleeps
    }
    if (wakeup_ && !looks_for_ready_soon) wakeup_();
  }
  bool any() const { return any_.load(std::memory_order_seq_cst); }
  // Empty: there is none.
  parked_calls::node_type pop() {
    const std::lock_guard hold(lock_);
    if (calls_.empty()) return {};
    auto one = calls_.extract(calls_.begin());
    any_.store(!calls_.empty(), std::memory_order_relaxed);
    return one;
  }

 private:
  std::atomic<bool> any_{false};
  std::mutex lock_;
  parked_calls calls_;
  u64 came_ = 0;
  std::function<void()> wakeup_;
};

}  // namespace genesys::detail
