// SPDX-License-Identifier: Apache-2.0
// Calls of a whole grid: which block makes a call, and how the others learn of it. All of it lies in device memory, so
// that grids may be larger than what the GPU holds at a time; what a block knows of it is a few words in its shared
// memory. Called by one thread of a block, its caller (grid_team.h); drained and looked over by src/host/grid_check.h.
//
//   record   of a launch, found by its number. A launch has one from the first block that calls until all blocks have
//            passed all calls made so far; the next call renews it, or finds it in another launch's hands and takes
//            another one. So a graph's node, which keeps its number each time that it is launched, begins anew each
//            time, and nothing is left of a launch that has ended.
//   epoch    {unique : 32 | base : 32}: another one after each renewal. A block remembers the epoch and the ordinal of
//            its next call; under an epoch that it does not know, its next call has ordinal `base`. Shared memory may
//            still hold what the block left there in the launch before: an epoch that is over.
//   slot     of a call under way: ordinal modulo calls_max. {next : 32 | live : 32}: `next` is the round (ordinal /
//            calls_max) of this slot which nobody has decided on yet; `live` is the round under way + 1, or 0.
//   use      of a record: {busy : 1 | pins : 15 | missing : 48}: whether somebody renews or takes it; how many blocks
//   are
//            about to decide on a call; how many passes of blocks are missing, summed over all calls decided on,
//            whether made or refused.
//
// A call (labels as in models/grid.pml).
//   G1 find the record, and the slot of the block's next ordinal; its word; then the epoch must still be the one that
//      the ordinal was counted in.
//   G2 nobody has decided: pin the record, unless it is busy; the epoch must still be the same. Then the word: next +
//   1,
//      and `live` if the slot was free. If it was not, calls_max calls before this one are still under way: the call
//      is refused, in all blocks. Then missing += blocks, pins -= 1.
//   G3 decided: refused unless `live` is this round.
//   G4 a producer arrives; the last one to arrive makes the call, and frees the slot. Of a consumer whoever decided
//      makes it; the others wait for `stage`, if they wait, and then pass; the last one to pass frees the slot.
//   G5 passes: missing -= 1 for one that was refused, -= blocks by whoever frees a slot. Who makes it 0 sees to it that
//      the record is renewed before it goes on: epoch is another one, with `decided` as its base.
//
// Invariants.
//   J1 A record is renewed, or given to another launch, only while its use is 0, by whoever put `busy` there. A block
//      that has not passed a call that was decided on is counted as missing: it finds its record as it was. Whoever
//      takes a record keeps it pinned until it has decided on a call, so that launches that want the same one do not
//      take it from each other for ever.
//   J2 An ordinal is decided on once: `next` only grows, by one exchange each.
//   J3 When a launch has ended, all of whose blocks made the same calls, its record is renewed: no block of a replay
//      takes an ordinal of the launch before for its own.
//   J4 A slot is free (live = 0) only when every block has passed it, so what lies in it is nobody's.
//   J5 When there is no room for a record, `full` stays, and all launches that have none are refused, all their blocks:
//      until no run is attached. It takes more grids at a time than a GPU runs, or some whose blocks did not all make
//      the same calls.
#pragma once

#include <cerrno>

#include "genesys/detail/queue/submit.h"
#include "genesys/detail/wire/grid_calls.h"

namespace genesys::detail::team {

// What a block remembers from one call of its grid to the next, in shared memory, which starts with anything in it.
struct grid_cursor {
  u64 mark;  // of this block and launch; anything else: nothing is remembered
  u64 epoch;
  u32 next;  // ordinal
  u32 record;
};

GENESYS_KERNEL grid_call_record* grid_call_records(const device_context& a) {
  return reinterpret_cast<grid_call_record*>(a.grids + 1);
}
// J1.
GENESYS_KERNEL bool is_held_alone(grid_launch_record& r) {
  const u64 use = global_atomic<u64>(r.use).load(order::relaxed);
  return (use & grid_busy) != 0 && grid_missing(use) == 0;
}

// With `busy` in hand: whoever sees the new epoch counts ordinals anew.
GENESYS_KERNEL void renew_epoch(const device_context& a, grid_launch_record& r) {
  GENESYS_ASSERT(is_held_alone(r), "J1: a launch record is renewed while no block needs it");
  const u64 unique = global_atomic<u32>(a.grids->epochs).fetch_add(1, order::relaxed) + 1;
  const u32 base = global_atomic<u32>(r.decided).load(order::relaxed);
  global_atomic<u64>(r.epoch).store(unique << 32 | base, order::release);  // pairs with G1
}

// G5: `count` passes of `r` were made.
GENESYS_KERNEL void pass_in_launch(const device_context& a, grid_launch_record& r, u64 count) {
  const global_atomic<u64> use(r.use), epoch(r.epoch);
  const u64 before = epoch.load(order::relaxed);
  u64 seen = use.fetch_sub(count, order::acq_rel) - count;  // pairs with the passes of others
  // (A block may pass before the passes are added: then whoever adds them still has its pin.)
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

// The record of a launch, or none.
GENESYS_KERNEL u32 find_launch_record(const device_context& a, u64 launch) {
  for (u32 i = 0; i < grids_near; ++i) {
    const u32 at = static_cast<u32>(launch + i) % grids_max;
    const global_atomic<u64> owner(a.grids->records[at].launch);
    if (owner.load(order::acquire) == launch) return at;  // pairs with claim_launch_record
  }
  return no_launch_record;
}

// Gives the launch a record that nobody needs, pinned: one that nobody ever had, if there is one.
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
    owner.store(0, order::relaxed);  // before the epoch: whoever sees the new one does not see the old owner
    renew_epoch(a, r);
    global_atomic<u32>(r.run).store(a.run, order::relaxed);
    global_atomic<u32>(r.blocks).store(blocks_in_grid(), order::relaxed);
    owner.store(launch, order::release);                  // pairs with find_launch_record
    use.fetch_sub(grid_busy - grid_pin, order::release);  // pairs with G2
    return at;
  }
  return no_launch_record;
}

