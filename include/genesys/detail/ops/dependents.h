// SPDX-License-Identifier: Apache-2.0
// Blocking calls that are made after an earlier call with a ticket. Every thread of the team runs through these
// functions.
#pragma once

#include "genesys/detail/ops/ticket_submit.h"
#include "genesys/detail/ops/ticket_wait.h"

namespace genesys::detail::ops {

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

}  // namespace genesys::detail::ops
