// SPDX-License-Identifier: Apache-2.0
// Counts the posted calls of a run that went through the shared rings. Called by the host's in-flight counting.
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "execute/shared_rings.h"
#include "execute/shared_rings_linux.h"

namespace genesys::detail {

// Adds up the posted calls that kernels counted and the CQEs that no kernel has reaped. Kernels of other runs may reap
// meanwhile. A kernel stores up to where it counts (ring_state::counted) before it counts, so this function loads the
// counters first. It may miss a CQE that is counted later; it never counts one twice.
posted_counters shared_rings::look_at_posted(u32 run) const {
  posted_counters sum;
  static_assert(offsetof(posted_counters, canceled) < 3 * sizeof(u64));
  on_.load_words(reinterpret_cast<u64*>(&sum), posted_ + run, 3, 1, sizeof sum);
  if (sum.begun == sum.finished) return sum;
  const u32 cq_entries = 1u << as_.cq_entries_log2;
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    u64 known[2];  // delivered, counted
    static_assert(offsetof(ring_state, counted) == offsetof(ring_state, delivered) + sizeof(u64));
    on_.load_words(known, &table_->state[i].delivered, 2, 1, sizeof(ring_state));
    const shared_ring& there = rings_[i].shared;
    const u32 begin = static_cast<u32>(std::max(known[0] >> 1, known[1])), end = load(there.completed);
    if (end - begin > cq_entries) continue;  // overwritten
    for (u32 k = begin; k != end; ++k) {
      const u64* const one = there.cqes + 2 * std::size_t{k & (cq_entries - 1)};
      if (static_cast<u32>(load(one)) != slot_of_posted(run)) continue;
      const auto value = static_cast<std::int32_t>(load(one + 1));
      ++sum.finished;
      sum.failed += value < 0;
      sum.canceled += value == -ECANCELED;
    }
  }
  return sum;
}

bool shared_rings::are_finished(u32 run) {
  const posted_counters now = look_at_posted(run);
  if (now.begun == now.finished) posted_known_[run] = now;  // a later look may miss some
  return now.begun == now.finished || lost_.load(std::memory_order_relaxed);
}

posted_calls shared_rings::posted_since(u32 run) {
  posted_counters now = look_at_posted(run);
  if (now.begun == posted_known_[run].finished) {
    now = posted_known_[run];
  } else {  // rings were lost, or the runtime ends
    const u64 missing = now.begun - now.finished;
    now.finished += missing;
    now.failed += static_cast<u32>(missing);
    now.canceled += static_cast<u32>(missing);
  }
  const posted_counters before = std::exchange(posted_returned_[run], now);
  return {now.finished - before.finished, now.failed - before.failed, now.canceled - before.canceled};
}

}  // namespace genesys::detail
