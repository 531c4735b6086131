// SPDX-License-Identifier: Apache-2.0
// Q1 to Q4 for several requests at a time: they take their slots together, and their sequence numbers by one addition.
#include <algorithm>
#include <cerrno>
#include <memory>

#include "service/core.h"

namespace genesys::detail::services {
namespace {

constexpr u32 together_max = 64;

void fill_rest(std::span<long> results, long with) { std::ranges::fill(results, with); }

}  // namespace

void core::submit_batch(u32 row, u32 version, std::span<const packed_arguments> with, const service_call& how,
                        std::span<const std::unique_ptr<call_state>> calls, std::span<long> results) {
  if (how.blocks == 0 || how.blocks > request_blocks_max) return fill_rest(results, -EINVAL);
  for (std::size_t first = 0; first < with.size();) {
    long why = why_closed();
    if (why == 0 && !rows_->hold(row, version)) why = -ENOENT;
    if (why != 0) return fill_rest(results.subspan(first), why);
    u32 slots[together_max];
    u32 count =
        free_.take_several(0, slots, static_cast<u32>(std::min<std::size_t>(with.size() - first, together_max)));
    if (count == 0 && (slots[0] = take_slot(how.full, why)) != free_slots::none) count = 1;
    if (count == 0) {
      rows_->release(row);
      return fill_rest(results.subspan(first), why);
    }
    // Each request holds the row. The first does already, so the row stays open to the others, or is closed to them
    // only after they hold it.
    u32 held = 1;
    while (held < count && rows_->hold(row, version)) ++held;
    for (u32 i = held; i < count; ++i) give_slot(slots[i]);
    for (u32 i = 0; i < held; ++i) use_slot(slots[i], row, *calls[first + i]);
    // Q3. As in submit().
    const u64 sequence = tail_.fetch_add(held, std::memory_order_acq_rel);
    for (u32 i = 0; i < held; ++i) {
      const packed_arguments& one = with[first + i];
      store_request(sequence + i, header_of(row, version, one, how, *calls[first + i]), one);
      results[first + i] = 0;
    }
    for (u32 i = 0; i < held; ++i) watch(slots[i]);
    look_at_kernel();
    first += held;
  }
}

}  // namespace genesys::detail::services
