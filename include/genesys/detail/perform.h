// SPDX-License-Identifier: Apache-2.0
// Makes one blocking call for a team: places its pointers, stages, sends the request, copies back what Linux wrote,
// waits for descriptors that are not ready, cuts long positional calls in pieces. Every thread of the team runs
// `perform`; the caller alone talks to the host.
#pragma once

#include <type_traits>

#include "genesys/detail/direct.h"
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

// A call that is made only when another one, under way with a ticket, is finished; or one that may be made at once.
struct following {
  u32 cell = 0, phase = 0;
  u32 seat = 0;  // of a grid: where the call is known
  bool any = false;
  bool may_have_ring = false;  // has_ring of its plan
};
struct following_nothing {};
template <class After>
constexpr bool follows = std::is_same_v<After, following>;

// Whether calls with this plan may go by a ring when they are not waited for at once.
template <const call_plan& plan, waiting w>
constexpr bool has_ring = plan.ring.opcode != 0 && !plan.ring.opens && (w == waiting::posted || !plan.ring.waits);

// The answer word (direct.h) of a ticket whose call was not waited for; not_by_ring: threads have it. `may_have_one`:
// has_ring of its plan.
GENESYS_KERNEL u64 look_at_ring(const area& a, bool may_have_one, u32 cell) {
  if (!may_have_one || a.direct == nullptr) return not_by_ring;
  return global_atomic<u64>(a.direct->answer[cell]).load(order::acquire);  // pairs with R7
}

// The caller: waits for the call that it follows.
template <bool roomy>
GENESYS_KERNEL bool await_earlier(const area& a, const following& after, scope_kind scope) {
  const u64 seen = look_at_ring(a, after.may_have_ring, after.cell);
  if (seen == not_by_ring) return await_phase<roomy>(a, after.cell, after.phase, scope);
  return await_directly(a, a.direct, a.direct_as, after.cell, seen) != -ECANCELED || !runtime_ended(a);
}

