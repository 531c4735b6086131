// SPDX-License-Identifier: Apache-2.0
// Makes one blocking call for a team: places its pointers, stages, sends the request, copies back what Linux wrote,
// waits for descriptors that are not ready, cuts long positional calls in pieces. Every thread of the team runs
// `perform`; the caller alone talks to the host.
#pragma once

#include <type_traits>

#include "genesys/detail/queue/tickets.h"
#include "genesys/detail/staging/staging_plan.h"
#include "genesys/detail/team/grid_team.h"
#include "genesys/detail/uring/submit.h"

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
  if (!p.failed && !result.again) (staging::stage_out<plan, k>(team, p, result.value, given), ...);
}

// A call that is made only when another one, under way with a ticket, is finished; or one that may be made at once.
struct dependency {
  u32 completion_slot = 0, phase = 0;
  u32 grid_record = 0;  // of a grid: where the call is known
  bool any = false;
  bool may_use_ring = false;  // can_use_ring of its plan
};
struct no_dependency {};
template <class After>
constexpr bool has_dependency = std::is_same_v<After, dependency>;

// Whether calls with this plan may go by a ring when they are not waited for at once.
template <const call_plan& plan, wait_mode w>
constexpr bool can_use_ring =
    plan.uring.opcode != 0 && !plan.uring.opens && (w == wait_mode::posted || !plan.uring.waits);

// The answer word (direct.h) of a ticket whose call was not waited for; not_on_ring: threads have it. `may_have_one`:
// can_use_ring of its plan.
GENESYS_KERNEL u64 ring_word_of(const device_context& a, bool may_have_one, u32 completion_slot) {
  if (!may_have_one || a.rings == nullptr) return not_on_ring;
  return global_atomic<u64>(a.rings->results[completion_slot]).load(order::acquire);  // pairs with R7
}

// The caller: waits for the call that it follows.
template <bool with_block_waiter>
GENESYS_KERNEL bool wait_for_earlier(const device_context& a, const dependency& after, scope_kind scope) {
  const u64 seen = ring_word_of(a, after.may_use_ring, after.completion_slot);
  if (seen == not_on_ring)
    return queue::wait_for_phase<with_block_waiter>(a, after.completion_slot, after.phase, scope);
  return uring::wait_for_ring(a, a.rings, a.rings_shape, after.completion_slot, seen) != -ECANCELED ||
         !runtime_ended(a);
}

// The team meets, if its order says so, and has a caller; of a grid's blocks, who makes the call. Calls that are sent
// as such follow the earlier one on the host (`dispatch`); for others the caller waits for it here. `number`: the
// call's own.
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

// Whether all of the team are done with a call that has only begun: other blocks of the grid see to it.
template <class Team>
GENESYS_KERNEL bool is_skipped(const Team& team) {
  return Team::scope == scope_kind::grid && Team::ordered == team::ordering::producer && !team.makes();
}

// Spreads what the caller knows: all of the team meet.
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

