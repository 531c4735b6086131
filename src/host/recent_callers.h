// SPDX-License-Identifier: Apache-2.0
// Whether few lanes call through a worker's queues: the same ones again and again. One object for each worker, which
// asks when it has served all requests and finds no further one.
#pragma once

#include <algorithm>
#include <array>

#include "genesys/detail/wire/types.h"

namespace genesys::detail {

class recent_callers {
 public:
  // `completion_slot`: of the last request that was served. A lane uses the same slot for most of its calls.
  void ended_work(u32 completion_slot) {
    const bool is_known = std::find(slots_.begin(), slots_.end(), completion_slot) != slots_.end();
    known_in_a_row_ = is_known ? std::min(known_in_a_row_ + 1, enough) : 0;
    if (is_known) return;
    slots_[next_] = completion_slot;
    next_ = (next_ + 1) % slots_.size();
  }
  bool are_few() const { return known_in_a_row_ == enough; }

 private:
  static constexpr u32 enough = 4;
  std::array<u32, 4> slots_{};
  u32 next_ = 0, known_in_a_row_ = 0;
};

}  // namespace genesys::detail
