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
    if (ending_.load(std::memory_order_relaxed)) return fill_rest(results.subspan(first), -ECANCELED);
    // One after the other: by twins, when there is a child, or where each of them goes.
    const service_path wanted = how.where == service_path::by_server ? chosen_.where : how.where;
    if (gpu_.load(std::memory_order_acquire) != side::up || wanted != service_path::gpu) {
      results[first] = submit(row, version, with[first], how, *calls[first]);
      ++first;
      continue;
    }
    if (!rows_->hold(row, version)) return fill_rest(results.subspan(first), -ENOENT);
    const bool has_twin = twin_of(row, how.may_use_twin) != nullptr;
    u32 slots[together_max];
    u32 count =
        free_.take_several(0, slots, static_cast<u32>(std::min<std::size_t>(with.size() - first, together_max)));
    long why = 0;
    if (count == 0 && (slots[0] = take_slot(how.full, has_twin, why)) != free_slots::none) count = 1;
    if (count == 0) {
      rows_->release(row);
      if (why == 0) continue;  // no slot of this child: the twin answers
      return fill_rest(results.subspan(first), why);
    }
    // Each request holds the row. The first does already, so the row stays open to the others, or is closed to them
    // only after they hold it.
    u32 held = 1;
    while (held < count && rows_->hold(row, version)) ++held;
    for (u32 i = held; i < count; ++i) give_slot(slots[i]);
    for (u32 i = 0; i < held; ++i) {
      remember(*calls[first + i], row, how, with[first + i], has_twin);
      calls[first + i]->code = rows_->code(row);
      count_request(*calls[first + i], path::gpu);
      use_slot(slots[i], row, *calls[first + i]);
    }
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
