// SPDX-License-Identifier: Apache-2.0
// The records of calls of whole grids, and their lifetime: which launch has a launch record, when it is renewed, when a
// call record is free. All of it is in device memory, so a grid may be larger than the GPU holds at a time. Used by
// grid_call.h, in one thread of a block; src/host/grid_check.h checks the records when the kernels have ended.
//
//   launch record  of a launch, found by its number. A launch has one from its first call until all blocks have passed
//                  all its calls. The last block to pass renews the record. The launch's next call uses it again; if
//                  another launch has claimed it meanwhile, that call claims another one. So a graph's node, which has
//                  the same number in each launch, starts anew each time, and nothing is left of a launch that ended.
//   epoch          {unique : 32 | base : 32}: a new one after each renewal. A block keeps the epoch and the ordinal of
//                  its next call (grid_cursor). In an epoch that the block does not know, its next call has ordinal
//                  `base`. (Shared memory may still hold the cursor of the launch before, whose epoch is over.)
//   call record    of a call in flight, at ordinal modulo calls_max. {next : 32 | live : 32}: `next` is the round
//                  (ordinal / calls_max) of this record on which no block has decided yet; `live` is the round in
//                  flight + 1, or 0.
//   use            of a launch record: {busy : 1 | pins : 15 | missing : 48}: whether a block renews or claims it; how
//                  many blocks are about to decide on a call; how many passes of blocks are missing, summed over all
//                  calls that were decided on, made or refused.
//
// Invariants.
//   J1 A launch record is renewed, or given to another launch, only while its use is 0, by the block that set `busy`. A
//      block that has not passed a call on which a block decided counts as missing, so its record does not change. A
//      block that claims a record keeps it pinned until it has decided on a call. Otherwise launches that want the same
//      record could take it from each other for ever.
//   J2 One block decides on an ordinal: `next` only grows, by one exchange each.
//   J3 When a launch has ended, and all its blocks made the same calls, its record is renewed: no block of a later
//      launch uses an ordinal of the launch before.
//   J4 A call record is free (live = 0) only when every block has passed it, so no block needs its content.
//   J5 When no launch record is free for a launch, `full` stays set until no run is attached. Meanwhile all launches
//      without a record are refused, in all their blocks. This takes more grids at a time than a GPU runs, or grids
//      whose blocks did not all make the same calls.
#pragma once

#include <cerrno>

#include "genesys/detail/lanes/lanes.h"
#include "genesys/detail/target/assert.h"
#include "genesys/detail/wire/grid_calls.h"

