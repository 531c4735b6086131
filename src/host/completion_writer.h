// SPDX-License-Identifier: Apache-2.0
// Finishes calls: writes the answer into the caller's cell (protocol.h, S6), or, of a posted call, gives its bounce
// buffer back. Called by whoever finished a call: a worker or the parking lot.
#pragma once

#include <atomic>

#include "genesys/detail/target/assert.h"
#include "genesys/detail/wire/protocol.h"
#include "host/dependent_calls.h"
#include "host/in_flight_counters.h"
#include "memory/bounce_returns.h"

namespace genesys::detail {

class completion_writer {
 public:
  explicit completion_writer(const device_context& a, const bounce_returns* returns = nullptr,
                             in_flight_counters* in_flight = nullptr, dependent_calls* dependents = nullptr)
      : completion_slots_(a.completion_slots),
        extra_(a.extras),
        completion_slot_count_(a.groups * (1 + a.ticket_groups) * slots_in_group),
        returns_(returns),
        in_flight_(in_flight),
        dependents_(dependents) {}

  // Whether there is somebody to answer: the request was written by the GPU, it may say anything.
  bool is_sound(const request& r) const {
    return r.mode == wait_mode::posted || (r.mode <= wait_mode::posted && r.completion_slot < completion_slot_count_);
  }

  // The request is sound. `value` is Linux's; with `again` set, the caller has to wait for the descriptor first.
  void complete(const request& r, i64 value, bool again = false, const completion_extra* extra = nullptr) const {
    GENESYS_ASSERT(is_sound(r), "a call that completes has a completion slot, or is posted");
    if (r.mode == wait_mode::blocking) return write_slot(r, value, again, extra);
    if (r.mode == wait_mode::posted) return finish_posted(r, value);
    const bool may_be_followed = dependents_ != nullptr;
    if (may_be_followed && dependents_->any(r.completion_slot)) return finish_with_dependents(r, value, extra);
    write_slot(r, value, false, extra);
    end_in_flight(r);  // a full fence as well: the answer is out before the next look
    if (may_be_followed && dependents_->any(r.completion_slot)) dependents_->finished(r.completion_slot);
  }
  // Of a request that nobody can be answered: it is over all the same.
  void end_in_flight(const request& r) const {
    if (r.mode != wait_mode::blocking && in_flight_ != nullptr) in_flight_->end(r.run);
  }

 private:
  void finish_posted(const request& r, i64 value) const;
  void finish_with_dependents(const request& r, i64 value, const completion_extra* extra) const;

  void write_slot(const request& r, i64 value, bool again, const completion_extra* extra) const {
    u64 completion_slot = u64{r.phase} << 63;
    if (extra != nullptr || !fits_completion(value)) {
      const completion_extra full = extra != nullptr ? *extra : completion_extra{static_cast<u64>(value), 0};
      std::atomic_ref<u64>(extra_[r.completion_slot].first).store(full.first, std::memory_order_relaxed);
      std::atomic_ref<u64>(extra_[r.completion_slot].second).store(full.second, std::memory_order_relaxed);
      completion_slot |= completion_wide;
    }
    if (again) completion_slot |= completion_again;
    completion_slot |= static_cast<u64>(value) & completion_value_mask;
    std::atomic_ref<u64>(completion_slots_[r.completion_slot])
        .store(completion_slot, std::memory_order_release);  // pairs with C5
  }

  u64* completion_slots_;
  completion_extra* extra_;
  u32 completion_slot_count_;
  const bounce_returns* returns_;
  in_flight_counters* in_flight_;
  dependent_calls* dependents_;
};

}  // namespace genesys::detail
