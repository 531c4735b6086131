// SPDX-License-Identifier: Apache-2.0
// Calls that are made only when an earlier one, under way with a ticket, is finished (protocol.h, depends_on_earlier):
// they wait here, without a thread, until the earlier call's cell has its answer, and then go to the next worker that
// has time. Workers put them here as they take them from their rings (F1 to F3); whoever finishes a ticket's call lets
// go what follows it (F4, F5).
//
// Whether the earlier call is finished its cell says: it shows the phase that the request names. That is certain as
// long as the cell's next owner has not been answered, whose request is behind this one in the same ring; hence a call
// is put aside *before* it is taken. docs/protocol.md has the argument, models/dependents.pml checks it.
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

  // What is to be done about a call that follows another.
  enum class verdict {
    make,    // the earlier one is finished, or there is none
    hold,    // it is put aside already, under `key`
    refuse,  // too many wait
  };
  struct seen {
    verdict what;
    u64 key;
  };
  // F1, F2: before the call is taken (S3). After `hold` either keep() or forget() is called, by the same thread.
  seen look(const request& call) noexcept;
  // F3: it was taken, and waits here. False: by now it may be made.
  bool keep(u64 key);
  // Another has taken it.
  void forget(u64 key);
  // It was taken, and is refused.
  void refuse(const request& call) const;

  // Whether calls wait here that follow one with this cell, or with others that share its part.
  bool any(u32 completion_slot) const {
    return at(completion_slot).held.load(std::memory_order_seq_cst) != 0;
  }  // pairs with F1
  // F4: writes a ticket's answer, and lets go what waits for it.
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
  // F5: an answer was written without that.
  void finished(u32 completion_slot);

  // Answers -ECANCELED to all; what comes later is not held.
  void cancel();

  struct entry {
    request call;
    u64 since_ns;
  };
  std::vector<entry> held() const;  // a copy, for reports

 private:
  // Threads that finish calls of different warps seldom meet.
  static constexpr u32 parts = 64;
  struct alignas(64) part {
    std::atomic<u32> held{0};  // how many are in `calls`
    mutable std::mutex lock;   // of the two below
    parked_calls calls;        // by {cell : 24 | order of coming : 40}
    u64 came = 0;
  };
  const part& at(u32 completion_slot) const { return parts_[completion_slot / slots_in_group % parts]; }
  part& at(u32 completion_slot) { return parts_[completion_slot / slots_in_group % parts]; }
  bool shows(const request& call) const;
  void collect(u32 completion_slot, bool all, parked_calls& due);
  parked_calls::node_type take_out(part& from, parked_calls::iterator one);
  void let_go(parked_calls& due);

  u64* const completion_slots_;
  const u32 first_, end_;  // the tickets' cells
  const completion_writer& completions_;
  ready_calls& ready_;
  const u32 held_max_;
  std::array<part, parts> parts_;
  std::atomic<u32> count_{0};
  std::atomic<bool> canceled_{false};
};

}  // namespace genesys::detail