template <const call_plan& plan, int... k>
GENESYS_KERNEL void fill_request(request& r, const staging::staging_plan& p, const u64 (&given)[args_max],
                                 scope_kind scope, std::integer_sequence<int, k...>) {
  ((r.args[k] = staging::argument_on_wire<plan, k>(p, given)), ...);
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
GENESYS_KERNEL queue::completion submit_and_wait_for(const device_context& a, const Team& team, request& r) {
  if constexpr (team::has_sequence_hint<Team>) {
    queue::sequence_hint next = team.next();  // in memory, as the function needs it
    const queue::completion got = queue::submit_and_wait(a, r, &next);
    team.next() = next;
    return got;
  } else {
    return queue::submit_and_wait<Team::in_block_waiter>(a, r);
  }
}

// What an entry says of a call, as the rings of the runtime take it. False: it has none. Once in a program for each
// plan.
template <const call_plan& plan>
GENESYS_KERNEL_OUTLINE bool encode_outline(uring::shared_range where, bool strict, uring::sqe_fields& e,
                                           const request& r) {
  return uring::encode_sqe<plan>(where, e, r.args) && (!strict || uring::make_strict(where, e));
}
template <const call_plan& plan>
GENESYS_KERNEL bool encode(const device_context& a, uring::sqe_fields& e, const request& r) {
  return encode_outline<plan>({a.arena_begin, a.arena_end}, a.rings_shape.strict, e, r);
}

// The caller: asks Linux, once.
template <const call_plan& plan, class Team>
GENESYS_KERNEL team::call_result submit_once(const device_context& a, const Team& team, const staging::staging_plan& p,
                                             const u64 (&given)[args_max]) {
  request r;
  fill_request<plan>(r, p, given, Team::scope, all_arguments);
  if constexpr (plan.uring.opcode != 0) {
    uring::sqe_fields e;
    // While a call may wait it holds no bounce buffer: others may need it for what this one waits for.
    const bool holds = plan.uring.waits && p.buffer != 0;
    if (a.rings != nullptr && !holds && !p.beyond && encode<plan>(a, e, r)) {
      const i64 value = uring::submit_and_wait_by_ring(a, a.rings, a.rings_shape, a.generation, e);
      if constexpr (plan.uring.opens) {
        if (value != uring::not_submitted) uring::report_descriptor(a, a.rings, a.generation, value);
      }
      if (value != uring::not_submitted) return {value, false};
    }
  }
  uring::forget_closed(a, plan.number, given);
  queue::completion got;
  if constexpr (plan.quiet && !staging::has_pointers(plan) && !Team::in_block_waiter) {
    if constexpr (team::has_sequence_hint<Team>) {
      got = queue::submit_and_wait_inline<true>(a, r, &team.next());
    } else {
      got = queue::submit_and_wait_inline<true>(a, r);
    }
  } else {
    got = submit_and_wait_for(a, team, r);
  }
  uring::forget_closed(a, plan.number, given);
  return {got.value, got.again};
}

// The caller: waits until descriptor `fd` is ready, without holding anything. 0, or -errno: too many wait already, or
// the end.
template <bool with_block_waiter>
GENESYS_KERNEL i64 wait_ready(const device_context& a, u64 fd, readiness what, scope_kind scope) {
  request r{};
  r.args[0] = fd;
  r.args[1] = what == readiness::input ? 0x0001 : 0x0004;  // POLLIN, POLLOUT
  r.number = internal_wait;
  r.scope = static_cast<u32>(scope);
  return queue::submit_and_wait<with_block_waiter>(a, r).value;
}

// The caller: gives the bounce buffer back, if there is one.
template <const call_plan& plan>
GENESYS_KERNEL void release_staging(const device_context& a, const staging::staging_plan& p) {
  // What nobody here read is as good as given back when Linux has answered.
  if (p.buffer != 0)
    staging::release_buffer(staging::bit_of_buffer(a, p.buffer),
                            staging::writes_any(plan) ? order::release : queue::handoff_release);
}

// The last step of a call: what Linux wrote goes to where the team wants it, and the bounce buffer back.
template <const call_plan& plan, class Team>
GENESYS_KERNEL void unstage(const device_context& a, const Team& team, const staging::staging_plan& p,
                            const team::call_result& result, const u64 (&given)[args_max]) {
  if constexpr (staging::writes_any(plan)) {
    stage_out_all<plan>(team, p, result, given, all_arguments);
    team.sync();
  }
  if constexpr (staging::has_pointers(plan)) {
    if (team.is_leader()) release_staging<plan>(a, p);
  }
  if constexpr (!staging::writes_any(plan)) team.finish_reading();
}

// Of a producer the last piece, or all: who is not in the caller's warp does not wait for it.
template <class Team>
constexpr bool may_leave_to_leader = team::is_of_blocks(Team::scope) && Team::ordered == team::ordering::producer;

// The second half of an attempt, by those who wait for the call: `p` is known to all of them. `left`: it is left to the
// caller's warp. Then its caller waits for the descriptor with its bounce buffer in hand, because what was staged
// cannot be staged anew.
template <const call_plan& plan, class Team>
GENESYS_KERNEL team::call_result finish(const device_context& a, const Team& team, const staging::staging_plan& p,
                                        const u64 (&given)[args_max], bool left) {
  team::call_result result{p.value, false};
  if (team.is_leader() && !p.failed) {
    result = submit_once<plan>(a, team, p, given);
    if constexpr (may_leave_to_leader<Team> && plan.waits != readiness::none) {
      while (left && result.again) {
        result = {wait_ready<Team::in_block_waiter>(a, given[plan.waits_arg], plan.waits, Team::scope), false};
        if (result.value >= 0) result = submit_once<plan>(a, team, p, given);
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
  u64 piece;            // of a split call: how much of the buffer this attempt was for; 0: there is no more
  bool left_to_leader;  // this thread does not wait for it
};

template <const call_plan& plan>
GENESYS_KERNEL u64 piece_of(const staging::staging_plan& p) {
  if constexpr (!plan.split) return 0;
  return p.cut ? 0 : p.bytes[staging::buffer_of(plan)];
}

// One attempt by a team that has met. `given`: the arguments as the user gave them; of a split call, from where it
// stands.
template <const call_plan& plan, class Team>
GENESYS_KERNEL attempt_result attempt(const device_context& a, const Team& team, const u64 (&given)[args_max]) {
  staging::staging_plan p{};
  if (team.is_leader()) {
    constexpr bool keeps_buffer = may_leave_to_leader<Team> && plan.waits != readiness::none;
    staging::plan_staging<plan, Team::scope, wait_mode::blocking, keeps_buffer>(a, p, given, all_arguments);
  }
  if constexpr (staging::has_pointers(plan)) share<plan>(team, p);
  if constexpr (staging::reads_any(plan)) {
    stage_in_all<plan>(team, p, given, all_arguments);
    team.sync();
  }
  bool left = false;
  if constexpr (may_leave_to_leader<Team>) {
    // All but the last piece are staged by all, so nobody can run on before.
    const u64 piece = piece_of<plan>(p);
    if constexpr (staging::has_pointers(plan) && !staging::reads_any(plan)) team.finish_reading();
    left = piece == 0 || piece == given[plan.size_arg];
    if (left && !team.in_leaders_warp()) return {{-EINPROGRESS, false}, 0, true};
  }
  return {finish<plan>(a, team, p, given, left), left ? 0 : piece_of<plan>(p), false};
}

// The first attempt of a consumer: its caller alone, then all. The caller may have to wait for the descriptor; nothing
// is held meanwhile.
template <const call_plan& plan, class Team>
GENESYS_KERNEL attempt_result attempt_as_consumer(const device_context& a, Team& team, const u64 (&given)[args_max]) {
  staging::staging_plan p{};
  team::call_result result{};
  if (team.is_leader() && !team.makes()) {
    p.failed = true;
    if constexpr (Team::scope == scope_kind::grid) result.value = team.wait_for_maker();
  } else if (team.is_leader()) {
    const team::thread_team alone;
    for (;;) {
      staging::plan_staging<plan, Team::scope, wait_mode::blocking, false>(a, p, given, all_arguments);
      stage_in_all<plan>(alone, p, given, all_arguments);
      result = p.failed ? team::call_result{p.value, false} : submit_once<plan>(a, team, p, given);
      if (!result.again) break;
      release_staging<plan>(a, p);
      p.buffer = 0;
      result = {wait_ready<Team::in_block_waiter>(a, given[plan.waits_arg], plan.waits, Team::scope), false};
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
  return {result, piece_of<plan>(p), false};
}

// Attempts until the descriptor is ready; nothing is held while it is waited for.
template <const call_plan& plan, class Team>
GENESYS_KERNEL attempt_result attempt_until_made(const device_context& a, const Team& team,
                                                 const u64 (&given)[args_max]) {
  for (;;) {
    attempt_result one = attempt<plan>(a, team, given);
    if constexpr (plan.waits != readiness::none && Team::ordered != team::ordering::consumer) {
      if (one.result.again) {
        team::call_result waited{};
        if (team.is_leader())
          waited.value = wait_ready<Team::in_block_waiter>(a, given[plan.waits_arg], plan.waits, Team::scope);
        share(team, waited);
        team.sync();
        if (waited.value >= 0) continue;
        one.result.value = waited.value;
      }
    }
    return one;
  }
}

// --- Split calls: what is larger than one piece. Most calls are not; so what makes the rest is not inlined, and the
// code of the first piece stays small.

// Whether there is more to do after an attempt, when `size` bytes were left before it.
GENESYS_KERNEL bool is_unfinished(const attempt_result& one, u64 size) {
  const u64 went = static_cast<u64>(one.result.value);
  return !one.left_to_leader && one.result.value >= 0 && one.piece != 0 && went >= one.piece && went < size;
}

struct arguments {
  u64 given[args_max];
};

// The arguments of what is left when `went` bytes are done.
template <const call_plan& plan>
GENESYS_KERNEL arguments arguments_after(const u64 (&given)[args_max], u64 went) {
  arguments left{};
  for (u32 i = 0; i < args_max; ++i) left.given[i] = given[i];
  left.given[staging::buffer_of(plan)] += went;
  left.given[plan.position_arg] += went;
  left.given[plan.size_arg] -= went;
  return left;
}

// The rest of a call, of which `done` bytes are made: the result of it all.
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

// The call, whole, in every thread that gets the result; -EINPROGRESS in those that do not. Every thread of the scope
// calls it.
template <const call_plan& plan, class Team, class After>
GENESYS_KERNEL i64 perform(const device_context& a, Team& team, const After& after, const u64 (&given)[args_max]) {
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

// A call's number, as a request has room for it.
GENESYS_KERNEL u32 plain_number(u64 number) {
  return number > call_number_max ? call_number_max : static_cast<u32>(number);
}

// The caller: makes a call of which nothing is known but its number; the arguments go as they are.
template <bool with_block_waiter>
GENESYS_KERNEL_OUTLINE i64 submit_by_number(device_context a, u64 number, const u64 (&given)[args_max],
                                            scope_kind scope, queue::sequence_hint* next) {
  request r;
  fill_request(r, plain_number(number), given, scope);
  uring::forget_closed(a, r.number, given);
  for (;;) {
    const queue::completion got = queue::submit_and_wait<with_block_waiter>(a, r, next);
    uring::forget_closed(a, r.number, given);
    if (!got.again) return got.value;
    // `extra` of such an answer: the descriptor and what it has to be ready for
    const i64 waited =
        wait_ready<with_block_waiter>(a, got.extra.first, static_cast<readiness>(got.extra.second), scope);
    if (waited < 0) return waited;
  }
}

// The same for a team; otherwise as perform.
template <class Team, class After>
GENESYS_KERNEL i64 call_by_number(const device_context& a, Team& team, const After& after, u64 number,
                                  const u64 (&given)[args_max]) {
  begin<wait_mode::blocking>(a, team, after, plain_number(number));
  team::call_result result{};
  if constexpr (Team::scope == scope_kind::grid) {
    if (is_skipped(team)) return team.skipped_result();
    if (team.is_leader() && !team.makes()) result.value = team.wait_for_maker();
  }
  if (team.is_leader() && team.makes()) {
    if constexpr (team::has_sequence_hint<Team>) {
      queue::sequence_hint next = team.next();
      result.value = submit_by_number<false>(a, number, given, Team::scope, &next);
      team.next() = next;
    } else {
      result.value = submit_by_number<Team::in_block_waiter>(a, number, given, Team::scope, nullptr);
    }
  }
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

}  // namespace genesys::detail::ops
