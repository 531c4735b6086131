// SPDX-License-Identifier: Apache-2.0
#include "host/grid_check.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "trace/decode.h"

namespace genesys::detail {

void grids::look_over(u32 run) {
  grid_table* const there = memory_.where().grids;
  const auto table = std::make_unique<grid_table>();
  static_assert(sizeof(grid_table) % sizeof(u64) == 0);
  device_.load_words(reinterpret_cast<u64*>(table.get()), there, sizeof *table / sizeof(u64), 1, sizeof *table);
  if (table->full != 0) full_.store(true, std::memory_order_relaxed);
  for (u32 i = 0; i < grids_max; ++i) {
    if (table->records[i].run != run || grid_missing(table->records[i].use) == 0) continue;
    auto* const slots_there = reinterpret_cast<grid_call_record*>(there + 1) + std::size_t{i} * calls_max_;
    std::vector<grid_call_record> slots(calls_max_);
    device_.copy_to_host(slots.data(), slots_there, calls_max_ * sizeof(grid_call_record));
    say_what_is_missing(slots, table->records[i]);
    // (Not cleared on the device: that may wait for a running kernel.)
    slots.assign(calls_max_, {});
    const grid_launch_record no_launch_record{};
    device_.copy_to_device(slots_there, slots.data(), calls_max_ * sizeof(grid_call_record));
    device_.copy_to_device(&there->records[i], &no_launch_record, sizeof no_launch_record);
  }
}

// The GPU wrote all of it, so it is only printed.
void grids::say_what_is_missing(const std::vector<grid_call_record>& slots, const grid_launch_record& of) {
  const u32 base = static_cast<u32>(of.epoch);
  bool any = false;
  for (u32 i = 0; i < slots.size(); ++i) {
    const u32 live = grid_live(slots[i].word);
    if (live == 0) continue;
    any = true;
    missed_.fetch_add(1, std::memory_order_relaxed);
    const u32 ordinal = ((live - 1) * calls_max_ | i) - base;
    const bool waits_for_all = slots[i].arrived != 0 && slots[i].arrived < of.blocks;
    std::fprintf(
        stderr,
        "genesys: %s by a grid (call %u since all its blocks last agreed): %u of %u blocks made it%s; every block "
        "has to make the same calls in the same order\n",
        trace::call_name(slots[i].number).c_str(), ordinal + 1, waits_for_all ? slots[i].arrived : slots[i].passed,
        of.blocks, waits_for_all ? ", so it was not made" : "");
  }
  if (!any) {  // calls refused with EAGAIN leave no names
    missed_.fetch_add(1, std::memory_order_relaxed);
    std::fprintf(stderr, "genesys: a call by a grid that was refused was not made by all of its %u blocks\n",
                 of.blocks);
  }
}

void grids::make_room() {
  if (!full_.exchange(false, std::memory_order_relaxed)) return;
  const u32 no = 0;
  device_.copy_to_device(&memory_.where().grids->full, &no, sizeof no);
}

}  // namespace genesys::detail
