// SPDX-License-Identifier: Apache-2.0
// Known addresses: a table in device memory of address ranges that lanes have asked the host about. A lane looks a
// pointer up before the pointer goes into a request; if the table does not have it, the lane asks the host and enters
// the result. Called by the leader of a call (staging_plan.h).
//
// An entry is valid for one *epoch*, which the host counts. A new epoch begins
//   - when a run is attached and no other is, because memory may have been freed and allocated anew in between
//     (device_context::generation);
//   - when a kernel's memory is unmapped or changed (src/memory/mappings.h; range_table::epoch).
// The present epoch is the higher of the two numbers. Entries of an older epoch count as absent. The first lane that
// enters a range in the new epoch begins at the front of the table again. The host unmaps in four steps:
//   1 remove the memory from the host's list, from which the results of internal_resolve come;
//   2 store the new epoch in the table;   3 unmap;   4 complete the call.
// A lane loads the epoch before it asks the host, and enters the result as of that epoch. So a result from before 1 is
// stale after 2. A call that begins after 4 sees the new epoch, asks the host, and gets a result from after 1. A call
// at the same time may use memory that is being unmapped: this is a race of the program. A kernel faults then. The host
// does not, because Linux checks each address, and where genesys itself reads such memory, Linux copies it
// (src/execute/user_memory.cpp).
//
// A lane may load an entry while another lane overwrites it. So each word of an entry carries the low bits of its
// epoch. An entry whose words do not all have the lane's epoch is ignored. (16 bits fail to show a stale word only if a
// lane stops between two loads for a multiple of 2^16 epochs.)
#pragma once

#include "genesys/detail/queue/submit.h"
#include "genesys/detail/wire/known_addresses.h"

namespace genesys::detail::staging {

GENESYS_KERNEL bool is_later(u32 epoch, u32 than) { return static_cast<std::int32_t>(epoch - than) > 0; }

GENESYS_KERNEL u64 load_range_word(u64& word) { return global_atomic<u64>(word).load(order::relaxed); }
GENESYS_KERNEL void store_range_word(u64& word, u64 value, u32 epoch) {
  global_atomic<u64>(word).store(u64{epoch} << range_value_bits | value, order::relaxed);
}

// The words of an entry, as one lane loads them.
struct loaded_entry {
  u64 begin, end, kind;

  GENESYS_KERNEL explicit loaded_entry(range_entry& r)
      : begin(load_range_word(r.begin)), end(load_range_word(r.end)), kind(load_range_word(r.kind)) {}
  GENESYS_KERNEL bool holds(u64 address, u32 epoch) const {
    const u64 tag = u64{epoch} << range_value_bits;
    return (((begin ^ tag) | (end ^ tag) | (kind ^ tag)) & ~range_value_mask) == 0 &&
           address >= (begin & range_value_mask) && address < (end & range_value_mask);
  }
  GENESYS_KERNEL range whole() const {
    return {begin & range_value_mask, end & range_value_mask, static_cast<pointer_kind>(kind & range_value_mask)};
  }
};

// The range that the table has for `address` in the present epoch, which goes to `epoch`. Its kind is `unknown` if
// there is none. The first loads are in flight together, because each takes a third of a microsecond. They need no
// order among them: the tags tell whether the words are of one epoch (modulo 2^16).
GENESYS_KERNEL_OUTLINE inline range find_range(range_table* table, u32 generation, u64 address, u32& epoch) {
  constexpr u32 at_once = 2;
#if GENESYS_ON_CUDA
  u64 state, lock_and_epoch;  // first, because a load of scope system waits for loads before it
  cuda_target::load_pair_system(&table->state, state, lock_and_epoch);
  const u32 told = static_cast<u32>(lock_and_epoch >> 32);
#else
  const u64 state = global_atomic<u64>(table->state).load(order::relaxed);
  const u32 told = global_atomic<u32, thread_scope::system>(table->epoch).load(order::relaxed);
#endif
  const loaded_entry first(table->entries[0]), second(table->entries[1]);
  epoch = is_later(told, generation) ? told : generation;
  const u32 entries = static_cast<u32>(state >> 32) == epoch ? static_cast<u32>(state) : 0;
  if (entries > 0 && first.holds(address, epoch)) return first.whole();
  if (entries > 1 && second.holds(address, epoch)) return second.whole();
  GENESYS_NO_UNROLL
  for (u32 i = at_once; i < entries; ++i) {
    const loaded_entry other(table->entries[i]);
    if (other.holds(address, epoch)) return other.whole();
  }
  return {0, 0, pointer_kind::unknown};
}

// Enters a range that the host has reported. `epoch`: as loaded before the lane asked. Enters nothing if the table is
// full, the epoch is over, or another lane enters a range now: a later call then asks again.
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
    // Pairs with nothing: a lane that sees the count before the entry finds other tags there, and asks the host.
    global_atomic<u64>(table.state).store(u64{epoch} << 32 | (entries + 1), order::release);
  }
  lock.store(0, order::release);
}

// Asks the host, and enters the result. `epoch`: as loaded before. Called by one lane for itself.
GENESYS_KERNEL_OUTLINE inline range ask_host(device_context a, u64 address, u32 epoch) {
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

// Whether Linux needs a copy of this memory, because it cannot address the memory itself.
GENESYS_KERNEL constexpr bool is_staged(memory_kind kind) {
  return kind == memory_kind::shared || kind == memory_kind::private_ || kind == memory_kind::device;
}

struct resolved {
  memory_kind kind;
  u64 end;  // first address after the memory; ~0 for shared and private memory, whose end is not known
};

// Whether the address is in the thread's private memory. Then each thread of a team has different memory at it.
GENESYS_KERNEL bool is_private(u64 address) {
#if GENESYS_ON_CUDA
  return cuda_target::is_private(reinterpret_cast<const void*>(address));
#else
  return cpu::region_of(reinterpret_cast<const void*>(address)) == cpu::region::private_;
#endif
}

// resolve() for an address that the lane cannot classify itself. May ask the host.
GENESYS_KERNEL resolved look_up(const device_context& a, u64 address) {
  u32 epoch;
  range found = find_range(a.ranges, a.generation, address, epoch);
  if (found.kind == pointer_kind::unknown) found = ask_host(a, address, epoch);
  if (found.kind == pointer_kind::unknown) return {memory_kind::none, 0};
  return {found.kind == pointer_kind::pass ? memory_kind::both_sides : memory_kind::device, found.end};
}

// The kind of memory at `address`, and where it ends. May ask the host.
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
