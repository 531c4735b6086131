// SPDX-License-Identifier: Apache-2.0
// The first and the last stage of a call, for a team. Stage: make the staging plan, and copy what Linux reads. Unstage:
// copy what Linux wrote, and release the bounce buffer. Every lane of the team calls these functions; only the leader
// plans and releases.
#pragma once

#include <type_traits>

#include "genesys/detail/queue/completion_slots.h"
#include "genesys/detail/staging/staging_plan.h"
#include "genesys/detail/team/team.h"

namespace genesys::detail::ops {

constexpr auto all_arguments = std::make_integer_sequence<int, args_max>{};

template <const call_plan& plan, class Team, int... k>
GENESYS_KERNEL void stage_in_all(const Team& team, const staging::staging_plan& p, const u64 (&given)[args_max],
                                 std::integer_sequence<int, k...>) {
  if (!p.failed) (staging::stage_in<plan, k>(team, p, given[k]), ...);
}
template <const call_plan& plan, class Team, int... k>
GENESYS_KERNEL void stage_out_all(const Team& team, const staging::staging_plan& p, const team::call_result& result,
                                  const u64 (&given)[args_max], std::integer_sequence<int, k...>) {
  if (p.failed || result.again) return;
  if constexpr (table::inline_shape_of(plan).dir == direction::out) {
    if (p.has_inline_data) return staging::store_inline_data<plan>(team, result.value, result.inline_data, given);
  }
  (staging::stage_out<plan, k>(team, p, result.value, given), ...);
}

// Passes what the leader knows to the whole team, which meets.
template <const call_plan& plan, class Team>
GENESYS_KERNEL void share(const Team& team, staging::staging_plan& p) {
  team.put(p);
  team.sync();
  team.template get<plan>(p);
}
template <class Team>
GENESYS_KERNEL void share(const Team& team, team::call_result& result) {
  team.put(result);
  team.sync();
  team.get(result);
}

// The leader: releases the bounce buffer, if there is one. Each lane of the team has stored what it loaded from the
// buffer, and has met the leader since. So none of these loads is in flight, and a relaxed release is enough
// (docs/protocol.md, "Reliance on the hardware").
GENESYS_KERNEL void release_staging(const device_context& a, const staging::staging_plan& p) {
  if (p.buffer != 0) staging::release_buffer(staging::bit_of_buffer(a, p.buffer));
}

// Copies what Linux wrote to where the arguments point, and releases the bounce buffer.
template <const call_plan& plan, class Team>
GENESYS_KERNEL void unstage(const device_context& a, const Team& team, const staging::staging_plan& p,
                            const team::call_result& result, const u64 (&given)[args_max]) {
  if constexpr (staging::writes_any(plan)) {
    stage_out_all<plan>(team, p, result, given, all_arguments);
    team.sync();
  }
  if constexpr (staging::has_pointers(plan)) {
    if (team.is_leader()) release_staging(a, p);
  }
  if constexpr (!staging::writes_any(plan)) team.finish_reading();
}

}  // namespace genesys::detail::ops
