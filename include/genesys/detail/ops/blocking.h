// SPDX-License-Identifier: Apache-2.0
// A blocking call for a team: stage, submit, wait, unstage. If the descriptor is not ready, the leader waits for it and
// the team tries again. A long positional call is made in pieces. Every thread of the team runs through these
// functions; the leader alone talks to the host.
#pragma once

#include "genesys/detail/ops/pieces.h"

namespace genesys::detail::ops {

// In a relaxed producer only the leader's warp waits for the call, or for the last piece of a split one.
template <class Team>
constexpr bool may_leave_to_leader = team::is_of_blocks(Team::scope) && Team::ordered == team::ordering::producer;

// The second half of an attempt, in the lanes that wait for the call: submit, wait, unstage. `left`: only the leader's
// warp waits. Then the leader keeps the bounce buffer while it waits for the descriptor, because the other lanes have
// gone on and cannot stage again.
template <const call_plan& plan, class Team>
GENESYS_KERNEL team::call_result finish(const device_context& a, const Team& team, const staging::staging_plan& p,
                                        const staging::inline_words& words, const u64 (&given)[args_max], bool left) {
  team::call_result result{p.value, false};
  if (team.is_leader() && !p.failed) {
    result = submit_and_wait<plan>(a, team, p, words, given);
    if constexpr (may_leave_to_leader<Team> && plan.waits != readiness::none) {
      while (left && result.again) {
        result = {wait_ready<Team::in_block_waiter>(a, plan.number, given[plan.waits_arg], plan.waits, Team::scope),
                  false};
        if (result.value >= 0) result = submit_and_wait<plan>(a, team, p, words, given);
      }
    }
  }
  if constexpr (may_leave_to_leader<Team>) {
    if (left) {
      share(team.leaders_warp(), result);
      unstage<plan>(a, team.leaders_warp(), p, result, given);
      return result;
    }
  }
  share(team, result);
  unstage<plan>(a, team, p, result, given);
  return result;
}

struct attempt_result {
  team::call_result result;
  u64 piece;            // of a split call: the bytes of this attempt; 0: it is the last one
  bool left_to_leader;  // this thread does not wait for the call
};

// One attempt by a team that has met: stage, submit, wait, unstage. `given`: the user's arguments, or those of the rest
// of a split call. If the call has more pieces, Linux makes them while the team copies.
template <const call_plan& plan, class Team>
GENESYS_KERNEL attempt_result attempt(const device_context& a, const Team& team, const u64 (&given)[args_max]) {
  staging::staging_plan p{};
  staging::inline_words words{};
  if (team.is_leader()) {
    constexpr staging::buffer_need need = may_leave_to_leader<Team> && plan.waits != readiness::none
                                              ? staging::buffer_need::to_keep
                                              : staging::buffer_need::as_mode;
    staging::plan_staging<plan, Team::scope, wait_mode::blocking, need>(a, p, words, given, all_arguments);
  }
  if constexpr (staging::has_pointers(plan)) share<plan>(team, p);
  if constexpr (can_overlap<plan, Team>) {
    const u64 piece = p.failed ? 0 : piece_of<plan>(p, given);
    if (piece != 0 && piece < given[plan.size_arg]) {
      const pieces_result made =
          call_in_pieces<plan>({a.copy, a.run, a.waits, a.generation}, team::without_hint(team),
                               arguments_after<plan>(given, 0), p.staged_at[staging::buffer_of(plan)]);
      if (made.has_begun) return {{made.value, false}, made.is_unfinished ? static_cast<u64>(made.value) : 0, false};
    }
  }
  if constexpr (staging::reads_any(plan)) {
    stage_in_all<plan>(team, p, given, all_arguments);
    team.sync();
  }
  bool left = false;
  if constexpr (may_leave_to_leader<Team>) {
    // All lanes stage all pieces but the last, so no lane can go on before that one.
    const u64 piece = piece_of<plan>(p, given);
    if constexpr (staging::has_pointers(plan) && !staging::reads_any(plan)) team.finish_reading();
    left = piece == 0 || piece == given[plan.size_arg];
    if (left && !team.in_leaders_warp()) return {{-EINPROGRESS, false}, 0, true};
  }
  return {finish<plan>(a, team, p, words, given, left), left ? 0 : piece_of<plan>(p, given), false};
}

// The first attempt of a relaxed consumer: the leader alone stages, submits and waits; then the team meets and
// unstages. While the leader itself waits for a descriptor, it holds no buffer.
template <const call_plan& plan, class Team>
GENESYS_KERNEL attempt_result attempt_as_consumer(const device_context& a, Team& team, const u64 (&given)[args_max]) {
  staging::staging_plan p{};
  staging::inline_words words{};
  team::call_result result{};
  if (team.is_leader() && !team.makes()) {
    p.failed = true;
    if constexpr (Team::scope == scope_kind::grid) result.value = team.wait_for_maker();
  } else if (team.is_leader()) {
    const team::thread_team alone;
    for (;;) {
      staging::plan_staging<plan, Team::scope, wait_mode::blocking, staging::buffer_need::as_mode>(a, p, words, given,
                                                                                                   all_arguments);
      stage_in_all<plan>(alone, p, given, all_arguments);
      result = p.failed ? team::call_result{p.value, false} : submit_and_wait<plan>(a, team, p, words, given);
      if (!result.again) break;
      release_staging(a, p);
      p.buffer = 0;
      result = {wait_ready<Team::in_block_waiter>(a, plan.number, given[plan.waits_arg], plan.waits, Team::scope),
                false};
      if (result.value >= 0) continue;
      p.failed = true;
      break;
    }
  }
  team.put(p);
  team.put(result);
  team.gather();
  team.template get<plan>(p);
  team.get(result);
  unstage<plan>(a, team, p, result, given);
  return {result, piece_of<plan>(p, given), false};
}

// Attempts until the descriptor is ready. While the leader itself waits for it, it holds no buffer.
template <const call_plan& plan, class Team>
GENESYS_KERNEL attempt_result attempt_until_made(const device_context& a, const Team& team,
                                                 const u64 (&given)[args_max]) {
  for (;;) {
    attempt_result one = attempt<plan>(a, team, given);
    if constexpr (plan.waits != readiness::none && Team::ordered != team::ordering::consumer) {
      if (one.result.again) {
        team::call_result waited{};
        if (team.is_leader())
          waited.value =
              wait_ready<Team::in_block_waiter>(a, plan.number, given[plan.waits_arg], plan.waits, Team::scope);
        share(team, waited);
        team.sync();
        if (waited.value >= 0) continue;
        one.result.value = waited.value;
      }
    }
    return one;
  }
}

// --- Split calls: larger than one piece. Most calls are not, so the code for the rest is not inlined.

// Whether a part of the call is left after an attempt, when `size` bytes were left before it.
GENESYS_KERNEL bool is_unfinished(const attempt_result& one, u64 size) {
  const u64 done = static_cast<u64>(one.result.value);
  return !one.left_to_leader && one.result.value >= 0 && one.piece != 0 && done >= one.piece && done < size;
}

// Makes the rest of a call, of which `done` bytes are done. Returns the result of the whole call.
template <const call_plan& plan, class Team>
GENESYS_KERNEL_OUTLINE i64 call_rest(device_context a, Team team, arguments left, i64 done) {
  for (;;) {
    const attempt_result one = attempt_until_made<plan>(a, team, left.given);
    const i64 value = one.result.value;
    if (one.left_to_leader) return value;
    if (value < 0) return done;
    done += value;
    if (!is_unfinished(one, left.given[plan.size_arg])) return done;
    left = arguments_after<plan>(left.given, static_cast<u64>(value));
  }
}

// Makes a blocking call. Every thread of the scope calls it. Returns the result, or -EINPROGRESS in a thread that does
// not wait for it.
template <const call_plan& plan, class Team, class After>
GENESYS_KERNEL i64 call_and_wait(const device_context& a, Team& team, const After& after,
                                 const u64 (&given)[args_max]) {
  begin<wait_mode::blocking>(a, team, after, plan.number);
  if constexpr (Team::scope == scope_kind::grid) {
    if (is_skipped(team)) return team.skipped_result();
  }
  attempt_result one;
  if constexpr (Team::ordered == team::ordering::consumer) {
    one = attempt_as_consumer<plan>(a, team, given);
  } else {
    one = attempt_until_made<plan>(a, team, given);
  }
  i64 done = one.result.value;
  if constexpr (plan.split) {
    if (is_unfinished(one, given[plan.size_arg])) {
      done = call_rest<plan>(a, team::without_hint(team), arguments_after<plan>(given, static_cast<u64>(done)), done);
    }
  }
  if constexpr (Team::ordered == team::ordering::consumer) team.conclude(done);
  return done;
}

}  // namespace genesys::detail::ops
