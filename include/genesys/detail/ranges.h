// SPDX-License-Identifier: Apache-2.0
// What the device has learnt about addresses: a table in device memory, asked before a pointer goes into a request.
// What is not in it is asked of the host once and entered. Called by the lane that makes a call (placing.h).
//
// The table only grows while kernels of its generation run; a runtime whose last run has ended gives the next one a new
// generation, whose first entry empties the table, because memory may have been freed and handed out anew in between.
#pragma once

#include "genesys/detail/calling.h"

namespace genesys::detail {

constexpr u32 ranges_max = 1024;

struct range {
  u64 begin, end;
  pointer_kind kind;
};

struct range_table {
  u64 state;  // {generation : 32 | entries : 32}
  u32 lock;   // held while an entry is made
  range entries[ranges_max];
};

// What is known of `address`; kind unknown: nothing.
GENESYS_KERNEL range find_range(const area& a, u64 address) {
  const u64 state = atomic<u64>(a.ranges->state).load(order::acquire);  // pairs with learn_range
  if (static_cast<u32>(state >> 32) == a.generation) {
    for (u32 i = 0; i < static_cast<u32>(state); ++i) {
      const range& r = a.ranges->entries[i];
      if (address >= r.begin && address < r.end) return r;
    }
  }
  return {0, 0, pointer_kind::unknown};
}

// Enters a range, unless the table is full or another lane is at it: then it is asked for again next time.
GENESYS_KERNEL void learn_range(const area& a, const range& r) {
  range_table& table = *a.ranges;
  const atomic<u32> lock(table.lock);
  if (lock.exchange(1, order::acquire) != 0) return;  // pairs with the release below
  const u64 state = atomic<u64>(table.state).load(order::relaxed);
  const u32 entries = static_cast<u32>(state >> 32) == a.generation ? static_cast<u32>(state) : 0;
  bool known = entries == ranges_max;
  for (u32 i = 0; i < entries && !known; ++i)
    known = table.entries[i].begin == r.begin && table.entries[i].end == r.end;
  if (!known) {
    table.entries[entries] = r;
    atomic<u64>(table.state).store(u64{a.generation} << 32 | (entries + 1), order::release);  // pairs with find_range
  }
  lock.store(0, order::release);
}

// Asks the host. Called by one lane for itself.
GENESYS_KERNEL range ask_host(const area& a, u64 address) {
  request r{};
  r.args[0] = address;
  r.number = internal_resolve;
  const answer said = transact(a, r);
  const range found{said.extra.first, said.extra.first + said.extra.second, static_cast<pointer_kind>(said.value)};
  if (said.value != static_cast<i64>(pointer_kind::stage) && said.value != static_cast<i64>(pointer_kind::pass)) {
    return {0, 0, pointer_kind::unknown};
  }
  learn_range(a, found);
  return found;
}

enum class memory_kind : u32 { null, none, both_sides, shared, private_, device };

struct resolved {
  memory_kind kind;
  u64 end;  // first address past what may be used; no limit is known for shared and private memory
};

// Which kind of memory `address` is in, and how far it goes. May ask the host.
GENESYS_KERNEL_OUTLINE inline resolved resolve(const area& a, u64 address) {
  if (address == 0) return {memory_kind::null, 0};
  const void* pointer = reinterpret_cast<const void*>(address);
  if (address >= a.arena_begin && address < a.arena_end) return {memory_kind::both_sides, a.arena_end};
#if GENESYS_ON_CUDA
  if (cuda_target::is_shared(pointer)) return {memory_kind::shared, ~u64{0}};
  if (cuda_target::is_private(pointer)) return {memory_kind::private_, ~u64{0}};
#else
  if (cpu::region_of(pointer) == cpu::region::shared) return {memory_kind::shared, ~u64{0}};
  if (cpu::region_of(pointer) == cpu::region::private_) return {memory_kind::private_, ~u64{0}};
#endif
  range found = find_range(a, address);
  if (found.kind == pointer_kind::unknown) found = ask_host(a, address);
  if (found.kind == pointer_kind::unknown) return {memory_kind::none, 0};
  return {found.kind == pointer_kind::pass ? memory_kind::both_sides : memory_kind::device, found.end};
}

}  // namespace genesys::detail
