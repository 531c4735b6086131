// SPDX-License-Identifier: Apache-2.0
// Calls whose callers do not wait for them at once: `depart` sends one for a ticket, `land` waits for it; `post` sends
// one that nobody waits for. Every thread of the team runs through them; placing, staging and copying are as in
// perform.h.
#pragma once

#include "genesys/detail/ops/blocking.h"

namespace genesys::detail::ops {

// The caller: places the call's pointers and takes what it needs until it is finished.
template <const call_plan& plan, scope_kind scope, wait_mode w>
GENESYS_KERNEL void prepare(const device_context& a, staging::staging_plan& p, const u64 (&given)[args_max]) {
  if constexpr (w == wait_mode::ticket) {
    const queue::ticket_claim tried = queue::try_claim_ticket_slot(a);  // goes on while the arguments are placed
    staging::plan_staging<plan, scope, w, false>(a, p, given, all_arguments);
    const queue::ticket_slot completion_slot = queue::finish_ticket_claim(a, tried);
    if (p.failed && completion_slot.claimed) queue::release_unused_slot(a, completion_slot.completion_slot);
    if (!p.failed && !completion_slot.claimed) {
      release_staging<plan>(a, p);
      p.buffer = 0;
      p.failed = true;
      p.value = -EAGAIN;
    }
    p.completion_slot = completion_slot.completion_slot;
    p.phase = completion_slot.phase;
  } else {
    staging::plan_staging<plan, scope, w, false>(a, p, given, all_arguments);
  }
}

// Sends a request, to be made when the call that it follows is finished; unless that was waited for here.
template <class After>
GENESYS_KERNEL bool submit_in_order(const device_context& a, request& r, [[maybe_unused]] const After& after,
                                    [[maybe_unused]] bool by_host) {
  if constexpr (has_dependency<After>) {
    if (after.any && by_host) return queue::submit_after(a, r, after.completion_slot, after.phase);
  }
  return queue::submit_request(a, r);
}

// Whether the host sees to it that a call follows the one that it shall follow. It cannot if that goes by a ring: then
// this waits for it.
template <class After>
GENESYS_KERNEL bool host_orders([[maybe_unused]] const device_context& a, [[maybe_unused]] const After& after,
                                [[maybe_unused]] scope_kind scope) {
  if constexpr (has_dependency<After>) {
    if (!after.any || scope == scope_kind::grid) return false;
    if (ring_word_of(a, after.may_use_ring, after.completion_slot) == not_on_ring) return true;
    (void)wait_for_earlier<false>(a, after, scope);
  }
  return false;
}

// The caller: sends it by a ring, if there is a way. Not a ticket's call that may wait for what others do: who makes a
// call that follows it would wait, too (host_orders). And nobody could give back the bounce buffer of a posted call.
template <const call_plan& plan, wait_mode w>
GENESYS_KERNEL bool submit_by_ring(const device_context& a, const staging::staging_plan& p, const request& r,
                                   bool can_submit) {
  if constexpr (can_use_ring<plan, w>) {
    if (a.rings == nullptr || p.failed) return false;
    uring::sqe_fields e;
    if (can_submit && !p.beyond && (w == wait_mode::ticket || p.buffer == 0) && encode<plan>(a, e, r) &&
        uring::submit_to_ring(a, a.rings, a.rings_shape, a.generation, e,
                              w == wait_mode::ticket ? p.completion_slot : slot_of_posted(a.run)))
      return true;
    if (w == wait_mode::ticket)
      global_atomic<u64>(a.rings->results[p.completion_slot]).store(not_on_ring, order::relaxed);
  }
  return false;
}

// The caller: sends it.
template <const call_plan& plan, wait_mode w, class After = no_dependency>
GENESYS_KERNEL void submit_planned(const device_context& a, staging::staging_plan& p, const u64 (&given)[args_max],
                                   scope_kind scope, [[maybe_unused]] const After& after = {}) {
  request r;
  fill_request<plan>(r, p, given, scope, all_arguments);
  uring::forget_closed(a, plan.number, given);
  r.completion_slot = p.completion_slot;
  r.phase = p.phase;
  r.mode = w;
  if (p.failed) {
    if constexpr (w == wait_mode::ticket) return;
    // Nobody waits for it; but it is counted.
    r = request{};
    r.args[0] = plan.number;
    r.args[1] = static_cast<u64>(p.value);
    r.number = internal_lost;
    r.scope = static_cast<u32>(scope);
    r.mode = w;
  }
  const bool by_host = !p.failed && host_orders(a, after, scope);
  if (submit_by_ring<plan, w>(a, p, r, !by_host && scope != scope_kind::grid)) return;
  if (submit_in_order(a, r, after, by_host) || w == wait_mode::posted) return;
  p.failed = true;
  p.value = -ECANCELED;
}

// In a block of a grid that does not make the call: it has no part in it. One of them counts a posted call that was
// refused.
template <const call_plan& plan, wait_mode w, class Team>
GENESYS_KERNEL void skip_call(const device_context& a, const Team& team, staging::staging_plan& p) {
  p.failed = true;
  if constexpr (Team::scope == scope_kind::grid) {
    p.value = team.skipped_result();
    p.grid = team.slot();
    const bool counts = w == wait_mode::posted && p.grid.part == grid_role::refused && p.grid.first;
    if (counts && team.is_leader()) submit_planned<plan, w>(a, p, {}, Team::scope);
  }
}

// Sends one call, or one piece of a split one, for the whole team; `p` is then known to all of it, but where the caller
// found only while sending that the runtime has ended, which every wait finds, too.
template <const call_plan& plan, wait_mode w, class Team, class After = no_dependency>
GENESYS_KERNEL void submit_team(const device_context& a, Team& team, const u64 (&given)[args_max],
                                staging::staging_plan& p, const After& after = {}) {
  if constexpr (Team::ordered == team::ordering::consumer) {
    if (team.is_leader() && team.makes()) {
      prepare<plan, Team::scope, w>(a, p, given);
      stage_in_all<plan>(team::thread_team{}, p, given, all_arguments);
      submit_planned<plan, w>(a, p, given, Team::scope, after);
    } else if (team.is_leader()) {
      skip_call<plan, w>(a, team, p);
    }
    team.put(p);
    team.gather();
    team.template get<plan>(p);
    team.part();
  } else {
    if (team.is_leader()) prepare<plan, Team::scope, w>(a, p, given);
    if constexpr (w == wait_mode::ticket || staging::has_pointers(plan)) share<plan>(team, p);
    if constexpr (staging::reads_any(plan)) {
      stage_in_all<plan>(team, p, given, all_arguments);
      team.sync();
    }
    if (team.is_leader()) submit_planned<plan, w>(a, p, given, Team::scope, after);
  }
}

// From where a ticket's call departed, in few words: each thread of a block keeps them until it waits.
struct ticket_origin {
  const device_context* copy;
  u16 run, waits;
  u32 generation;

