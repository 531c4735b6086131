// SPDX-License-Identifier: Apache-2.0
// Calls whose callers do not wait for them at once: `depart` sends one for a ticket, `land` waits for it; `post` sends
// one that nobody waits for. Every thread of the team runs through them; placing, staging and copying are as in
// perform.h.
#pragma once

#include "genesys/detail/perform.h"

namespace genesys::detail {

// The caller: places the call's pointers and takes what it needs until it is finished.
template <const call_plan& plan, waiting w>
GENESYS_KERNEL void prepare(const area& a, placement& p, u64 (&wire)[args_max]) {
  ticket_cell cell{};
  if constexpr (w == waiting::ticket) {
    cell = claim_ticket_cell(a);
    if (!cell.claimed) {
      p.failed = true;
      p.value = -EAGAIN;
      return;
    }
  }
  place_arguments<plan, w>(a, p, wire, all_arguments);
  if (w == waiting::ticket && p.failed) release_unused_cell(a, cell.cell);
  p.cell = cell.cell;
  p.phase = cell.phase;
}

// The caller: sends it.
template <const call_plan& plan, waiting w>
GENESYS_KERNEL void dispatch(const area& a, placement& p, const u64 (&wire)[args_max], scope_kind scope) {
  request r;
  fill_request(r, wire, plan.number, scope);
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
  if (send(a, r)) return;
  p.failed = true;
  p.value = -ECANCELED;
}

// Sends one call, or one piece of a split one, for the whole team; `p` is then known to all of it, but where the caller
// found only while sending that the runtime has ended, which every wait finds, too.
template <const call_plan& plan, waiting w, class Team>
GENESYS_KERNEL void depart(const area& a, Team& team, const u64 (&given)[args_max], placement& p) {
  u64 wire[args_max];
  for (u32 i = 0; i < args_max; ++i) wire[i] = given[i];
  if constexpr (Team::ordered == ordering::consumer) {
    if (team.is_caller()) {
      prepare<plan, w>(a, p, wire);
      copy_in_all<plan>(thread_team{}, p, given, all_arguments);
      dispatch<plan, w>(a, p, wire, Team::scope);
      team.put(p);
    }
    team.gather();
    team.template get<plan>(p);
    team.part();
  } else {
    if (team.is_caller()) prepare<plan, w>(a, p, wire);
    if constexpr (w == waiting::ticket || has_pointers(plan)) spread<plan>(team, p);
    if constexpr (reads_any(plan)) {
      copy_in_all<plan>(team, p, given, all_arguments);
      team.meet();
    }
    if (team.is_caller()) dispatch<plan, w>(a, p, wire, Team::scope);
  }
}

// Waits for a call that has departed: its result, in every thread of the team, which begins here anew, in strong order.
template <const call_plan& plan, class Team>
GENESYS_KERNEL i64 land(const area& a, Team& team, const placement& p, u64 (&given)[args_max]) {
  team.begin();
  outcome said{p.value, false};
  if (team.is_caller() && !p.failed) said.value = await_ticket(a, p.cell, p.phase);
  spread(team, said);
  copy_back<plan>(a, team, p, said, given);
  i64 done = 0;
  if constexpr (plan.split) {
    if (go_on<plan>({said, piece_of<plan>(p), false}, given, done)) {
      const i64 rest = perform<plan>(a, team, {}, given);
      if (rest > 0) done += rest;
    }
    return done;
  }
  return said.value;
}

template <const call_plan& plan, class Team>
GENESYS_KERNEL void post(const area& a, Team& team, const following& after, u64 (&given)[args_max]) {
  begin(a, team, after);
  for (;;) {
    placement p{};
    depart<plan, waiting::posted>(a, team, given, p);
    if constexpr (plan.split) {
      i64 done = 0;
      const u64 piece = piece_of<plan>(p);
      if (!p.failed && piece != 0 && go_on<plan>({{static_cast<i64>(piece), false}, piece, false}, given, done)) {
        team.begin();
        continue;
      }
    }
    break;
  }
  if constexpr (Team::ordered == ordering::strong) team.meet();
}

template <class Team>
GENESYS_KERNEL void post_plain(const area& a, Team& team, const following& after, u64 number,
                               const u64 (&given)[args_max]) {
  begin(a, team, after);
  if (team.is_caller()) {
    request r;
    fill_request(r, given, number > call_number_max ? call_number_max : static_cast<u32>(number), Team::scope);
    r.cell = r.phase = 0;
    r.waits = waiting::posted;
    (void)send(a, r);
  }
  if constexpr (Team::ordered == ordering::strong) team.meet();
  if constexpr (Team::ordered == ordering::consumer) {
    team.gather();
    team.part();
  }
}

}  // namespace genesys::detail
