// SPDX-License-Identifier: Apache-2.0
// What the device has learnt about addresses: a table in device memory, asked before a pointer goes into a request.
// What is not in it is asked of the host once and entered. Called by the lane that makes a call (placing.h).
//
// What is learnt is good for an *epoch*. The host counts epochs: a new one begins when a run is attached and no other
// is, because memory may have been freed and handed out anew in between (area::generation), and when a kernel's memory
// is unmapped or changed under it (memory/mappings.h; range_table::epoch). The higher of the two numbers is the present
// one. Entries of an older epoch count as absent, and the first one who learns something in the new epoch begins at the
// front again. In detail, who unmaps:
//   1 takes the memory off the host's list, which alone answers internal_resolve;
//   2 has the new epoch stored in the table;   3 unmaps;   4 answers the call.
// A lane reads the epoch before it asks the host, and enters what it was told as of that epoch: what it asked before 1
// is stale after 2. A call that comes after the answer of 4 finds the new epoch, hence asks, hence hears of 1. A call
// that comes at the same time may use memory that is about to go: that is the program's race, as anywhere. A kernel
// faults then; the host does not, since Linux looks at each address itself, and where genesys reads for the host it
// asks Linux to copy (executor.cpp).
// Entries may be overwritten while somebody reads them. So each of their words carries the low bits of its epoch, and
// an entry whose words do not all have the reader's own is none. (Words are stale by a multiple of 2^16 epochs only
// where a lane stops that long between two loads.)
#pragma once

#include "genesys/detail/queue/submit.h"
#include "genesys/detail/wire/known_addresses.h"

namespace genesys::detail::staging {

GENESYS_KERNEL bool is_later(u32 epoch, u32 than) { return static_cast<std::int32_t>(epoch - than) > 0; }

GENESYS_KERNEL u32 epoch_now(const device_context& a) {
  const u32 told = global_atomic<u32, thread_scope::system>(a.ranges->epoch).load(order::relaxed);
  return is_later(told, a.generation) ? told : a.generation;
}

GENESYS_KERNEL u64 load_range_word(u64& word) { return global_atomic<u64>(word).load(order::relaxed); }
GENESYS_KERNEL void store_range_word(u64& word, u64 value, u32 epoch) {
  global_atomic<u64>(word).store(u64{epoch} << range_value_bits | value, order::relaxed);
}

// What was known of `address` in this epoch; kind unknown: nothing.
GENESYS_KERNEL range find_range(const device_context& a, u64 address, u32 epoch) {
  const u64 state = global_atomic<u64>(a.ranges->state).load(order::acquire);  // pairs with learn_range
  const u32 entries = static_cast<u32>(state >> 32) == epoch ? static_cast<u32>(state) : 0;
  for (u32 i = 0; i < entries; ++i) {
    range_entry& r = a.ranges->entries[i];
    const u64 begin = load_range_word(r.begin), end = load_range_word(r.end);
    if (address < (begin & range_value_mask) || address >= (end & range_value_mask)) continue;
    const u64 kind = load_range_word(r.kind), tag = u64{epoch} << range_value_bits;
    if ((((begin ^ tag) | (end ^ tag) | (kind ^ tag)) & ~range_value_mask) != 0) break;
    return {begin & range_value_mask, end & range_value_mask, static_cast<pointer_kind>(kind & range_value_mask)};
  }
  return {0, 0, pointer_kind::unknown};
}

// Enters what the host said of a range to somebody who saw `epoch` before asking, unless the table is full, the epoch
// over, or another lane at it: then it is asked for again next time.
GENESYS_KERNEL void learn_range(const device_context& a, const range& r, u32 epoch) {
  range_table& table = *a.ranges;
  if ((r.begin | r.end) > range_value_mask) return;
  const global_atomic<u32> lock(table.lock);
  if (lock.exchange(1, order::acquire) != 0) return;  // pairs with the release below
  const u64 state = global_atomic<u64>(table.state).load(order::relaxed);
  const u32 of_epoch = static_cast<u32>(state >> 32), entries = of_epoch == epoch ? static_cast<u32>(state) : 0;
  bool leave = entries == ranges_max || is_later(of_epoch, epoch);
  for (u32 i = 0; i < entries && !leave; ++i) {
    leave = (load_range_word(table.entries[i].begin) & range_value_mask) == r.begin &&
            (load_range_word(table.entries[i].end) & range_value_mask) == r.end;
  }
  if (!leave) {
    range_entry& fresh = table.entries[entries];
    store_range_word(fresh.begin, r.begin, epoch);
    store_range_word(fresh.end, r.end, epoch);
    store_range_word(fresh.kind, static_cast<u64>(r.kind), epoch);
    global_atomic<u64>(table.state).store(u64{epoch} << 32 | (entries + 1), order::release);  // pairs with find_range
  }
  lock.store(0, order::release);
}

// Asks the host. Called by one lane for itself, which has read the epoch before.
GENESYS_KERNEL range ask_host(const device_context& a, u64 address, u32 epoch) {
  request r{};
  r.args[0] = address;
  r.number = internal_resolve;
  const queue::completion result = queue::submit_and_wait(a, r);
  const range found{result.extra.first, result.extra.first + result.extra.second,
                    static_cast<pointer_kind>(result.value)};
  if (result.value != static_cast<i64>(pointer_kind::stage) && result.value != static_cast<i64>(pointer_kind::pass)) {
    return {0, 0, pointer_kind::unknown};
  }
  learn_range(a, found, epoch);
  return found;
}

enum class memory_kind : u32 { null, none, both_sides, shared, private_, device };

// Whether Linux cannot use it as it is, but a copy of it.
GENESYS_KERNEL constexpr bool is_staged(memory_kind kind) {
  return kind == memory_kind::shared || kind == memory_kind::private_ || kind == memory_kind::device;
}

struct resolved {
  memory_kind kind;
  u64 end;  // first address past what may be used; no limit is known for shared and private memory
};

// Whether it is the thread's own, so that each thread of a team has another behind it.
GENESYS_KERNEL bool is_private(u64 address) {
#if GENESYS_ON_CUDA
  return cuda_target::is_private(reinterpret_cast<const void*>(address));
#else
  return cpu::region_of(reinterpret_cast<const void*>(address)) == cpu::region::private_;
#endif
}

// What resolve says of an address about which the lane itself knows nothing. May ask the host.
GENESYS_KERNEL_OUTLINE inline resolved look_up(device_context a, u64 address) {
  const u32 epoch = epoch_now(a);
  range found = find_range(a, address, epoch);
  if (found.kind == pointer_kind::unknown) found = ask_host(a, address, epoch);
  if (found.kind == pointer_kind::unknown) return {memory_kind::none, 0};
  return {found.kind == pointer_kind::pass ? memory_kind::both_sides : memory_kind::device, found.end};
}

// Which kind of memory `address` is in, and how far it goes. May ask the host.
GENESYS_KERNEL resolved resolve(const device_context& a, u64 address) {
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
  return look_up(a, address);
}

}  // namespace genesys::detail::staging
