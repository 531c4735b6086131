// SPDX-License-Identifier: Apache-2.0
// Holds dependents: calls that Linux makes only after an earlier call with a ticket completed (protocol.h,
// depends_on_earlier). A dependent waits here without a thread until the earlier call's completion slot holds its
// completion; then the next free worker makes it. Workers add dependents as they dequeue them (F1 to F3). The thread
// that completes a ticket's call releases its dependents (F4, F5).
//
// The earlier call has completed when its completion slot shows the phase that the request names. This holds until the
// slot's next call completes. That call's request is behind the dependent in the same queue, so a dependent is held
// *before* it is dequeued. docs/protocol.md has the argument, models/dependents.pml checks it.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "host/ready_calls.h"

namespace genesys::detail {

class completion_writer;

class dependent_calls {
 public:
  dependent_calls(const device_context& a, const completion_writer& to, ready_calls& ready, u32 held_max);

  // What the worker does with a dependent.
  enum class verdict {
    make,    // the earlier call has completed, or there is none
    hold,    // it is held under `key`
    refuse,  // too many dependents are held
  };
  struct seen {
    verdict what;
    u64 key;
  };
  // F1, F2: before the call is dequeued (S3). After `hold` either keep() or forget() is called, by the same thread.
  seen look(const request& call) noexcept;
  // F3: the worker dequeued the call, which stays held. False: the earlier call has completed; the worker makes the
  // dependent.
  bool keep(u64 key);
  // Another worker dequeued it.
  void forget(u64 key);
  // The worker dequeued the call, and refuses it.
  void refuse(const request& call) const;

  // Whether dependents are held on this completion slot, or on another slot of the same part.
  bool any(u32 completion_slot) const {
    return at(completion_slot).held.load(std::memory_order_seq_cst) != 0;
  }  // pairs with F1
  // F4: writes a ticket's completion, and releases its dependents.
  template <class F>
  void finish(u32 completion_slot, F write_completion) {
    parked_calls due;
    {
      const std::lock_guard hold(at(completion_slot).lock);
      write_completion();
      collect(completion_slot, true, due);
    }
    let_go(due);
  }
  // F5: releases the dependents of a completion that was written without F4.
  void finished(u32 completion_slot);

  // Completes all held calls with -ECANCELED; later dependents are not held.
  void cancel();

  struct entry {
    request call;
    u64 since_ns;
  };
  std::vector<entry> held() const;  // a copy, for reports

 private:
  // Threads that complete calls of different warps rarely take the same lock.
  static constexpr u32 parts = 64;
  struct alignas(64) part {
    std::atomic<u32> held{0};  // how many are in `calls`
    mutable std::mutex lock;   // of the two below
    parked_calls calls;        // by {completion slot : 24 | order of arrival : 40}
    u64 came = 0;
  };
  const part& at(u32 completion_slot) const { return parts_[completion_slot / slots_in_group % parts]; }
  part& at(u32 completion_slot) { return parts_[completion_slot / slots_in_group % parts]; }
  bool shows(const request& call) const;
  void collect(u32 completion_slot, bool all, parked_calls& due);
  parked_calls::node_type take_out(part& from, parked_calls::iterator one);
  void let_go(parked_calls& due);

  completion_slot* const completion_slots_;
  const u32 first_, end_;  // the tickets' completion slots
  const completion_writer& completions_;
  ready_calls& ready_;
  const u32 held_max_;
  std::array<part, parts> parts_;
  std::atomic<u32> count_{0};
  std::atomic<bool> canceled_{false};
};

}  // namespace genesys::detail
