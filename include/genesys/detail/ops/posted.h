// SPDX-License-Identifier: Apache-2.0
// Posted calls: stage and submit. No lane waits for them; run::drain() does. Every thread of the team runs through
// these functions.
#pragma once

#include "genesys/detail/ops/pieces.h"

namespace genesys::detail::ops {

// The bytes of this piece of a split call, if more pieces follow; else 0.
template <const call_plan& plan>
GENESYS_KERNEL u64 bytes_before_more(const staging::staging_plan& p, const u64 (&given)[args_max]) {
  if constexpr (!plan.split) return 0;
  const u64 piece = p.failed ? 0 : piece_of<plan>(p, given);
  return piece < given[plan.size_arg] ? piece : 0;
}

// The rest of a split call.
template <const call_plan& plan, class Team>
GENESYS_KERNEL_OUTLINE void post_rest(device_context a, Team team, arguments left) {
  for (u64 went = 0;; left = arguments_after<plan>(left.given, went)) {
    staging::staging_plan p{};
    team.begin();
    stage_and_submit<plan, wait_mode::posted>(a, team, left.given, p);
    went = bytes_before_more<plan>(p, left.given);
    if (went == 0) return;
  }
}

// Posts a call: stage and submit. Every thread of the scope calls it.
template <const call_plan& plan, class Team, class After>
GENESYS_KERNEL void post(const device_context& a, Team& team, const After& after, const u64 (&given)[args_max]) {
  begin<wait_mode::posted>(a, team, after, plan.number);
  staging::staging_plan p{};
  if (is_skipped(team)) return skip_call<plan, wait_mode::posted>(a, team, p);
  stage_and_submit<plan, wait_mode::posted>(a, team, given, p, after);
  if constexpr (Team::scope == scope_kind::grid) team.forget();
  if constexpr (plan.split) {
    if (const u64 went = bytes_before_more<plan>(p, given)) {
      const arguments left = arguments_after<plan>(given, went);
      if constexpr (has_dependency<After> && Team::scope != scope_kind::grid) {
        // All lanes wait, because any of them may submit the rest.
        if (after.any && !wait_for_earlier<Team::in_block_waiter>(a, after, Team::scope)) return;
      }
      if constexpr (Team::scope == scope_kind::grid) {
        post_rest<plan>(a, team::block_team<Team::ordered>(a), left);
      } else {
        post_rest<plan>(a, team, left);
      }
    }
  }
  if constexpr (Team::ordered == team::ordering::strong) team.sync();
}

}  // namespace genesys::detail::ops