// The team meets, if its order says so, and has a caller; of a grid's blocks, who makes the call. Calls that are sent
// as such follow the earlier one on the host (`dispatch`); for others the caller waits for it here. `number`: the
// call's own.
template <waiting w, class Team, class After>
GENESYS_KERNEL void begin(const area& a, Team& team, [[maybe_unused]] const After& after, u32 number) {
  team.begin();
  if constexpr (Team::scope == scope_kind::grid) {
    team.sit_down(number, w == waiting::ticket);
    if constexpr (follows<After>) {
      if (after.any && team.is_caller() && team.makes()) await_departed(a, after.seat);
    }
  } else if constexpr (follows<After> && w == waiting::blocking) {
    if (after.any && team.is_caller()) (void)await_earlier<Team::in_room>(a, after, Team::scope);
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

// The caller: sends the request and waits.
template <class Team>
GENESYS_KERNEL answer transact_for(const area& a, const Team& team, request& r) {
  if constexpr (remembers<Team>) {
    next_ticket next = team.next();  // in memory, as the function needs it
    const answer got = transact(a, r, &next);
    team.next() = next;
    return got;
  } else {
    return transact<Team::in_room>(a, r);
  }
}

// What an entry says of a call, as the rings of the runtime take it. False: it has none. Once in a program for each
// plan.
template <const call_plan& plan>
GENESYS_KERNEL_OUTLINE bool enter_outline(direct_reach where, bool strict, direct_entry& e, const request& r) {
  return say_in_entry<plan>(where, e, r.args) && (!strict || make_strict(where, e));
}
template <const call_plan& plan>
GENESYS_KERNEL bool enter(const area& a, direct_entry& e, const request& r) {
  return enter_outline<plan>({a.arena_begin, a.arena_end}, a.direct_as.strict, e, r);
}

// The caller: asks Linux, once.
template <const call_plan& plan, class Team>
GENESYS_KERNEL outcome ask_linux(const area& a, const Team& team, const placement& p, const u64 (&given)[args_max]) {
  request r;
  fill_request<plan>(r, p, given, Team::scope, all_arguments);
  if constexpr (plan.ring.opcode != 0) {
    direct_entry e;
    // While a call may wait it holds no bounce buffer: others may need it for what this one waits for.
    const bool holds = plan.ring.waits && p.chunk != 0;
    if (a.direct != nullptr && !holds && !p.beyond && enter<plan>(a, e, r)) {
      const i64 value = make_directly(a, a.direct, a.direct_as, a.generation, e);
      if constexpr (plan.ring.opens) {
        if (value != not_direct) announce(a, a.direct, a.generation, value);
      }
      if (value != not_direct) return {value, false};
    }
  }
  forget_closed(a, plan.number, given);
  answer got;
  if constexpr (plan.quiet && !has_pointers(plan) && !Team::in_room) {
    if constexpr (remembers<Team>) {
      got = transact_inline<true>(a, r, &team.next());
    } else {
      got = transact_inline<true>(a, r);
    }
  } else {
    got = transact_for(a, team, r);
  }
  forget_closed(a, plan.number, given);
  return {got.value, got.again};
}

// The caller: waits until descriptor `fd` is ready, without holding anything. 0, or -errno: too many wait already, or
// the end.
template <bool roomy>
GENESYS_KERNEL i64 wait_ready(const area& a, u64 fd, readiness what, scope_kind scope) {
  request r{};
  r.args[0] = fd;
  r.args[1] = what == readiness::input ? 0x0001 : 0x0004;  // POLLIN, POLLOUT
  r.number = internal_wait;
  r.scope = static_cast<u32>(scope);
  return transact<roomy>(a, r).value;
}

// The caller: gives the bounce buffer back, if there is one.
template <const call_plan& plan>
GENESYS_KERNEL void give_chunk(const area& a, const placement& p) {
  // What nobody here read is as good as given back when Linux has answered.
  if (p.chunk != 0) give_bounce(bit_of_chunk(a, p.chunk), writes_any(plan) ? order::release : handing_on);
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

// Of a producer the last piece, or all: who is not in the caller's warp does not wait for it.
template <class Team>
constexpr bool may_leave_to_caller = is_of_blocks(Team::scope) && Team::ordered == ordering::producer;

// The second half of an attempt, by those who wait for the call: `p` is known to all of them. `left`: it is left to the
// caller's warp. Then its caller waits for the descriptor with its bounce buffer in hand, because what was staged
// cannot be staged anew.
template <const call_plan& plan, class Team>
GENESYS_KERNEL outcome finish(const area& a, const Team& team, const placement& p, const u64 (&given)[args_max],
                              bool left) {
  outcome said{p.value, false};
  if (team.is_caller() && !p.failed) {
    said = ask_linux<plan>(a, team, p, given);
    if constexpr (may_leave_to_caller<Team> && plan.waits != readiness::none) {
      while (left && said.again) {
        said = {wait_ready<Team::in_room>(a, given[plan.waits_arg], plan.waits, Team::scope), false};
        if (said.value >= 0) said = ask_linux<plan>(a, team, p, given);
      }
    }
  }
  if constexpr (may_leave_to_caller<Team>) {
    if (left) {
      spread(team.callers_warp(), said);
      copy_back<plan>(a, team.callers_warp(), p, said, given);
      return said;
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
  if (team.is_caller()) {
    constexpr bool keeps_chunk = may_leave_to_caller<Team> && plan.waits != readiness::none;
    place_arguments<plan, Team::scope, waiting::blocking, keeps_chunk>(a, p, given, all_arguments);
  }
  if constexpr (has_pointers(plan)) spread<plan>(team, p);
  if constexpr (reads_any(plan)) {
    copy_in_all<plan>(team, p, given, all_arguments);
    team.meet();
  }
  bool left = false;
  if constexpr (may_leave_to_caller<Team>) {
    // All but the last piece are staged by all, so nobody can run on before.
    const u64 piece = piece_of<plan>(p);
    if constexpr (has_pointers(plan) && !reads_any(plan)) team.finish_reading();
    left = piece == 0 || piece == given[plan.size_arg];
    if (left && !team.in_callers_warp()) return {{-EINPROGRESS, false}, 0, true};
  }
  return {finish<plan>(a, team, p, given, left), left ? 0 : piece_of<plan>(p), false};
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
      place_arguments<plan, Team::scope, waiting::blocking, false>(a, p, given, all_arguments);
      copy_in_all<plan>(alone, p, given, all_arguments);
      said = p.failed ? outcome{p.value, false} : ask_linux<plan>(a, team, p, given);
      if (!said.again) break;
      give_chunk<plan>(a, p);
      p.chunk = 0;
      said = {wait_ready<Team::in_room>(a, given[plan.waits_arg], plan.waits, Team::scope), false};
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

// Attempts until the descriptor is ready; nothing is held while it is waited for.
template <const call_plan& plan, class Team>
GENESYS_KERNEL attempted attempt_until_made(const area& a, const Team& team, const u64 (&given)[args_max]) {
  for (;;) {
    attempted one = attempt<plan>(a, team, given);
    if constexpr (plan.waits != readiness::none && Team::ordered != ordering::consumer) {
      if (one.said.again) {
        outcome waited{};
        if (team.is_caller())
          waited.value = wait_ready<Team::in_room>(a, given[plan.waits_arg], plan.waits, Team::scope);
        spread(team, waited);
        team.meet();
        if (waited.value >= 0) continue;
        one.said.value = waited.value;
      }
    }
    return one;
  }
}

// --- Split calls: what is larger than one piece. Most calls are not; so what makes the rest is not inlined, and the
// code of the first piece stays small.

// Whether there is more to do after an attempt, when `size` bytes were left before it.
GENESYS_KERNEL bool is_unfinished(const attempted& one, u64 size) {
  const u64 went = static_cast<u64>(one.said.value);
  return !one.left_to_caller && one.said.value >= 0 && one.piece != 0 && went >= one.piece && went < size;
}

struct arguments {
  u64 given[args_max];
};

// The arguments of what is left when `went` bytes are done.
template <const call_plan& plan>
GENESYS_KERNEL arguments arguments_after(const u64 (&given)[args_max], u64 went) {
  arguments left{};
  for (u32 i = 0; i < args_max; ++i) left.given[i] = given[i];
  left.given[buffer_of(plan)] += went;
  left.given[plan.position_arg] += went;
  left.given[plan.size_arg] -= went;
  return left;
}

// The rest of a call, of which `done` bytes are made: the result of it all.
template <const call_plan& plan, class Team>
GENESYS_KERNEL_OUTLINE i64 perform_rest(area a, Team team, arguments left, i64 done) {
  for (;;) {
    const attempted one = attempt_until_made<plan>(a, team, left.given);
    const i64 value = one.said.value;
    if (one.left_to_caller) return value;
    if (value < 0) return done;
    done += value;
    if (!is_unfinished(one, left.given[plan.size_arg])) return done;
    left = arguments_after<plan>(left.given, static_cast<u64>(value));
  }
}

// The call, whole, in every thread that gets the result; -EINPROGRESS in those that do not. Every thread of the scope
// calls it.
template <const call_plan& plan, class Team, class After>
GENESYS_KERNEL i64 perform(const area& a, Team& team, const After& after, const u64 (&given)[args_max]) {
  begin<waiting::blocking>(a, team, after, plan.number);
  if constexpr (Team::scope == scope_kind::grid) {
    if (is_left_out(team)) return team.left_out();
  }
  attempted one;
  if constexpr (Team::ordered == ordering::consumer) {
    one = attempt_alone<plan>(a, team, given);
  } else {
    one = attempt_until_made<plan>(a, team, given);
  }
  i64 done = one.said.value;
  if constexpr (plan.split) {
    if (is_unfinished(one, given[plan.size_arg])) {
      done = perform_rest<plan>(a, without_memory(team), arguments_after<plan>(given, static_cast<u64>(done)), done);
    }
  }
  if constexpr (Team::ordered == ordering::consumer) team.conclude(done);
  return done;
}

// A call's number, as a request has room for it.
GENESYS_KERNEL u32 plain_number(u64 number) {
  return number > call_number_max ? call_number_max : static_cast<u32>(number);
}

// The caller: makes a call of which nothing is known but its number; the arguments go as they are.
template <bool roomy>
GENESYS_KERNEL_OUTLINE i64 ask_linux_plain(area a, u64 number, const u64 (&given)[args_max], scope_kind scope,
                                           next_ticket* next) {
  request r;
  fill_request(r, plain_number(number), given, scope);
  forget_closed(a, r.number, given);
  for (;;) {
    const answer got = transact<roomy>(a, r, next);
    forget_closed(a, r.number, given);
    if (!got.again) return got.value;
    // `extra` of such an answer: the descriptor and what it has to be ready for
    const i64 waited = wait_ready<roomy>(a, got.extra.first, static_cast<readiness>(got.extra.second), scope);
    if (waited < 0) return waited;
  }
}

// The same for a team; otherwise as perform.
template <class Team, class After>
GENESYS_KERNEL i64 perform_plain(const area& a, Team& team, const After& after, u64 number,
                                 const u64 (&given)[args_max]) {
  begin<waiting::blocking>(a, team, after, plain_number(number));
  outcome said{};
  if constexpr (Team::scope == scope_kind::grid) {
    if (is_left_out(team)) return team.left_out();
    if (team.is_caller() && !team.makes()) said.value = team.await_maker();
  }
  if (team.is_caller() && team.makes()) {
    if constexpr (remembers<Team>) {
      next_ticket next = team.next();
      said.value = ask_linux_plain<false>(a, number, given, Team::scope, &next);
      team.next() = next;
    } else {
      said.value = ask_linux_plain<Team::in_room>(a, number, given, Team::scope, nullptr);
    }
  }
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
