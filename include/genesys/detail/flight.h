// SPDX-License-Identifier: Apache-2.0
// Calls whose callers do not wait for them at once: `depart` sends one for a ticket, `land` waits for it; `post` sends
// one that nobody waits for. Every thread of the team runs through them; placing, staging and copying are as in
// perform.h.
#pragma once

#include "genesys/detail/perform.h"

namespace genesys::detail {

// The caller: places the call's pointers and takes what it needs until it is finished.
template <const call_plan& plan, scope_kind scope, waiting w>
GENESYS_KERNEL void prepare(const area& a, placement& p, const u64 (&given)[args_max]) {
  if constexpr (w == waiting::ticket) {
    const ticket_try tried = try_ticket_cell(a);  // goes on while the arguments are placed
    place_arguments<plan, scope, w, false>(a, p, given, all_arguments);
    const ticket_cell cell = claim_ticket_cell(a, tried);
    if (p.failed && cell.claimed) release_unused_cell(a, cell.cell);
    if (!p.failed && !cell.claimed) {
      give_chunk<plan>(a, p);
      p.chunk = 0;
      p.failed = true;
      p.value = -EAGAIN;
    }
    p.cell = cell.cell;
    p.phase = cell.phase;
  } else {
    place_arguments<plan, scope, w, false>(a, p, given, all_arguments);
  }
}

// Sends a request, to be made when the call that it follows is finished; unless that was waited for here.
template <class After>
GENESYS_KERNEL bool send_in_order(const area& a, request& r, [[maybe_unused]] const After& after,
                                  [[maybe_unused]] bool by_host) {
  if constexpr (follows<After>) {
    if (after.any && by_host) return send_after(a, r, after.cell, after.phase);
  }
  return send(a, r);
}

// Whether the host sees to it that a call follows the one that it shall follow. It cannot if that goes by a ring: then
// this waits for it.
template <class After>
GENESYS_KERNEL bool host_sees_to([[maybe_unused]] const area& a, [[maybe_unused]] const After& after,
                                 [[maybe_unused]] scope_kind scope) {
  if constexpr (follows<After>) {
    if (!after.any || scope == scope_kind::grid) return false;
    if (look_at_ring(a, after.may_have_ring, after.cell) == not_by_ring) return true;
    (void)await_earlier<false>(a, after, scope);
  }
  return false;
}

// The caller: sends it by a ring, if there is a way. Not a ticket's call that may wait for what others do: who makes a
// call that follows it would wait, too (host_sees_to). And nobody could give back the bounce buffer of a posted call.
template <const call_plan& plan, waiting w>
GENESYS_KERNEL bool send_by_ring(const area& a, const placement& p, const request& r, bool has_way) {
  if constexpr (has_ring<plan, w>) {
    if (a.direct == nullptr || p.failed) return false;
    direct_entry e;
    if (has_way && !p.beyond && (w == waiting::ticket || p.chunk == 0) && enter<plan>(a, e, r) &&
        depart_directly(a, a.direct, a.direct_as, a.generation, e,
                        w == waiting::ticket ? p.cell : cell_of_posted(a.run)))
      return true;
    if (w == waiting::ticket) global_atomic<u64>(a.direct->answer[p.cell]).store(not_by_ring, order::relaxed);
  }
  return false;
}

// The caller: sends it.
template <const call_plan& plan, waiting w, class After = following_nothing>
GENESYS_KERNEL void dispatch(const area& a, placement& p, const u64 (&given)[args_max], scope_kind scope,
                             [[maybe_unused]] const After& after = {}) {
  request r;
  fill_request<plan>(r, p, given, scope, all_arguments);
  forget_closed(a, plan.number, given);
  r.cell = p.cell;
  r.phase = p.phase;
  r.waits = w;
  if (p.failed) {
    if constexpr (w == waiting::ticket) return;
    // Nobody waits for it; but it is counted.
    r = request{};
    r.args[0] = plan.number;
    r.args[1] = static_cast<u64>(p.value);
    r.number = internal_lost;
    r.scope = static_cast<u32>(scope);
    r.waits = w;
  }
  const bool by_host = !p.failed && host_sees_to(a, after, scope);
  if (send_by_ring<plan, w>(a, p, r, !by_host && scope != scope_kind::grid)) return;
  if (send_in_order(a, r, after, by_host) || w == waiting::posted) return;
  p.failed = true;
  p.value = -ECANCELED;
}

// In a block of a grid that does not make the call: it has no part in it. One of them counts a posted call that was
// refused.
template <const call_plan& plan, waiting w, class Team>
GENESYS_KERNEL void sit_out(const area& a, const Team& team, placement& p) {
  p.failed = true;
  if constexpr (Team::scope == scope_kind::grid) {
    p.value = team.left_out();
    p.seat = team.seat();
    const bool counts = w == waiting::posted && p.seat.part == grid_part::refused && p.seat.first;
    if (counts && team.is_caller()) dispatch<plan, w>(a, p, {}, Team::scope);
  }
}

// Sends one call, or one piece of a split one, for the whole team; `p` is then known to all of it, but where the caller
// found only while sending that the runtime has ended, which every wait finds, too.
template <const call_plan& plan, waiting w, class Team, class After = following_nothing>
GENESYS_KERNEL void depart(const area& a, Team& team, const u64 (&given)[args_max], placement& p,
                           const After& after = {}) {
  if constexpr (Team::ordered == ordering::consumer) {
    if (team.is_caller() && team.makes()) {
      prepare<plan, Team::scope, w>(a, p, given);
      copy_in_all<plan>(thread_team{}, p, given, all_arguments);
      dispatch<plan, w>(a, p, given, Team::scope, after);
    } else if (team.is_caller()) {
      sit_out<plan, w>(a, team, p);
    }
    team.put(p);
    team.gather();
    team.template get<plan>(p);
    team.part();
  } else {
    if (team.is_caller()) prepare<plan, Team::scope, w>(a, p, given);
    if constexpr (w == waiting::ticket || has_pointers(plan)) spread<plan>(team, p);
    if constexpr (reads_any(plan)) {
      copy_in_all<plan>(team, p, given, all_arguments);
      team.meet();
    }
    if (team.is_caller()) dispatch<plan, w>(a, p, given, Team::scope, after);
  }
}

// From where a ticket's call departed, in few words: each thread of a block keeps them until it waits.
struct departure {
  const area* copy;
  u16 run, waits;
  u32 generation;

