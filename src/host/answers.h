// SPDX-License-Identifier: Apache-2.0
// Finishes calls: writes the answer into the caller's cell (protocol.h, S6), or, of a posted call, gives its bounce
// buffer back. Called by whoever finished a call: a worker or the parking lot.
#pragma once

#include <atomic>

#include "genesys/detail/protocol.h"
#include "host/flights.h"
#include "host/followers.h"
#include "memory/bounce_returns.h"

namespace genesys::detail {

class answers {
 public:
  explicit answers(const area& a, const bounce_returns* returns = nullptr, flights* under_way = nullptr,
                   followers* behind = nullptr)
      : cell_(a.cell),
        extra_(a.extra),
        cells_(a.groups * (1 + a.ticket_groups) * cells_in_group),
        returns_(returns),
        flights_(under_way),
        followers_(behind) {}

  // Whether there is somebody to answer: the request was written by the GPU, it may say anything.
  bool is_sound(const request& r) const {
    return r.waits == waiting::posted || (r.waits <= waiting::posted && r.cell < cells_);
  }

  // The request is sound. `value` is Linux's; with `again` set, the caller has to wait for the descriptor first.
  void write(const request& r, i64 value, bool again = false, const extra_answer* extra = nullptr) const {
    if (r.waits == waiting::blocking) return write_cell(r, value, again, extra);
    if (r.waits == waiting::posted) return finish_posted(r, value);
    const bool may_be_followed = followers_ != nullptr;
    if (may_be_followed && followers_->any(r.cell)) return finish_followed(r, value, extra);
    write_cell(r, value, false, extra);
    end_flight(r);  // a full fence as well: the answer is out before the next look
    if (may_be_followed && followers_->any(r.cell)) followers_->finished(r.cell);
  }
  // Of a request that nobody can be answered: it is over all the same.
  void end_flight(const request& r) const {
    if (r.waits != waiting::blocking && flights_ != nullptr) flights_->end(r.run);
  }

 private:
  void finish_posted(const request& r, i64 value) const;
  void finish_followed(const request& r, i64 value, const extra_answer* extra) const;

  void write_cell(const request& r, i64 value, bool again, const extra_answer* extra) const {
    u64 cell = u64{r.phase} << 63;
    if (extra != nullptr || !fits_answer(value)) {
      const extra_answer full = extra != nullptr ? *extra : extra_answer{static_cast<u64>(value), 0};
      std::atomic_ref<u64>(extra_[r.cell].first).store(full.first, std::memory_order_relaxed);
      std::atomic_ref<u64>(extra_[r.cell].second).store(full.second, std::memory_order_relaxed);
      cell |= answer_wide;
    }
    if (again) cell |= answer_again;
    cell |= static_cast<u64>(value) & answer_value_mask;
    std::atomic_ref<u64>(cell_[r.cell]).store(cell, std::memory_order_release);  // pairs with C5
  }

  u64* cell_;
  extra_answer* extra_;
  u32 cells_;
  const bounce_returns* returns_;
  flights* flights_;
  followers* followers_;
};

}  // namespace genesys::detail