// The launch's record, made if there is none. `pinned`: it was made, and is pinned.
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

// J4: of a call under way, whether all blocks have arrived, or passed.
GENESYS_KERNEL bool is_passed_by_all(grid_call_record& s) {
  const u32 arrived = global_atomic<u32>(s.arrived).load(order::relaxed);
  const u32 passed = global_atomic<u32>(s.passed).load(order::relaxed);
  return grid_live(global_atomic<u64>(s.word).load(order::relaxed)) != 0 &&
         (arrived == blocks_in_grid() || passed == blocks_in_grid());
}

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

// The block wants nothing any more of the call in `seat`, which it has not passed yet.
GENESYS_KERNEL_OUTLINE inline void pass_grid_call(device_context a, u32 record) {
  // Pairs with itself in other blocks: who frees the slot comes after all who looked at it.
  const u32 before = global_atomic<u32>(grid_call_records(a)[record - 1].passed).fetch_add(1, order::acq_rel);
  GENESYS_ASSERT(before < blocks_in_grid(), "J4: a block passes a call record once");
  if (before + 1 == blocks_in_grid()) free_call_record(a, record - 1);
}

// The block that makes a call: what came of it.
GENESYS_KERNEL void finish_grid_call(const device_context& a, u32 record, i64 value) {
  grid_call_record& s = grid_call_records(a)[record - 1];
  global_atomic<i64>(s.value).store(value, order::relaxed);
  global_atomic<u32>(s.stage).store(static_cast<u32>(grid_stage::done),
                                    order::release);  // pairs with wait_for_grid_call
}

// The block that makes a call with a ticket: it is under way.
GENESYS_KERNEL void publish_grid_ticket(const device_context& a, u32 record, u32 completion_slot, u32 phase) {
  grid_call_record& s = grid_call_records(a)[record - 1];
  global_atomic<u64>(s.completion_slot).store(u64{completion_slot} << 32 | phase, order::relaxed);
  // pairs with wait_for_grid_ticket_submitted
  global_atomic<u32>(s.stage).store(static_cast<u32>(grid_stage::submitted), order::release);
}

// Another block: waits for what came of it.
GENESYS_KERNEL_OUTLINE inline i64 wait_for_grid_call(device_context a, u32 record) {
  grid_call_record& s = grid_call_records(a)[record - 1];
  const bool spins = strategy_of(a.waits, static_cast<u32>(scope_kind::grid)) == spinning;
  backoff waiting;
  const global_atomic<u32> stage(s.stage);
  while (stage.load(order::acquire) != static_cast<u32>(grid_stage::done)) {  // pairs with finish_grid_call
    if (!(spins ? waiting.spin(a) : waiting.wait(a))) return -ECANCELED;
  }
  return global_atomic<i64>(s.value).load(order::relaxed);
}

// Any block that has not passed the call: waits until Linux has made it, whoever takes its result.
GENESYS_KERNEL_OUTLINE inline void wait_for_grid_ticket_submitted(device_context a, u32 record) {
  grid_call_record& s = grid_call_records(a)[record - 1];
  const bool spins = strategy_of(a.waits, static_cast<u32>(scope_kind::grid)) == spinning;
  backoff waiting;
  for (;;) {
    const u32 stage =
        global_atomic<u32>(s.stage).load(order::acquire);  // pairs with publish_grid_ticket, finish_grid_call
    if (stage == static_cast<u32>(grid_stage::done)) return;
    if (stage == static_cast<u32>(grid_stage::submitted)) {
      // Once the answer was taken the cell may be somebody else's, and say anything; but then it is soon done.
      const u64 where = global_atomic<u64>(s.completion_slot).load(order::relaxed);
      const u64 answer = global_atomic<u64, thread_scope::system>(a.completion_slots[where >> 32])
                             .load(order::acquire);  // pairs with S6
      if (phase_of(answer) == static_cast<u32>(where)) return;
    }
    if (!(spins ? waiting.spin(a) : waiting.wait(a))) return;
  }
}