  GENESYS_KERNEL area whole() const {
    area a = *copy;
    a.run = run;
    a.waits = waits;
    a.generation = generation;
    return a;
  }
};

// C5 and C6 for a ticket: its answer. `written`: the bounce buffer, if the call only read it, which then goes back.
// `how`: it is waited for (how_to_wait).
template <bool roomy>
GENESYS_KERNEL_OUTLINE i64 await_ticket(const area* copy, u32 cell, u32 phase, u64 written, u32 how) {
  const area& a = *copy;
  const chunk_bit staged = bit_of_chunk(a, written);
  const u32 lanes = lanes_together(a);
  const u64 word = await_answer<roomy>(a, cell, phase, lanes, how);
  if (word == never_answered) return -ECANCELED;
  if (written != 0) give_bounce(staged, handing_on);
  return take_answer(a, cell, word, true).value;
}

// The same of one that goes by a ring.
GENESYS_KERNEL_OUTLINE inline i64 await_ticket_of_ring(const area* copy, u32 cell, u64 seen, u64 written) {
  const area& a = *copy;
  const chunk_bit staged = bit_of_chunk(a, written);
  const i64 value = await_directly(a, a.direct, a.direct_as, cell, seen);
  if (value == -ECANCELED && runtime_ended(a)) return value;
  if (written != 0) give_bounce(staged, handing_on);
  release_unused_cell(a, cell);
  return value;
}

// Waits for a call that has departed: its result, in every thread of the team, which begins here anew, in strong order.
// (The cell is freed only when all have met: until then the block may still look at it, for a call that follows.)
template <const call_plan& plan, class Team>
GENESYS_KERNEL i64 land(const departure& from, Team& team, const placement& p, const u64 (&given)[args_max]) {
  const area& a = *from.copy;
  team.begin();
  outcome said{p.value, false};
  if (team.is_caller() && !p.failed) {
    const u64 written = writes_any(plan) ? 0 : p.chunk;
    const u64 seen = look_at_ring(a, has_ring<plan, waiting::ticket>, p.cell);
    if (seen != not_by_ring) {
      said.value = await_ticket_of_ring(from.copy, p.cell, seen, written);
    } else {
      said.value = await_ticket<Team::in_room>(from.copy, p.cell, p.phase, written,
                                               how_to_wait(from.waits, static_cast<u32>(Team::scope)));
    }
  }
  spread(team, said);
  if constexpr (writes_any(plan)) {
    copy_back<plan>(a, team, p, said, given);
  } else {
    team.finish_reading();
  }
  if constexpr (plan.split) {
    if (is_unfinished({said, piece_of<plan>(p), false}, given[plan.size_arg])) {
      const arguments left = arguments_after<plan>(given, static_cast<u64>(said.value));
      return perform_rest<plan>(from.whole(), team, left, said.value);
    }
  }
  return said.value;
}

// A ticket's call: begins and departs.
template <const call_plan& plan, class Team, class After>
GENESYS_KERNEL void take_off(const area& a, Team& team, const After& after, const u64 (&given)[args_max],
                             placement& p) {
  begin<waiting::ticket>(a, team, after, plan.number);
  if (is_left_out(team)) return sit_out<plan, waiting::ticket>(a, team, p);
  depart<plan, waiting::ticket>(a, team, given, p, after);
  if constexpr (Team::scope == scope_kind::grid) {
    p.seat = team.seat();
    if (team.is_caller() && team.makes()) {
      if (p.failed)
        publish_seat(a, p.seat.slot, p.value);
      else
        depart_seat(a, p.seat.slot, p.cell, p.phase);
    }
  }
  if constexpr (Team::ordered == ordering::strong) team.meet();
}

// A blocking call that follows another one: sent at once, and waited for. False: there is no ticket for it just now.
template <const call_plan& plan, class Team>
GENESYS_KERNEL bool perform_after(const area& a, Team& team, const following& after, const u64 (&given)[args_max],
                                  i64& value) {
  placement p{};
  take_off<plan>(a, team, after, given, p);
  value = land<plan>({a.copy, a.run, a.waits, a.generation}, team, p, given);
  return !p.failed || value != -EAGAIN;
}

// `land` for a call of a grid: the block that makes it tells the others, who wait for it where it is a consumer.
template <const call_plan& plan>
GENESYS_KERNEL i64 land_in_grid(const departure& from, const placement& p, const u64 (&given)[args_max]) {
  const area& a = *from.copy;
  block_team<ordering::strong> team(a);
  outcome said{p.value, false};
  const bool makes = p.seat.part == grid_part::makes;
  if (makes) {
    said.value = land<plan>(from, team, p, given);
  } else {
    team.begin();
  }
  if (p.seat.slot == 0) return said.value;
  if (team.is_caller()) {
    if (makes) publish_seat(a, p.seat.slot, said.value);
    if (p.seat.part == grid_part::waits) said.value = await_seat(from.whole(), p.seat.slot);
    pass_seat(a, p.seat.slot);
  }
  spread(team, said);
  team.finish_reading();
  return said.value;
}

// Of a posted call: how much of a split one this was, if there is more.
template <const call_plan& plan>
GENESYS_KERNEL u64 posted_of_more(const placement& p, const u64 (&given)[args_max]) {
  if constexpr (!plan.split) return 0;
  const u64 piece = p.failed ? 0 : piece_of<plan>(p);
  return piece < given[plan.size_arg] ? piece : 0;
}

template <const call_plan& plan, class Team>
GENESYS_KERNEL_OUTLINE void post_rest(area a, Team team, arguments left) {
  for (u64 went = 0;; left = arguments_after<plan>(left.given, went)) {
    placement p{};
    team.begin();
    depart<plan, waiting::posted>(a, team, left.given, p);
    went = posted_of_more<plan>(p, left.given);
    if (went == 0) return;
  }
}

template <const call_plan& plan, class Team, class After>
GENESYS_KERNEL void post(const area& a, Team& team, const After& after, const u64 (&given)[args_max]) {
  begin<waiting::posted>(a, team, after, plan.number);
  placement p{};
  if (is_left_out(team)) return sit_out<plan, waiting::posted>(a, team, p);
  depart<plan, waiting::posted>(a, team, given, p, after);
  if constexpr (Team::scope == scope_kind::grid) team.forget();
  if constexpr (plan.split) {
    if (const u64 went = posted_of_more<plan>(p, given)) {
      const arguments left = arguments_after<plan>(given, went);
      if constexpr (follows<After> && Team::scope != scope_kind::grid) {
        // All wait, since any of them may send what is left.
        if (after.any && !await_earlier<Team::in_room>(a, after, Team::scope)) return;
      }
      if constexpr (Team::scope == scope_kind::grid) {
        post_rest<plan>(a, block_team<Team::ordered>(a), left);
      } else {
        post_rest<plan>(a, team, left);
      }
    }
  }
  if constexpr (Team::ordered == ordering::strong) team.meet();
}

template <class Team, class After>
GENESYS_KERNEL void post_plain(const area& a, Team& team, const After& after, u64 number,
                               const u64 (&given)[args_max]) {
  begin<waiting::posted>(a, team, after, plain_number(number));
  if (team.is_caller() && team.makes()) {
    request r;
    fill_request(r, plain_number(number), given, Team::scope);
    forget_closed(a, r.number, given);
    r.cell = r.phase = 0;
    r.waits = waiting::posted;
    (void)send_in_order(a, r, after, Team::scope != scope_kind::grid);
  }
  if constexpr (Team::ordered == ordering::strong) team.meet();
  if constexpr (Team::ordered == ordering::consumer) {
    team.gather();
    if constexpr (Team::scope == scope_kind::grid) team.forget();
    team.part();
  }
}

}  // namespace genesys::detail