namespace genesys::detail::team {

GENESYS_KERNEL grid_call_record* grid_call_records(const device_context& a) {
  return reinterpret_cast<grid_call_record*>(a.grids + 1);
}
// J1: this block has set `busy`, and no block needs the record.
GENESYS_KERNEL bool is_held_alone(grid_launch_record& r) {
  const u64 use = global_atomic<u64>(r.use).load(order::relaxed);
  return (use & grid_busy) != 0 && grid_missing(use) == 0;
}

// Begins a new epoch of a record on which this block has set `busy`. A block that sees the epoch counts ordinals from
// its base.
GENESYS_KERNEL void renew_epoch(const device_context& a, grid_launch_record& r) {
  GENESYS_ASSERT(is_held_alone(r), "J1: a launch record is renewed while no block needs it");
  const u64 unique = global_atomic<u32>(a.grids->epochs).fetch_add(1, order::relaxed) + 1;
  const u32 base = global_atomic<u32>(r.decided).load(order::relaxed);
  global_atomic<u64>(r.epoch).store(unique << 32 | base, order::release);  // pairs with G1
}

// G5: `count` blocks have passed. Renews the record if no pass is missing.
GENESYS_KERNEL void pass_in_launch(const device_context& a, grid_launch_record& r, u64 count) {
  const global_atomic<u64> use(r.use), epoch(r.epoch);
  const u64 before = epoch.load(order::relaxed);
  u64 seen = use.fetch_sub(count, order::acq_rel) - count;  // pairs with the passes of others
  // (A block may pass before the passes are added: the block that adds them still has its pin.)
  GENESYS_ASSERT(((seen + count) & ~grid_busy) >= count, "J1: each block passes a decided call once");
  while (grid_missing(seen) == 0 && epoch.load(order::relaxed) == before) {
    if (seen != 0) {  // pinned or busy, for a moment
      pause(100);
      seen = use.load(order::acquire);
    } else if (use.compare_exchange(seen, grid_busy, order::acq_rel)) {  // pairs with all passes: `decided`
      renew_epoch(a, r);
      use.fetch_sub(grid_busy, order::release);  // pairs with G2
    }
  }
}

// The record of a launch, or no_launch_record.
GENESYS_KERNEL u32 find_launch_record(const device_context& a, u64 launch) {
  for (u32 i = 0; i < grids_near; ++i) {
    const u32 at = static_cast<u32>(launch + i) % grids_max;
    const global_atomic<u64> owner(a.grids->records[at].launch);
    if (owner.load(order::acquire) == launch) return at;  // pairs with claim_launch_record
  }
  return no_launch_record;
}

// Claims a record that no launch needs, and pins it. Prefers a record that no launch has used.
GENESYS_KERNEL u32 claim_launch_record(const device_context& a, u64 launch) {
  GENESYS_ASSERT(global_atomic<u32>(a.grids->full).load(order::relaxed) == 0,
                 "J5: after a launch found no record, none is given");
  for (u32 i = 0; i < 2 * grids_near; ++i) {
    const u32 at = static_cast<u32>(launch + i % grids_near) % grids_max;
    grid_launch_record& r = a.grids->records[at];
    const global_atomic<u64> owner(r.launch), use(r.use);
    if (i < grids_near && owner.load(order::relaxed) != 0) continue;
    u64 none = 0;
    if (!use.compare_exchange(none, grid_busy, order::acq_rel)) continue;  // pairs with pass_in_launch
    owner.store(0, order::relaxed);  // before the epoch: a block that sees the new epoch does not see the old owner
    renew_epoch(a, r);
    global_atomic<u32>(r.run).store(a.run, order::relaxed);
    global_atomic<u32>(r.blocks).store(blocks_in_grid(), order::relaxed);
    owner.store(launch, order::release);                  // pairs with find_launch_record
    use.fetch_sub(grid_busy - grid_pin, order::release);  // pairs with G2
    return at;
  }
  return no_launch_record;
}

// The record of the launch; claims one if it has none, and sets `pinned`. no_launch_record: none is free (J5), or the
// runtime has ended.
GENESYS_KERNEL u32 make_launch_record(const device_context& a, u64 launch, bool& pinned) {
  grid_table& table = *a.grids;
  const global_atomic<u32> lock(table.lock), full(table.full);
  backoff waiting;
  u32 at = no_launch_record;
  while (lock.load(order::relaxed) != 0 || lock.exchange(1, order::acquire) != 0) {  // pairs with the release below
    if (!waiting.wait(a)) return no_launch_record;
    at = find_launch_record(a, launch);
    if (at != no_launch_record) return at;
  }
  global_atomic<u32>(a.producers[0].grids).store(1, order::relaxed);
  at = find_launch_record(a, launch);
  if (at == no_launch_record && full.load(order::relaxed) == 0) {
    at = claim_launch_record(a, launch);
    pinned = at != no_launch_record;
    if (!pinned) full.store(1, order::relaxed);
  }
  lock.store(0, order::release);
  return at;
}

// J4: a call is in flight, and all blocks have arrived at it, or passed it.
GENESYS_KERNEL bool is_passed_by_all(grid_call_record& s) {
  const u32 arrived = global_atomic<u32>(s.arrived).load(order::relaxed);
  const u32 passed = global_atomic<u32>(s.passed).load(order::relaxed);
  return grid_live(global_atomic<u64>(s.word).load(order::relaxed)) != 0 &&
         (arrived == blocks_in_grid() || passed == blocks_in_grid());
}

// Frees a call record that all blocks have passed, and counts their passes.
GENESYS_KERNEL void free_call_record(const device_context& a, u32 index) {
  grid_call_record& s = grid_call_records(a)[index];
  GENESYS_ASSERT(is_passed_by_all(s), "J4: a call record is freed once, when every block has passed it");
  global_atomic<u32>(s.arrived).store(0, order::relaxed);
  global_atomic<u32>(s.passed).store(0, order::relaxed);
  global_atomic<u32>(s.stage).store(0, order::relaxed);
  const global_atomic<u64> word(s.word);
  u64 seen = word.load(order::relaxed);
  while (!word.compare_exchange(seen, seen >> 32 << 32, order::release)) {  // pairs with the acquire of G2
  }
  pass_in_launch(a, a.grids->records[index >> a.grids->calls_log2], blocks_in_grid());
}

// The block passes call record `record` - 1, once: it does not use it afterwards.
GENESYS_KERNEL_OUTLINE inline void pass_grid_call(device_context a, u32 record) {
  // Pairs with itself in other blocks: the block that frees the record comes after all that have read it.
  const u32 before = global_atomic<u32>(grid_call_records(a)[record - 1].passed).fetch_add(1, order::acq_rel);
  GENESYS_ASSERT(before < blocks_in_grid(), "J4: a block passes a call record once");
  if (before + 1 == blocks_in_grid()) free_call_record(a, record - 1);
}

}  // namespace genesys::detail::team
