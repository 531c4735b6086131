// SPDX-License-Identifier: Apache-2.0
// Calls with a ticket: submit_ticket stages and submits, wait_for_ticket waits and unstages. Every thread of the team
// runs through these functions.
#pragma once

#include "genesys/detail/ops/blocking.h"

namespace genesys::detail::ops {

// The leader: plans the staging, and claims a completion slot for a ticket.
template <const call_plan& plan, scope_kind scope, wait_mode w>
GENESYS_KERNEL void prepare(const device_context& a, staging::staging_plan& p, const u64 (&given)[args_max]) {
  if constexpr (w == wait_mode::ticket) {
    const queue::ticket_claim tried = queue::try_claim_ticket_slot(a);  // completes while this plans
    staging::plan_staging<plan, scope, w, false>(a, p, given, all_arguments);
    const queue::ticket_slot completion_slot = queue::finish_ticket_claim(a, tried);
    if (p.failed && completion_slot.claimed) queue::release_unused_slot(a, completion_slot.completion_slot);
    if (!p.failed && !completion_slot.claimed) {
      release_staging<plan>(a, p);
      p.buffer = 0;
      p.failed = true;
      p.value = -EAGAIN;
    }
    p.completion_slot = completion_slot.completion_slot;
    p.phase = completion_slot.phase;
  } else {
    staging::plan_staging<plan, scope, w, false>(a, p, given, all_arguments);
  }
}

// In a block that takes no part in a grid's call. If a posted call was refused, one of the blocks reports it to the
// host, which counts it.
template <const call_plan& plan, wait_mode w, class Team>
GENESYS_KERNEL void skip_call(const device_context& a, const Team& team, staging::staging_plan& p) {
  p.failed = true;
  if constexpr (Team::scope == scope_kind::grid) {
    p.value = team.skipped_result();
    p.grid = team.slot();
    const bool counts = w == wait_mode::posted && p.grid.part == grid_role::refused && p.grid.first;
    if (counts && team.is_leader()) submit<plan, w>(a, p, {}, Team::scope);
  }
}

// Stages and submits one call, or one piece of a split one, for the team. Afterwards the whole team knows `p`, except
// if the runtime ended during submit(): the wait finds that out as well.
template <const call_plan& plan, wait_mode w, class Team, class After = no_dependency>
GENESYS_KERNEL void stage_and_submit(const device_context& a, Team& team, const u64 (&given)[args_max],
                                     staging::staging_plan& p, const After& after = {}) {
  if constexpr (Team::ordered == team::ordering::consumer) {
    if (team.is_leader() && team.makes()) {
      prepare<plan, Team::scope, w>(a, p, given);
      stage_in_all<plan>(team::thread_team{}, p, given, all_arguments);
      submit<plan, w>(a, p, given, Team::scope, after);
    } else if (team.is_leader()) {
      skip_call<plan, w>(a, team, p);
    }
    team.put(p);
    team.gather();
    team.template get<plan>(p);
    team.part();
  } else {
    if (team.is_leader()) prepare<plan, Team::scope, w>(a, p, given);
    if constexpr (w == wait_mode::ticket || staging::has_pointers(plan)) share<plan>(team, p);
    if constexpr (staging::reads_any(plan)) {
      stage_in_all<plan>(team, p, given, all_arguments);
      team.sync();
    }
    if (team.is_leader()) submit<plan, w>(a, p, given, Team::scope, after);
  }
}

// Waits for a ticket's call and unstages it. Returns the result in every thread of the team, which meets here again, in
// strong order. (The completion slot is released only when all have met: until then the block may look at it for a
// dependent.)
template <const call_plan& plan, class Team>
GENESYS_KERNEL i64 wait_for_ticket(const ticket_origin& from, Team& team, const staging::staging_plan& p,
                                   const u64 (&given)[args_max]) {
  const device_context& a = *from.copy;
  team.begin();
  team::call_result result{p.value, false};
  if (team.is_leader() && !p.failed) {
    result.value = wait<plan, Team>(from, p, staging::writes_any(plan) ? 0 : p.buffer);
  }
  share(team, result);
  if constexpr (staging::writes_any(plan)) {
    unstage<plan>(a, team, p, result, given);
  } else {
    team.finish_reading();
  }
  if constexpr (plan.split) {
    if (is_unfinished({result, piece_of<plan>(p), false}, given[plan.size_arg])) {
      const arguments left = arguments_after<plan>(given, static_cast<u64>(result.value));
      return call_rest<plan>(from.whole(), team, left, result.value);
    }
  }
  return result.value;
}

// Begins and submits a ticket's call.
template <const call_plan& plan, class Team, class After>
GENESYS_KERNEL void submit_ticket(const device_context& a, Team& team, const After& after, const u64 (&given)[args_max],
                                  staging::staging_plan& p) {
  begin<wait_mode::ticket>(a, team, after, plan.number);
  if (is_skipped(team)) return skip_call<plan, wait_mode::ticket>(a, team, p);
  stage_and_submit<plan, wait_mode::ticket>(a, team, given, p, after);
  if constexpr (Team::scope == scope_kind::grid) {
    p.grid = team.slot();
    if (team.is_leader() && team.makes()) {
      if (p.failed)
        team::finish_grid_call(a, p.grid.slot, p.value);
      else
        team::publish_grid_ticket(a, p.grid.slot, p.completion_slot, p.phase);
    }
  }
  if constexpr (Team::ordered == team::ordering::strong) team.sync();
}

// A blocking call after an earlier one: submit with a ticket, and wait. False: no ticket is free.
template <const call_plan& plan, class Team>
GENESYS_KERNEL bool call_after(const device_context& a, Team& team, const dependency& after,
                               const u64 (&given)[args_max], i64& value) {
  staging::staging_plan p{};
  submit_ticket<plan>(a, team, after, given, p);
  value = wait_for_ticket<plan>({a.copy, a.run, a.waits, a.generation}, team, p, given);
  return !p.failed || value != -EAGAIN;
}

// A blocking call that may have an earlier one. In strong order it has a ticket, so that the host orders the two; if no
// ticket is free, and in other orders, the leader waits for the earlier call.
template <const call_plan& plan, class Team, class After>
GENESYS_KERNEL i64 call_and_wait_after(const device_context& a, Team& team, const After& after,
                                       const u64 (&given)[args_max]) {
  constexpr bool all_wait = Team::scope != scope_kind::grid && Team::ordered == team::ordering::strong;
  if constexpr (has_dependency<After> && all_wait) {
    i64 value;
    if (after.any && call_after<plan>(a, team, after, given, value)) return value;
  }
  return call_and_wait<plan>(a, team, after, given);
}

// wait_for_ticket for a call of a grid: the block that makes the call gives the result to the others, which wait for it
// if it is a consumer.
template <const call_plan& plan>
GENESYS_KERNEL i64 wait_for_grid_ticket(const ticket_origin& from, const staging::staging_plan& p,
                                        const u64 (&given)[args_max]) {
  const device_context& a = *from.copy;
  team::block_team<team::ordering::strong> team(a);
  team::call_result result{p.value, false};
  const bool makes = p.grid.part == grid_role::makes;
  if (makes) {
    result.value = wait_for_ticket<plan>(from, team, p, given);
  } else {
    team.begin();
  }
  if (p.grid.slot == 0) return result.value;
  if (team.is_leader()) {
    if (makes) team::finish_grid_call(a, p.grid.slot, result.value);
    if (p.grid.part == grid_role::waits) result.value = team::wait_for_grid_call(from.whole(), p.grid.slot);
    team::pass_grid_call(a, p.grid.slot);
  }
  share(team, result);
  team.finish_reading();
  return result.value;
}

}  // namespace genesys::detail::ops
