// SPDX-License-Identifier: Apache-2.0
// Calls by number, os.syscall(). The table has no plan for them, so nothing is staged, and they go through a queue.
// Every thread of the team runs through these functions.
#pragma once

#include "genesys/detail/ops/blocking.h"

namespace genesys::detail::ops {

// A call's number as a request carries it; larger ones become call_number_max, for which Linux gives -ENOSYS.
GENESYS_KERNEL u32 plain_number(u64 number) {
  return number > call_number_max ? call_number_max : static_cast<u32>(number);
}

// The leader: the descriptor of a call of which only the number is known is not ready. Waits for it and calls again,
// until the call is made. `fd`, `waits`: as its completion says.
template <bool with_block_waiter>
GENESYS_KERNEL_OUTLINE i64 wait_and_call_again(device_context a, request r, u64 fd, readiness waits) {
  for (;;) {
    const i64 waited = wait_ready<with_block_waiter>(a, r.number, fd, waits, static_cast<scope_kind>(r.scope));
    if (waited < 0) return waited;
    const queue::completion got = queue::submit_and_wait<with_block_waiter>(a, r);
    uring::forget_closed(a, r.number, r.args);
    if (!got.again) return got.value;
    fd = got.extra.first;
    waits = static_cast<readiness>(got.extra.second);
  }
}

// The leader: makes a call of which only the number is known. The arguments are passed unchanged.
template <class Team>
GENESYS_KERNEL i64 submit_by_number(const device_context& a, const Team& team, u64 number,
                                    const u64 (&given)[args_max]) {
  request r{};
  fill_request(r, plain_number(number), given, Team::scope);
  r.mode = wait_mode::parkable;
  uring::forget_closed(a, r.number, given);
  const queue::completion got = submit_and_wait_by_queue<false>(a, team, r);
  uring::forget_closed(a, r.number, given);
  if (!got.again) return got.value;
  // `extra` of this completion: the descriptor, and the readiness that the call needs
  return wait_and_call_again<Team::in_block_waiter>(a, r, got.extra.first, static_cast<readiness>(got.extra.second));
}

// The same for a team; otherwise as call_and_wait.
template <class Team, class After>
GENESYS_KERNEL i64 call_by_number(const device_context& a, Team& team, const After& after, u64 number,
                                  const u64 (&given)[args_max]) {
  begin<wait_mode::blocking>(a, team, after, plain_number(number));
  team::call_result result{};
  if constexpr (Team::scope == scope_kind::grid) {
    if (is_skipped(team)) return team.skipped_result();
    if (team.is_leader() && !team.makes()) result.value = team.wait_for_maker();
  }
  if (team.is_leader() && team.makes()) result.value = submit_by_number(a, team, number, given);
  if constexpr (Team::ordered == team::ordering::consumer) {
    team.put(result);
    team.gather();
    team.get(result);
    team.conclude(result.value);
  } else if constexpr (Team::ordered == team::ordering::producer && team::is_of_blocks(Team::scope)) {
    if (!team.in_leaders_warp()) return -EINPROGRESS;
    share(team.leaders_warp(), result);
  } else {
    share(team, result);
    team.finish_reading();
  }
  return result.value;
}

// Posts a call by its number.
template <class Team, class After>
GENESYS_KERNEL void post_by_number(const device_context& a, Team& team, const After& after, u64 number,
                                   const u64 (&given)[args_max]) {
  begin<wait_mode::posted>(a, team, after, plain_number(number));
  if (team.is_leader() && team.makes()) {
    request r{};
    fill_request(r, plain_number(number), given, Team::scope);
    uring::forget_closed(a, r.number, given);
    r.completion_slot = r.phase = 0;
    r.mode = wait_mode::posted;
    (void)submit_in_order(a, r, after, host_orders(a, after, Team::scope));
  }
  if constexpr (Team::ordered == team::ordering::strong) team.sync();
  if constexpr (Team::ordered == team::ordering::consumer) {
    team.gather();
    if constexpr (Team::scope == scope_kind::grid) team.forget();
    team.part();
  }
}

}  // namespace genesys::detail::ops
