// SPDX-License-Identifier: Apache-2.0
// Calls of a whole grid: which block makes the call, and how the other blocks get its result. The steps are G1 to G5,
// the labels of models/grid.pml; team/grid_records.h has the records and their invariants. Called by one thread of a
// block, the leader of its team (grid_team.h).
//
//   G1 Find the launch record, and the call record of the block's next ordinal; load its word. Then check that the
//      epoch is still the one in which the ordinal was counted.
//   G2 If no block has decided: pin the launch record, unless it is busy, and check the epoch again. Then store the
//      word: next + 1, and `live` if the call record was free. If it was not free, calls_max earlier calls are still
//      in flight: all blocks refuse the call. Then missing += blocks, pins -= 1.
//   G3 If a block has decided: refuse the call unless `live` is this round.
//   G4 A producer arrives; the last block to arrive makes the call, and frees the call record. The block that decided
//      makes a consumer's call. The others wait for `stage`, if they wait, and then pass; the last block to pass frees
//      the call record.
//   G5 Pass: missing -= 1 for a refused call; -= blocks by the block that frees a call record. The block that makes
//      `missing` 0 renews the launch record before it goes on: a new epoch, with `decided` as its base.
#pragma once

#include "genesys/detail/team/grid_records.h"

namespace genesys::detail::team {

// What a block keeps from one call of its grid to the next. It is in shared memory, which initially holds any value.
struct grid_cursor {
  u64 mark;  // of this block and launch; any other value: the cursor is empty
  u64 epoch;
  u32 next;  // the next ordinal
  u32 record;
};

// In the block that makes the call: stores the result for the others.
GENESYS_KERNEL void finish_grid_call(const device_context& a, u32 record, i64 value) {
  grid_call_record& s = grid_call_records(a)[record - 1];
  global_atomic<i64>(s.value).store(value, order::relaxed);
  global_atomic<u32>(s.stage).store(static_cast<u32>(grid_stage::done),
                                    order::release);  // pairs with wait_for_grid_call
}

// In the block that makes a call with a ticket: the call is in flight.
GENESYS_KERNEL void publish_grid_ticket(const device_context& a, u32 record, u32 completion_slot, u32 phase) {
  grid_call_record& s = grid_call_records(a)[record - 1];
  global_atomic<u64>(s.completion_slot).store(u64{completion_slot} << 32 | phase, order::relaxed);
  // pairs with wait_for_grid_ticket_submitted
  global_atomic<u32>(s.stage).store(static_cast<u32>(grid_stage::submitted), order::release);
}

// In another block: waits for the result.
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

// In any block that has not passed the call: waits until Linux has made it.
GENESYS_KERNEL_OUTLINE inline void wait_for_grid_ticket_submitted(device_context a, u32 record) {
  grid_call_record& s = grid_call_records(a)[record - 1];
  const bool spins = strategy_of(a.waits, static_cast<u32>(scope_kind::grid)) == spinning;
  backoff waiting;
  for (;;) {
    const u32 stage =
        global_atomic<u32>(s.stage).load(order::acquire);  // pairs with publish_grid_ticket, finish_grid_call
    if (stage == static_cast<u32>(grid_stage::done)) return;
    if (stage == static_cast<u32>(grid_stage::submitted)) {
      // After the completion was taken, the slot may belong to another call; but then `stage` is soon done.
      const u64 where = global_atomic<u64>(s.completion_slot).load(order::relaxed);
      const u64 word = global_atomic<u64, thread_scope::system>(a.completion_slots[where >> 32].word)
                           .load(order::acquire);  // pairs with S6
      if (phase_of(word) == static_cast<u32>(where)) return;
    }
    if (!(spins ? waiting.spin(a) : waiting.wait(a))) return;
  }
}

// J2: no block has decided on the call record for a later round than this one, except that this call was refused there.
GENESYS_KERNEL bool is_not_behind(u64 word, u32 round, u32 calls_log2) {
  const u32 ahead = (grid_next(word) - round) & (~u32{0} >> calls_log2);
  return ahead <= (~u32{0} >> calls_log2) / 2;
}

// The launch record that a block uses for its next call, and the epoch in which it counts.
struct launch_ref {
  u32 at = no_launch_record;
  u64 epoch = 0;
  bool pinned = false;  // by this block, which has claimed the record
};

// G1. False: there is no record for the launch (J5).
GENESYS_KERNEL bool find_launch(const device_context& a, u64 launch, launch_ref& l) {
  for (;;) {
    l.at = find_launch_record(a, launch);
    if (l.at == no_launch_record) l.at = make_launch_record(a, launch, l.pinned);
    if (l.at == no_launch_record) return false;
    grid_launch_record& r = a.grids->records[l.at];
    // A block that sees the epoch of the record's next owner does not see `launch` there.
    l.epoch = global_atomic<u64>(r.epoch).load(order::acquire);  // pairs with claim_launch_record
    if (global_atomic<u64>(r.launch).load(order::acquire) == launch) return true;
  }
}

enum class grid_decision : u32 {
  made,         // by this block
  other_epoch,  // the launch record was renewed, or is busy: find it anew
  other_block   // another block was faster: load the word anew
};

// G2. `seen`: the word of the call record; on `made` the new word.
GENESYS_KERNEL grid_decision decide(grid_launch_record& r, grid_call_record& call, launch_ref& l, u32 round,
                                    u32 calls_log2, u32 number, u64& seen) {
  const global_atomic<u64> word(call.word), use(r.use), epoch_now(r.epoch);
  const u64 before = l.pinned ? 0 : use.fetch_add(grid_pin, order::acq_rel);  // pairs with the block that set `busy`
  l.pinned = false;
  if ((before & grid_busy) != 0 || epoch_now.load(order::acquire) != l.epoch) {
    use.fetch_sub(grid_pin, order::relaxed);
    return grid_decision::other_epoch;
  }
  const u32 next = (round + 1) & (~u32{0} >> calls_log2);
  const u64 wanted = u64{next} << 32 | (grid_live(seen) != 0 ? grid_live(seen) : round + 1);
  if (!word.compare_exchange(seen, wanted, order::acq_rel)) {
    use.fetch_sub(grid_pin, order::release);  // pairs with the block that finds the record unused
    return grid_decision::other_block;
  }
  if (grid_live(seen) == 0) global_atomic<u32>(call.number).store(number, order::relaxed);
  global_atomic<u32>(r.decided).fetch_add(1, order::relaxed);
  use.fetch_add(blocks_in_grid() - grid_pin, order::release);  // pairs with the block that finds the record unused
  seen = wanted;
  return grid_decision::made;
}

// G4: this block's part in a call that was not refused. `index`: of the call record. `first`: this block has decided.
GENESYS_KERNEL grid_slot take_part(const device_context& a, u32 index, bool first, bool is_producer, bool lasting) {
  if (!is_producer) return {first ? grid_role::makes : grid_role::waits, index + 1, first};
  // Pairs with itself in other blocks: the last block sees what all of them wrote.
  const u32 before = global_atomic<u32>(grid_call_records(a)[index].arrived).fetch_add(1, order::acq_rel);
  GENESYS_ASSERT(before < blocks_in_grid(), "J4: a block arrives at a call once");
  const bool last = before + 1 == blocks_in_grid();
  if (last && !lasting) free_call_record(a, index);
  return {last ? grid_role::makes : grid_role::runs_on, lasting ? index + 1 : 0, first};
}

// G1 to G4: the block's part in its next call. `mine`: what the block remembers, which this updates. `lasting`: the
// blocks pass the call later (pass_grid_call), also if they are producers.
GENESYS_KERNEL_OUTLINE inline grid_slot decide_grid_call(device_context a, grid_cursor& mine, u32 number,
                                                         bool is_producer, bool lasting) {
  const u64 launch = launch_number() + 1;
  const u64 mark = a.nonce ^ launch << 32 ^ block_rank();
  const u32 log2 = a.grids->calls_log2;
  const bool known = mine.mark == mark;
  launch_ref l;
  if (known && mine.record < grids_max) l = {mine.record, mine.epoch, false};
  backoff waiting;
  for (;;) {
    if (l.at == no_launch_record && !find_launch(a, launch, l)) return {grid_role::refused, 0, block_rank() == 0};
    grid_launch_record& r = a.grids->records[l.at];
    const u32 ordinal = known && l.epoch == mine.epoch ? mine.next : static_cast<u32>(l.epoch);
    const u32 round = ordinal >> log2;
    const u32 index = l.at << log2 | (ordinal & ((1u << log2) - 1));
    grid_call_record& call = grid_call_records(a)[index];
    u64 seen = global_atomic<u64>(call.word).load(order::acquire);      // pairs with G2 and free_call_record
    if (global_atomic<u64>(r.epoch).load(order::acquire) != l.epoch) {  // pairs with renew_epoch
      l.at = no_launch_record;
      continue;
    }
    GENESYS_ASSERT(static_cast<std::int32_t>(ordinal - static_cast<u32>(l.epoch)) >= 0,
                   "J3: an epoch begins at its base");
    GENESYS_ASSERT(is_not_behind(seen, round, log2), "J2: ordinals are decided in order, each once");
    bool first = false;
    if (grid_next(seen) == round) {
      const grid_decision made = decide(r, call, l, round, log2, number, seen);
      if (made == grid_decision::other_block) continue;
      if (made == grid_decision::other_epoch) {
        l.at = no_launch_record;
        if (!waiting.wait(a)) return {grid_role::refused, 0, false};
        continue;
      }
      first = true;
    } else if (l.pinned) {
      global_atomic<u64>(r.use).fetch_sub(grid_pin, order::release);  // pairs with the block that finds it unused
    }
    mine = {mark, l.epoch, ordinal + 1, l.at};
    if (grid_live(seen) == round + 1) return take_part(a, index, first, is_producer, lasting);
    pass_in_launch(a, r, 1);  // G3
    return {grid_role::refused, 0, first};
  }
}

}  // namespace genesys::detail::team
