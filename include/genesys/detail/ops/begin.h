// SPDX-License-Identifier: Apache-2.0
// The first step of every call of a team.
#pragma once

#include "genesys/detail/ops/transport.h"
#include "genesys/detail/team/grid_team.h"

namespace genesys::detail::ops {

// The first step of every call: the team meets, if its order says so, and elects a leader. The blocks of a grid decide
// which of them makes the call. A blocking call waits here for an earlier one; the host orders the others
// (host_orders). `number`: the call's.
template <wait_mode w, class Team, class After>
GENESYS_KERNEL void begin(const device_context& a, Team& team, [[maybe_unused]] const After& after, u32 number) {
  team.begin();
  if constexpr (Team::scope == scope_kind::grid) {
    team.decide(number, w == wait_mode::ticket);
    if constexpr (has_dependency<After>) {
      if (after.any && team.is_leader() && team.makes()) team::wait_for_grid_ticket_submitted(a, after.grid_record);
    }
  } else if constexpr (has_dependency<After> && w == wait_mode::blocking) {
    if (after.any && team.is_leader()) (void)wait_for_earlier<Team::in_block_waiter>(a, after, Team::scope);
  }
}

// Whether this block takes no part in a grid's call: another block makes the call, and no lane of this block waits for
// it.
template <class Team>
GENESYS_KERNEL bool is_skipped(const Team& team) {
  return Team::scope == scope_kind::grid && Team::ordered == team::ordering::producer && !team.makes();
}

}  // namespace genesys::detail::ops
