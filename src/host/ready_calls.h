// SPDX-License-Identifier: Apache-2.0
// Calls that wait without a thread (parking.h, followers.h), and those of them that need not wait any more and whose
// callers cannot make them: the next worker that has time does. Filled by those two, and by workers that
// have calls in their rings; emptied by workers. A call goes
// from one to the other without memory being needed for it.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>

#include "genesys/detail/wire/protocol.h"
#include "policy/descriptors.h"

namespace genesys::detail {

struct parked_call {
  request call;
  u64 since_ns;
  own_descriptor fd;  // a duplicate, so that the open file stays the one that was meant; none: a sleep
  bool anew;          // when it is ready, the call itself is made anew, by a worker; else the caller is told
  // Of one that follows another (followers.h): it is still in its ring; and it may be made.
  bool untaken = false, due = false;
};
using parked_calls = std::map<u64, parked_call>;  // in the order in which they came, to where they are

// This thread is a worker that looks for ready calls on its next round: it need not ring for those that it puts there.
// (If a call holds it up before, another worker that is awake takes them, or the watcher sees to it.)
inline thread_local bool looks_for_ready_soon = false;

class ready_calls {
 public:
  // What rings a worker that may be asleep; set before the first push.
  void set_wakeup(std::function<void()> wakeup) { wakeup_ = std::move(wakeup); }

  // A call that was not parked: needs memory, throws bad_alloc.
  void push(const request& call) {
    parked_calls one;
    one.emplace(0, parked_call{call, 0, {}, true});
    push(one.extract(one.begin()));
  }
  void push(parked_calls::node_type one) {
    {
      const std::lock_guard hold(lock_);
      one.key() = came_++;  // what it had where it waited, others may have had, too
      calls_.insert(std::move(one));
      any_.store(true, std::memory_order_seq_cst);  // pairs with any() of a worker that falls asleep
    }
    if (wakeup_ && !looks_for_ready_soon) wakeup_();
  }
  bool any() const { return any_.load(std::memory_order_seq_cst); }
  bool pop(request& into) {
    const std::lock_guard hold(lock_);
    if (calls_.empty()) return false;
    into = calls_.begin()->second.call;
    calls_.erase(calls_.begin());
    any_.store(!calls_.empty(), std::memory_order_relaxed);
    return true;
  }

 private:
  std::atomic<bool> any_{false};
  std::mutex lock_;
  parked_calls calls_;
  u64 came_ = 0;
  std::function<void()> wakeup_;
};

}  // namespace genesys::detail
