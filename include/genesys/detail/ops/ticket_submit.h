// SPDX-License-Identifier: Apache-2.0
// Stages and submits a call for which the team does not wait at once: with a ticket, or posted. Every thread of the
// team runs through these functions.
#pragma once

#include "genesys/detail/ops/begin.h"

namespace genesys::detail::ops {

// The leader: plans the staging, and claims a completion slot for a ticket.
template <const call_plan& plan, scope_kind scope, wait_mode w,
          staging::buffer_need need = staging::buffer_need::as_mode>
GENESYS_KERNEL void prepare(const device_context& a, staging::staging_plan& p, staging::inline_words& words,
                            const u64 (&given)[args_max]) {
  if constexpr (w == wait_mode::ticket) {
    const queue::ticket_claim tried = queue::try_claim_ticket_slot(a);  // completes while this plans
    staging::plan_staging<plan, scope, w, need>(a, p, words, given, all_arguments);
    const queue::ticket_slot completion_slot = queue::finish_ticket_claim(a, tried);
    if (p.failed && completion_slot.claimed) queue::release_unused_slot(a, completion_slot.completion_slot);
    if (!p.failed && !completion_slot.claimed) {
      release_staging(a, p);
      p.buffer = 0;
      p.failed = true;
      p.value = runtime_ended(a) ? -ECANCELED : -EAGAIN;
    }
    p.completion_slot = completion_slot.completion_slot;
    p.phase = completion_slot.phase;
  } else {
    staging::plan_staging<plan, scope, w, need>(a, p, words, given, all_arguments);
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
    if (counts && team.is_leader()) submit<plan, w>(a, p, {}, {}, Team::scope);
  }
}

// Stages and submits one call, or one piece of a split one, for the team. Afterwards the whole team knows `p`, except
// if the runtime ended during submit(): the wait finds that out as well.
template <const call_plan& plan, wait_mode w, class Team, class After = no_dependency>
GENESYS_KERNEL void stage_and_submit(const device_context& a, Team& team, const u64 (&given)[args_max],
                                     staging::staging_plan& p, const After& after = {}) {
  staging::inline_words words{};
  if constexpr (Team::ordered == team::ordering::consumer) {
    if (team.is_leader() && team.makes()) {
      prepare<plan, Team::scope, w>(a, p, words, given);
      stage_in_all<plan>(team::thread_team{}, p, given, all_arguments);
      submit<plan, w>(a, p, words, given, Team::scope, after);
    } else if (team.is_leader()) {
      skip_call<plan, w>(a, team, p);
    }
    team.put(p);
    team.gather();
    team.template get<plan>(p);
    team.part();
  } else {
    if (team.is_leader()) prepare<plan, Team::scope, w>(a, p, words, given);
    if constexpr (w == wait_mode::ticket || staging::has_pointers(plan)) share<plan>(team, p);
    if constexpr (staging::reads_any(plan)) {
      stage_in_all<plan>(team, p, given, all_arguments);
      team.sync();
    }
    if (team.is_leader()) submit<plan, w>(a, p, words, given, Team::scope, after);
  }
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

}  // namespace genesys::detail::ops
