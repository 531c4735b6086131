// SPDX-License-Identifier: Apache-2.0
// Waits for the call of a ticket, and unstages it. Every thread of the team runs through these functions.
#pragma once

#include "genesys/detail/ops/blocking.h"

namespace genesys::detail::ops {

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
    if (is_unfinished({result, piece_of<plan>(p, given), false}, given[plan.size_arg])) {
      const arguments left = arguments_after<plan>(given, static_cast<u64>(result.value));
      return call_rest<plan>(from.whole(), team, left, result.value);
    }
  }
  return result.value;
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
