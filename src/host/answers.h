// SPDX-License-Identifier: Apache-2.0
// Writes answers into the cells of callers (protocol.h, S6). Called by whoever finished a call: a worker or the parking
// lot.
#pragma once

#include <atomic>

#include "genesys/detail/protocol.h"

namespace genesys::detail {

class answers {
 public:
  explicit answers(const area& a) : cell_(a.cell), extra_(a.extra), cells_(a.groups * cells_in_group) {}

  // Whether the request names a cell that exists. The request was written by the GPU: it may say anything.
  bool is_sound(const request& r) const { return r.cell < cells_; }

  // The request is sound. `value` is Linux's; with `again` set, the caller has to wait for the descriptor first.
  void write(const request& r, i64 value, bool again = false, const extra_answer* extra = nullptr) const {
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

 private:
  u64* cell_;
  extra_answer* extra_;
  u32 cells_;
};

}  // namespace genesys::detail
