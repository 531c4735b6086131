// SPDX-License-Identifier: Apache-2.0
// Calls in pieces. A long positional call whose memory is staged is split: each piece has a bounce buffer and a request
// of its own. Linux makes a piece only when it has made the one before it whole. But meanwhile the team copies: the
// piece before it of a read, the piece after it of a write. So the first bytes of a long read are there while the rest
// is under way. Every thread of the team runs through these functions. Most calls are not split, so this code is not
// inlined; and only the leader has the state of the pieces, because a thousand threads would spill it.
#pragma once

#include "genesys/detail/ops/ticket_submit.h"

namespace genesys::detail::ops {

// The bytes of a piece that is planned, or 0 if no other follows it. A compiler often knows that the call is too short
// for two, and leaves out the code for pieces.
template <const call_plan& plan>
GENESYS_KERNEL u64 piece_of(const staging::staging_plan& p, const u64 (&given)[args_max]) {
  if constexpr (!plan.split) return 0;
  if (given[plan.size_arg] <= staging::piece_bytes_least) return 0;
  return p.cut ? 0 : p.bytes[staging::buffer_of(plan)];
}

struct arguments {
  u64 given[args_max];
};

// The arguments of the rest when `done` bytes are done.
template <const call_plan& plan>
GENESYS_KERNEL arguments arguments_after(const u64 (&given)[args_max], u64 done) {
  arguments left{};
  for (u32 i = 0; i < args_max; ++i) left.given[i] = given[i];
  left.given[staging::buffer_of(plan)] += done;
  left.given[plan.position_arg] += done;
  left.given[plan.size_arg] -= done;
  return left;
}

// Whether a team can copy one piece while Linux makes another. (A single thread copies so slowly that there is little
// to gain.)
template <const call_plan& plan, class Team>
constexpr bool can_overlap = Team::ordered == team::ordering::strong &&
                             (Team::scope == scope_kind::block || Team::scope == scope_kind::warp) && plan.split;

// The leader's state of a piece.
struct leaders_piece {
  arguments left;  // of the call from this piece on
  staging::staging_plan p{};
  staging::inline_words words{};
};

// The leader: plans the next piece, and acquires what it needs without waiting. Returns whether it has it all.
template <const call_plan& plan, scope_kind scope>
GENESYS_KERNEL_OUTLINE bool prepare_piece(ticket_origin from, leaders_piece& one) {
  const device_context a = from.whole();
  prepare<plan, scope, wait_mode::ticket, staging::buffer_need::at_hand>(a, one.p, one.words, one.left.given);
  if (!one.p.failed && one.p.buffer == 0 && !one.p.has_inline_data) {
    queue::release_unused_slot(a, one.p.completion_slot);
    one.p.failed = true;
  }
  return !one.p.failed;
}

// The leader: submits a piece, through a queue.
template <const call_plan& plan, scope_kind scope>
GENESYS_KERNEL void submit_to_queue(const device_context& a, leaders_piece& one) {
  request r{};
  fill_request<plan>(r, one.p, one.words, one.left.given, scope, all_arguments);
  r.completion_slot = one.p.completion_slot;
  r.phase = one.p.phase;
  r.mode = wait_mode::ticket;
  if (queue::submit_request(a, r)) return;
  one.p.failed = true;
  one.p.value = -ECANCELED;
}
template <const call_plan& plan, scope_kind scope>
GENESYS_KERNEL_OUTLINE void submit_piece(ticket_origin from, leaders_piece& one) {
  submit_to_queue<plan, scope>(from.whole(), one);
}

// The leader: submits the first piece, whose bounce buffer it has. False: it has got no completion slot.
template <const call_plan& plan, scope_kind scope>
GENESYS_KERNEL_OUTLINE bool begin_piece(ticket_origin from, leaders_piece& first) {
  const device_context a = from.whole();
  const queue::ticket_slot slot = queue::finish_ticket_claim(a, queue::try_claim_ticket_slot(a));
  first.p.keeps = true;
  first.p.completion_slot = slot.completion_slot;
  first.p.phase = slot.phase;
  if (slot.claimed) submit_to_queue<plan, scope>(a, first);
  return slot.claimed;
}

// The leader: waits for a piece. Of a write, it releases the bounce buffer.
template <const call_plan& plan, class Team>
GENESYS_KERNEL_OUTLINE i64 wait_for_piece(ticket_origin from, leaders_piece& one) {
  if (one.p.failed) return one.p.value;
  return wait_by_queue<Team::in_block_waiter>(from.copy, one.p.completion_slot, one.p.phase,
                                              staging::writes_any(plan) ? 0 : one.p.buffer,
                                              strategy_of(from.waits, static_cast<u32>(Team::scope)));
}

// The leader: gives back what a piece holds that is not submitted.
GENESYS_KERNEL_OUTLINE inline void drop_piece(ticket_origin from, const leaders_piece& one) {
  const device_context a = from.whole();
  release_staging(a, one.p);
  queue::release_unused_slot(a, one.p.completion_slot);
}

// The leader: releases the bounce buffer of a piece that the team has copied.
GENESYS_KERNEL_OUTLINE inline void release_piece(const device_context* a, const leaders_piece& one) {
  release_staging(*a, one.p);
}

struct pieces_result {
  i64 value;  // the bytes that are done, or the error of the first piece
  bool is_unfinished;
  bool has_begun = true;  // false: nothing was submitted
};

// Makes a call of more than one piece, of which the leader has planned the first; that is staged at `staged_at`, at the
// beginning of its bounce buffer. It stops before a piece for which there is no bounce buffer or completion slot at
// once. (Pieces go through queues only. The code for shared rings would take registers from each kernel that reads or
// writes: docs/notes/006-registers-and-inlining.md.)
template <const call_plan& plan, class Team>
GENESYS_KERNEL_OUTLINE pieces_result call_in_pieces(ticket_origin from, Team team, arguments whole, u64 staged_at) {
  constexpr int k = staging::buffer_of(plan);
  static_assert(staging::has_one_pointer(plan));
  constexpr bool is_write = staging::reads_any(plan);
  leaders_piece two[2];  // the leader's: of the present piece, and of the next one
  u32 at = 0;
  u64 given[args_max] = {}, size = whole.given[plan.size_arg];
  given[k] = whole.given[k];
  staging::staging_plan now{}, next{};  // as the team knows them
  now.staged_at[k] = staged_at;
  now.bytes[k] = staging::piece_bytes - (staged_at & 15);  // as plan_argument
  if constexpr (is_write) staging::stage_in<plan, k>(team, now, given[k]);
  team.sync();
  bool has_begun = true;  // the leader's
  if (team.is_leader()) {
    two[0].left = whole;
    two[0].p.staged_at[k] = now.staged_at[k];
    two[0].p.bytes[k] = now.bytes[k];
    two[0].p.buffer = staged_at & ~u64{15};
    has_begun = begin_piece<plan, Team::scope>(from, two[0]);
  }
  for (i64 done = 0;;) {
    const u64 piece = now.bytes[k];
    const bool is_last = now.cut || piece >= size;
    next.failed = true;
    if (team.is_leader() && !is_last && has_begun) {
      two[at ^ 1].left = arguments_after<plan>(two[at].left.given, piece);
      if (prepare_piece<plan, Team::scope>(from, two[at ^ 1])) next = two[at ^ 1].p;
    }
    if constexpr (is_write) {
      share<plan>(team, next);  // also if there is none: all have read the last result then
      if (!next.failed) {
        staging::stage_in<plan, k>(team, next, given[k] + piece);
        team.sync();
      }
    }
    team::call_result result{};
    if (team.is_leader() && !has_begun) {
      result.again = true;
    } else if (team.is_leader()) {
      result.value = wait_for_piece<plan, Team>(from, two[at]);
      if (!next.failed) {
        if (result.value == static_cast<i64>(piece))
          submit_piece<plan, Team::scope>(from, two[at ^ 1]);
        else
          drop_piece(from, two[at ^ 1]);
      }
    }
    if constexpr (!is_write) team.put(next);
    share(team, result);
    if (result.again) {
      team.sync();  // all have read it
      return {0, false, false};
    }
    if constexpr (!is_write) {
      team.template get<plan>(next);
      staging::stage_out<plan, k>(team, now, result.value, given);
      team.sync();
      if (team.is_leader()) release_piece(from.copy, two[at]);
    }
    const bool is_whole = result.value == static_cast<i64>(piece);
    if (result.value >= 0) done += result.value;
    if (is_last || !is_whole || next.failed) {
      if constexpr (is_write) team.finish_reading();
      return {done != 0 || result.value >= 0 ? done : result.value, is_whole && !is_last};
    }
    given[k] += piece;
    size -= piece;
    now = next;
    at ^= 1;
  }
}

}  // namespace genesys::detail::ops