  GENESYS_KERNEL device_context whole() const {
    device_context a = *copy;
    a.run = run;
    a.waits = waits;
    a.generation = generation;
    return a;
  }
};

// C5 and C6 for a ticket: its answer. `written`: the bounce buffer, if the call only read it, which then goes back.
// `how`: it is waited for (strategy_of).
template <bool with_block_waiter>
GENESYS_KERNEL_OUTLINE i64 wait_for_ticket_slot(const device_context* copy, u32 completion_slot, u32 phase, u64 written,
                                                u32 how) {
  const device_context& a = *copy;
  const staging::buffer_bit staged = staging::bit_of_buffer(a, written);
  const u32 lanes = lanes_together(a);
  const u64 word = queue::wait_for_completion<with_block_waiter>(a, completion_slot, phase, lanes, how);
  if (word == queue::never_completed) return -ECANCELED;
  if (written != 0) staging::release_buffer(staged, queue::handoff_release);
  return queue::take_completion(a, completion_slot, word, true).value;
}

// The same of one that goes by a ring.
GENESYS_KERNEL_OUTLINE inline i64 wait_for_ring_ticket(const device_context* copy, u32 completion_slot, u64 seen,
                                                       u64 written) {
  const device_context& a = *copy;
  const staging::buffer_bit staged = staging::bit_of_buffer(a, written);
  const i64 value = uring::wait_for_ring(a, a.rings, a.rings_shape, completion_slot, seen);
  if (value == -ECANCELED && runtime_ended(a)) return value;
  if (written != 0) staging::release_buffer(staged, queue::handoff_release);
  queue::release_unused_slot(a, completion_slot);
  return value;
}

// Waits for a call that has departed: its result, in every thread of the team, which begins here anew, in strong order.
// (The cell is freed only when all have met: until then the block may still look at it, for a call that follows.)
template <const call_plan& plan, class Team>
GENESYS_KERNEL i64 wait_for_ticket(const ticket_origin& from, Team& team, const staging::staging_plan& p,
                                   const u64 (&given)[args_max]) {
  const device_context& a = *from.copy;
  team.begin();
  team::call_result result{p.value, false};
  if (team.is_leader() && !p.failed) {
    const u64 written = staging::writes_any(plan) ? 0 : p.buffer;
    const u64 seen = ring_word_of(a, can_use_ring<plan, wait_mode::ticket>, p.completion_slot);
    if (seen != not_on_ring) {
      result.value = wait_for_ring_ticket(from.copy, p.completion_slot, seen, written);
    } else {
      result.value = wait_for_ticket_slot<Team::in_block_waiter>(
          from.copy, p.completion_slot, p.phase, written, strategy_of(from.waits, static_cast<u32>(Team::scope)));
    }
  }
  share(team, result);
  if constexpr (staging::writes_any(plan)) {
    unstage<plan>(a, team, p, result, given);
  } else {
    team.finish_reading();
  }
  if constexpr (plan.split) {
    if (is_unfinished({result, piece_of<plan>(p), false}, given[plan.size_arg])) {
      const arguments left = arguments_after<plan>(given, static_cast<u64>(result.value));
      return call_rest<plan>(from.whole(), team, left, result.value);
    }
  }
  return result.value;
}

// A ticket's call: begins and departs.
template <const call_plan& plan, class Team, class After>
GENESYS_KERNEL void submit_ticket(const device_context& a, Team& team, const After& after, const u64 (&given)[args_max],
                                  staging::staging_plan& p) {
  begin<wait_mode::ticket>(a, team, after, plan.number);
  if (is_skipped(team)) return skip_call<plan, wait_mode::ticket>(a, team, p);
  submit_team<plan, wait_mode::ticket>(a, team, given, p, after);
  if constexpr (Team::scope == scope_kind::grid) {
    p.grid = team.slot();
    if (team.is_leader() && team.makes()) {
      if (p.failed)
        team::finish_grid_call(a, p.grid.slot, p.value);
      else
        team::publish_grid_ticket(a, p.grid.slot, p.completion_slot, p.phase);
    }
  }
  if constexpr (Team::ordered == team::ordering::strong) team.sync();
}

// A blocking call that follows another one: sent at once, and waited for. False: there is no ticket for it just now.
template <const call_plan& plan, class Team>
GENESYS_KERNEL bool call_after(const device_context& a, Team& team, const dependency& after,
                               const u64 (&given)[args_max], i64& value) {
  staging::staging_plan p{};
  submit_ticket<plan>(a, team, after, given, p);
  value = wait_for_ticket<plan>({a.copy, a.run, a.waits, a.generation}, team, p, given);
  return !p.failed || value != -EAGAIN;
}

// `land` for a call of a grid: the block that makes it tells the others, who wait for it where it is a consumer.
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

// Of a posted call: how much of a split one this was, if there is more.
template <const call_plan& plan>
GENESYS_KERNEL u64 posted_of_more(const staging::staging_plan& p, const u64 (&given)[args_max]) {
  if constexpr (!plan.split) return 0;
  const u64 piece = p.failed ? 0 : piece_of<plan>(p);
  return piece < given[plan.size_arg] ? piece : 0;
}

template <const call_plan& plan, class Team>
GENESYS_KERNEL_OUTLINE void post_rest(device_context a, Team team, arguments left) {
  for (u64 went = 0;; left = arguments_after<plan>(left.given, went)) {
    staging::staging_plan p{};
    team.begin();
    submit_team<plan, wait_mode::posted>(a, team, left.given, p);
    went = posted_of_more<plan>(p, left.given);
    if (went == 0) return;
  }
}

template <const call_plan& plan, class Team, class After>
GENESYS_KERNEL void post(const device_context& a, Team& team, const After& after, const u64 (&given)[args_max]) {
  begin<wait_mode::posted>(a, team, after, plan.number);
  staging::staging_plan p{};
  if (is_skipped(team)) return skip_call<plan, wait_mode::posted>(a, team, p);
  submit_team<plan, wait_mode::posted>(a, team, given, p, after);
  if constexpr (Team::scope == scope_kind::grid) team.forget();
  if constexpr (plan.split) {
    if (const u64 went = posted_of_more<plan>(p, given)) {
      const arguments left = arguments_after<plan>(given, went);
      if constexpr (has_dependency<After> && Team::scope != scope_kind::grid) {
        // All wait, since any of them may send what is left.
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

template <class Team, class After>
GENESYS_KERNEL void post_by_number(const device_context& a, Team& team, const After& after, u64 number,
                                   const u64 (&given)[args_max]) {
  begin<wait_mode::posted>(a, team, after, plain_number(number));
  if (team.is_leader() && team.makes()) {
    request r;
    fill_request(r, plain_number(number), given, Team::scope);
    uring::forget_closed(a, r.number, given);
    r.completion_slot = r.phase = 0;
    r.mode = wait_mode::posted;
    (void)submit_in_order(a, r, after, Team::scope != scope_kind::grid);
  }
  if constexpr (Team::ordered == team::ordering::strong) team.sync();
  if constexpr (Team::ordered == team::ordering::consumer) {
    team.gather();
    if constexpr (Team::scope == scope_kind::grid) team.forget();
    team.part();
  }
}

}  // namespace genesys::detail::ops
