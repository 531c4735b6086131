// SPDX-License-Identifier: Apache-2.0
// Makes one blocking call for a team: places its pointers, stages, sends the request, copies back what Linux wrote,
// waits for descriptors that are not ready, cuts long positional calls in pieces. Every thread of the team runs
// `perform`; the caller alone talks to the host.
#pragma once

#include "genesys/detail/grid_team.h"
#include "genesys/detail/later.h"
#include "genesys/detail/placing.h"

namespace genesys::detail {

constexpr auto all_arguments = std::make_integer_sequence<int, args_max>{};

template <const call_plan& plan, class Team, int... k>
GENESYS_KERNEL void copy_in_all(const Team& team, const placement& p, const u64 (&given)[args_max],
                                std::integer_sequence<int, k...>) {
  if (!p.failed) (copy_in<plan, k>(team, p, given[k]), ...);
}
template <const call_plan& plan, class Team, int... k>
GENESYS_KERNEL void copy_out_all(const Team& team, const placement& p, const outcome& said,
                                 const u64 (&given)[args_max], std::integer_sequence<int, k...>) {
  if (!p.failed && !said.again) (copy_out<plan, k>(team, p, said.value, given), ...);
}

// A call that is made only when another one, under way with a ticket, is finished.
struct following {
  u32 cell = 0, phase = 0;
  u32 seat = 0;  // of a grid: where the call is known
  bool any = false;
};

// The team meets, if its order says so, and has a caller; of a grid's blocks, who makes the call; who then waits for
// the call that this one follows. `number`: the call's own.
template <waiting w, class Team>
GENESYS_KERNEL void begin(const area& a, Team& team, const following& after, u32 number) {
  team.begin();
  if constexpr (Team::scope == scope_kind::grid) {
    team.sit_down(number, w == waiting::ticket);
    if (after.any && team.is_caller() && team.makes()) await_departed(a, after.seat);
  } else {
    if (after.any && team.is_caller()) (void)await_phase(a, after.cell, after.phase);
  }
}

// Whether all of the team are done with a call that has only begun: other blocks of the grid see to it.
template <class Team>
GENESYS_KERNEL bool is_left_out(const Team& team) {
  return Team::scope == scope_kind::grid && Team::ordered == ordering::producer && !team.makes();
}

// Spreads what the caller knows: all of the team meet.
template <const call_plan& plan, class Team>
GENESYS_KERNEL void spread(const Team& team, placement& p) {
  team.put(p);
  team.meet();
  team.template get<plan>(p);
}
template <class Team>
GENESYS_KERNEL void spread(const Team& team, outcome& said) {
  team.put(said);
  team.meet();
  team.get(said);
}

template <const call_plan& plan, int... k>
GENESYS_KERNEL void fill_request(request& r, const placement& p, const u64 (&given)[args_max], scope_kind scope,
                                 std::integer_sequence<int, k...>) {
  ((r.args[k] = wire_argument<plan, k>(p, given)), ...);
  r.number = plan.number;
  r.scope = static_cast<u32>(scope);
}
GENESYS_KERNEL void fill_request(request& r, u32 number, const u64 (&given)[args_max], scope_kind scope) {
  for (u32 i = 0; i < args_max; ++i) r.args[i] = given[i];
  r.number = number;
  r.scope = static_cast<u32>(scope);
}

// The caller: asks Linux, once.
template <const call_plan& plan>
GENESYS_KERNEL outcome ask_linux(const area& a, const placement& p, const u64 (&given)[args_max], scope_kind scope) {
  request r;
  fill_request<plan>(r, p, given, scope, all_arguments);
  answer got;
  if constexpr (plan.quiet && !has_pointers(plan)) {
    got = transact_inline<true>(a, r);
  } else {
    got = transact(a, r);
  }
  return {got.value, got.again};
}

// The caller: waits until descriptor `fd` is ready, without holding anything. 0, or -errno: too many wait already, or
// the end.
GENESYS_KERNEL i64 wait_ready(const area& a, u64 fd, readiness what, scope_kind scope) {
  request r{};
  r.args[0] = fd;
  r.args[1] = what == readiness::input ? 0x0001 : 0x0004;  // POLLIN, POLLOUT
  r.number = internal_wait;
  r.scope = static_cast<u32>(scope);
  return transact(a, r).value;
}

// The caller: gives the bounce buffer back, if there is one.
template <const call_plan& plan>
GENESYS_KERNEL void give_chunk(const area& a, const placement& p) {
  // What nobody here read is as good as given back when Linux has answered.
  if (p.chunk != 0) give_bounce(a, p.chunk, writes_any(plan) ? order::release : handing_on);
}

// The last step of a call: what Linux wrote goes to where the team wants it, and the bounce buffer back.
template <const call_plan& plan, class Team>
GENESYS_KERNEL void copy_back(const area& a, const Team& team, const placement& p, const outcome& said,
                              const u64 (&given)[args_max]) {
  if constexpr (writes_any(plan)) {
    copy_out_all<plan>(team, p, said, given, all_arguments);
    team.meet();
  }
  if constexpr (has_pointers(plan)) {
    if (team.is_caller()) give_chunk<plan>(a, p);
  }
  if constexpr (!writes_any(plan)) team.finish_reading();
}

// The second half of an attempt, by those who wait for the call: `p` is known to all of them. `until_made`: the caller
// waits for the descriptor with its bounce buffer in hand, because what was staged cannot be staged anew.
template <const call_plan& plan, bool until_made, class Team>
GENESYS_KERNEL outcome finish(const area& a, const Team& team, const placement& p, const u64 (&given)[args_max]) {
  outcome said{p.value, false};
  if (team.is_caller() && !p.failed) {
    said = ask_linux<plan>(a, p, given, Team::scope);
    if constexpr (until_made && plan.waits != readiness::none) {
      while (said.again) {
        said = {wait_ready(a, given[plan.waits_arg], plan.waits, Team::scope), false};
        if (said.value >= 0) said = ask_linux<plan>(a, p, given, Team::scope);
      }
    }
  }
  spread(team, said);
  copy_back<plan>(a, team, p, said, given);
  return said;
}

struct attempted {
  outcome said;
  u64 piece;            // of a split call: how much of the buffer this attempt was for; 0: there is no more
  bool left_to_caller;  // this thread does not wait for it
};

template <const call_plan& plan>
GENESYS_KERNEL u64 piece_of(const placement& p) {
  if constexpr (!plan.split) return 0;
  return p.cut ? 0 : p.bytes[buffer_of(plan)];
}

// One attempt by a team that has met. `given`: the arguments as the user gave them; of a split call, from where it
// stands.
template <const call_plan& plan, class Team>
GENESYS_KERNEL attempted attempt(const area& a, const Team& team, const u64 (&given)[args_max]) {
  placement p{};
  if (team.is_caller()) place_arguments<plan, Team::scope, waiting::blocking>(a, p, given, all_arguments);
  if constexpr (has_pointers(plan)) spread<plan>(team, p);
  if constexpr (reads_any(plan)) {
    copy_in_all<plan>(team, p, given, all_arguments);
    team.meet();
  }
  if constexpr (is_of_blocks(Team::scope) && Team::ordered == ordering::producer) {
    // All but the last piece are staged by all, so nobody can run on before.
    const u64 piece = piece_of<plan>(p);
    if constexpr (has_pointers(plan) && !reads_any(plan)) team.finish_reading();
    if (piece == 0 || piece == given[plan.size_arg]) {
      if (!team.in_callers_warp()) return {{-EINPROGRESS, false}, 0, true};
      return {finish<plan, true>(a, team.callers_warp(), p, given), 0, false};
    }
  }
  return {finish<plan, false>(a, team, p, given), piece_of<plan>(p), false};
}

// The first attempt of a consumer: its caller alone, then all. The caller may have to wait for the descriptor; nothing
// is held meanwhile.
template <const call_plan& plan, class Team>
GENESYS_KERNEL attempted attempt_alone(const area& a, Team& team, const u64 (&given)[args_max]) {
  placement p{};
  outcome said{};
  if (team.is_caller() && !team.makes()) {
    p.failed = true;
    if constexpr (Team::scope == scope_kind::grid) said.value = team.await_maker();
  } else if (team.is_caller()) {
    const thread_team alone;
    for (;;) {
      place_arguments<plan, Team::scope, waiting::blocking>(a, p, given, all_arguments);
      copy_in_all<plan>(alone, p, given, all_arguments);
      said = p.failed ? outcome{p.value, false} : ask_linux<plan>(a, p, given, Team::scope);
      if (!said.again) break;
      give_chunk<plan>(a, p);
      p.chunk = 0;
      said = {wait_ready(a, given[plan.waits_arg], plan.waits, Team::scope), false};
      if (said.value >= 0) continue;
      p.failed = true;
      break;
    }
  }
  team.put(p);
  team.put(said);
  team.gather();
  team.template get<plan>(p);
  team.get(said);
  copy_back<plan>(a, team, p, said, given);
  return {said, piece_of<plan>(p), false};
}

// After one attempt at a split call: whether there is more to do, and if not, the result of it all in `done`.
template <const call_plan& plan>
GENESYS_KERNEL bool go_on(const attempted& one, u64 (&given)[args_max], i64& done) {
  const i64 value = one.said.value;
  if (one.left_to_caller || (value < 0 && done == 0)) done = value;
  if (one.left_to_caller || value < 0) return false;
  done += value;
  const u64 went = static_cast<u64>(value);
  if (one.piece == 0 || went < one.piece || went >= given[plan.size_arg]) return false;
  given[buffer_of(plan)] += went;
  given[plan.position_arg] += went;
  given[plan.size_arg] -= went;
  return true;
}

// The call, whole, in every thread that gets the result; -EINPROGRESS in those that do not. Every thread of the scope
// calls it.
template <const call_plan& plan, class Team>
GENESYS_KERNEL i64 perform(const area& a, Team& team, const following& after, u64 (&given)[args_max]) {
  constexpr bool is_consumer = Team::ordered == ordering::consumer;
  begin<waiting::blocking>(a, team, after, plan.number);
  i64 done = 0;
  if constexpr (Team::scope == scope_kind::grid) {
    if (is_left_out(team)) return team.left_out();
  }
  [[maybe_unused]] bool first = true;
  for (;;) {
    attempted one;
    if constexpr (is_consumer) {
      one = first ? attempt_alone<plan>(a, team, given) : attempt<plan>(a, team, given);
      first = false;
    } else {
      one = attempt<plan>(a, team, given);
    }
    if constexpr (plan.waits != readiness::none && !is_consumer) {
      if (one.said.again) {
        outcome waited{};
        if (team.is_caller()) waited.value = wait_ready(a, given[plan.waits_arg], plan.waits, Team::scope);
        spread(team, waited);
        team.meet();
        if (waited.value >= 0) continue;
        one.said.value = waited.value;
      }
    }
    if constexpr (plan.split) {
      if (go_on<plan>(one, given, done)) continue;
    } else {
      done = one.said.value;
    }
    break;
  }
  if constexpr (is_consumer) team.conclude(done);
  return done;
}

// A call's number, as a request has room for it.
GENESYS_KERNEL u32 plain_number(u64 number) {
  return number > call_number_max ? call_number_max : static_cast<u32>(number);
}

// The caller: makes a call of which nothing is known but its number; the arguments go as they are.
GENESYS_KERNEL_OUTLINE inline i64 ask_linux_plain(area a, u64 number, const u64 (&given)[args_max], scope_kind scope) {
  request r;
  fill_request(r, plain_number(number), given, scope);
  for (;;) {
    const answer got = transact(a, r);
    if (!got.again) return got.value;
    // `extra` of such an answer: the descriptor and what it has to be ready for
    const i64 waited = wait_ready(a, got.extra.first, static_cast<readiness>(got.extra.second), scope);
    if (waited < 0) return waited;
  }
}

// The same for a team; otherwise as perform.
template <class Team>
GENESYS_KERNEL i64 perform_plain(const area& a, Team& team, const following& after, u64 number,
                                 const u64 (&given)[args_max]) {
  begin<waiting::blocking>(a, team, after, plain_number(number));
  outcome said{};
  if constexpr (Team::scope == scope_kind::grid) {
    if (is_left_out(team)) return team.left_out();
    if (team.is_caller() && !team.makes()) said.value = team.await_maker();
  }
  if (team.is_caller() && team.makes()) said.value = ask_linux_plain(a, number, given, Team::scope);
  if constexpr (Team::ordered == ordering::consumer) {
    team.put(said);
    team.gather();
    team.get(said);
    team.conclude(said.value);
  } else if constexpr (Team::ordered == ordering::producer && is_of_blocks(Team::scope)) {
    if (!team.in_callers_warp()) return -EINPROGRESS;
    spread(team.callers_warp(), said);
  } else {
    spread(team, said);
    team.finish_reading();
  }
  return said.value;
}

}  // namespace genesys::detail