// J2: the slot of a block's next call, whose round this is, is decided on for this round or for none; so `next` is this
// round or the one after it, or a later one where this call was refused.
GENESYS_KERNEL bool is_not_behind(u64 word, u32 round, u32 calls_log2) {
  const u32 ahead = (grid_next(word) - round) & (~u32{0} >> calls_log2);
  return ahead <= (~u32{0} >> calls_log2) / 2;
}

// G1 to G4: the block's next call. `lasting`: its blocks pass it later (pass_grid_call), also if it is a producer.
GENESYS_KERNEL_OUTLINE inline grid_slot decide_grid_call(device_context a, grid_cursor& mine, u32 number,
                                                         bool is_producer, bool lasting) {
  const u64 launch = launch_number() + 1;
  const u64 blocks = blocks_in_grid();
  const u64 mark = a.nonce ^ launch << 32 ^ block_rank();
  const u32 log2 = a.grids->calls_log2;
  bool known = mine.mark == mark;
  u32 at = known && mine.record < grids_max ? mine.record : no_launch_record;
  u64 epoch = known ? mine.epoch : 0;
  bool pinned = false;
  backoff waiting;
  for (;;) {
    if (at == no_launch_record) {
      at = find_launch_record(a, launch);
      if (at == no_launch_record) at = make_launch_record(a, launch, pinned);
      if (at == no_launch_record) return {grid_role::refused, 0, block_rank() == 0};
      // Whoever sees the epoch of the record's next owner does not see ours.
      epoch = global_atomic<u64>(a.grids->records[at].epoch).load(order::acquire);  // pairs with claim_launch_record
      if (global_atomic<u64>(a.grids->records[at].launch).load(order::acquire) != launch) {
        at = no_launch_record;
        continue;
      }
    }
    grid_launch_record& r = a.grids->records[at];
    const u32 ordinal = known && epoch == mine.epoch ? mine.next : static_cast<u32>(epoch);
    const u32 round = ordinal >> log2;
    const u32 index = at << log2 | (ordinal & ((1u << log2) - 1));
    grid_call_record& slot = grid_call_records(a)[index];
    const global_atomic<u64> word(slot.word), use(r.use), epoch_now(r.epoch);
    u64 seen = word.load(order::acquire);           // pairs with G2 and free_call_record
    if (epoch_now.load(order::acquire) != epoch) {  // pairs with renew_epoch
      at = no_launch_record;
      continue;
    }
    GENESYS_ASSERT(static_cast<std::int32_t>(ordinal - static_cast<u32>(epoch)) >= 0,
                   "J3: an epoch begins at its base");
    GENESYS_ASSERT(is_not_behind(seen, round, log2), "J2: ordinals are decided in order, each once");
    bool first = false;
    if (grid_next(seen) == round) {
      const u64 before = pinned ? 0 : use.fetch_add(grid_pin, order::acq_rel);  // pairs with who had it busy
      pinned = false;
      if ((before & grid_busy) != 0 || epoch_now.load(order::acquire) != epoch) {
        use.fetch_sub(grid_pin, order::relaxed);
        at = no_launch_record;
        if (!waiting.wait(a)) return {grid_role::refused, 0, false};
        continue;
      }
      const u32 next = (round + 1) & (~u32{0} >> log2);
      const u64 wanted = u64{next} << 32 | (grid_live(seen) != 0 ? grid_live(seen) : round + 1);
      if (!word.compare_exchange(seen, wanted, order::acq_rel)) {
        use.fetch_sub(grid_pin, order::release);  // pairs with who finds it unused
        continue;
      }
      if (grid_live(seen) == 0) global_atomic<u32>(slot.number).store(number, order::relaxed);
      global_atomic<u32>(r.decided).fetch_add(1, order::relaxed);
      use.fetch_add(blocks - grid_pin, order::release);  // the same
      first = true;
      seen = wanted;
    } else if (pinned) {
      use.fetch_sub(grid_pin, order::release);  // the same
    }
    mine = {mark, epoch, ordinal + 1, at};
    if (grid_live(seen) != round + 1) {
      pass_in_launch(a, r, 1);
      return {grid_role::refused, 0, first};
    }
    if (!is_producer) return {first ? grid_role::makes : grid_role::waits, index + 1, first};
    // Pairs with itself in other blocks: the last one sees what all of them wrote.
    const u32 before = global_atomic<u32>(slot.arrived).fetch_add(1, order::acq_rel);
    GENESYS_ASSERT(before < blocks, "J4: a block arrives at a call once");
    const bool last = before + 1 == blocks;
    if (last && !lasting) free_call_record(a, index);
    return {last ? grid_role::makes : grid_role::runs_on, lasting ? index + 1 : 0, first};
  }
}

}  // namespace genesys::detail::team
