// SPDX-License-Identifier: Apache-2.0
// Connects the stages of a call to the two transports: the submission queues, which the host serves (queue/), and the
// shared rings of the executor `direct`, which Linux serves (uring/). The stages depend on neither. They call
// submit_and_wait for a blocking call, submit and wait for a ticket, submit alone for a posted call. Called by the
// leader of a team.
#pragma once

#include "genesys/detail/ops/stages.h"
#include "genesys/detail/queue/submit_async.h"
#include "genesys/detail/uring/submit.h"

namespace genesys::detail::ops {

// The earlier call, in flight with a ticket, that a dependent follows. Without `any` there is none.
struct dependency {
  u32 completion_slot = 0, phase = 0;
  u32 grid_record = 0;  // of a grid's call
  bool any = false;
  bool may_use_ring = false;  // can_use_ring of its plan
};
struct no_dependency {};
template <class After>
constexpr bool has_dependency = std::is_same_v<After, dependency>;

// Whether a ticket's or a posted call with this plan may use a shared ring.
template <const call_plan& plan, wait_mode w>
constexpr bool can_use_ring =
    plan.uring.opcode != 0 && !plan.uring.opens && (w == wait_mode::posted || !plan.uring.waits);

// The word in `results` (uring/submit.h) of a ticket's completion slot; not_on_ring: the call went through a queue.
// `may_have_one`: can_use_ring of its plan.
GENESYS_KERNEL u64 ring_word_of(const device_context& a, bool may_have_one, u32 completion_slot) {
  if (!may_have_one || a.rings == nullptr) return not_on_ring;
  return global_atomic<u64>(a.rings->results[completion_slot]).load(order::acquire);  // pairs with R7
}

template <const call_plan& plan, int... k>
GENESYS_KERNEL void fill_request(request& r, const staging::staging_plan& p, const staging::inline_words& words,
                                 const u64 (&given)[args_max], scope_kind scope, std::integer_sequence<int, k...>) {
  ((r.args[k] = staging::argument_on_wire<plan, k>(p, words, given)), ...);
  r.number = plan.number;
  r.scope = static_cast<u32>(scope);
  r.has_inline_data = p.has_inline_data;
}
GENESYS_KERNEL void fill_request(request& r, u32 number, const u64 (&given)[args_max], scope_kind scope) {
  for (u32 i = 0; i < args_max; ++i) r.args[i] = given[i];
  r.number = number;
  r.scope = static_cast<u32>(scope);
  r.has_inline_data = false;
}

// The SQE of a call, in the form that the runtime's rings take. False: it has none. One copy in a program for each
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

// Through a queue: publishes the request and waits. A call at a block waiter is not inlined.
template <bool quiet, class Team, class Line = const queue::no_line>
GENESYS_KERNEL queue::completion submit_and_wait_by_queue(const device_context& a, const Team& team, request& r,
                                                          Line& line = queue::no_line{}) {
  if constexpr (Team::in_block_waiter) {
    request copy = r;  // in memory, as the functions need it
    if constexpr (std::is_same_v<Line, const queue::no_line>) {
      return queue::submit_and_wait<true>(a, copy);
    } else {
      queue::line_of_call copy_of_line = line;
      const queue::completion made = queue::submit_and_wait(a, copy, copy_of_line);
      line = copy_of_line;
      return made;
    }
  } else if constexpr (team::has_sequence_hint<Team>) {
    return queue::submit_and_wait_inline<quiet>(a, r, &team.next(), line);
  } else {
    return queue::submit_and_wait_inline<quiet>(a, r, nullptr, line);
  }
}

// Whether Linux may write more inline data for the call than a completion holds.
template <const call_plan& plan>
constexpr bool may_have_line = (table::inline_shape_of(plan).dir == direction::out) &&
                               (table::inline_shape_of(plan).bytes_max > sizeof(u64));

// The leader, blocking: submits the call by a shared ring if that can make it, otherwise through a queue, and waits.
template <const call_plan& plan, class Team>
GENESYS_KERNEL team::call_result submit_and_wait(const device_context& a, const Team& team,
                                                 const staging::staging_plan& p, const staging::inline_words& words,
                                                 const u64 (&given)[args_max]) {
  request r{};
  fill_request<plan>(r, p, words, given, Team::scope, all_arguments);
  r.mode = plan.waits != readiness::none && p.keeps ? wait_mode::parkable : wait_mode::blocking;
  if constexpr (plan.uring.opcode != 0) {
    // A call that may wait in a ring holds no bounce buffer: the call that ends the wait may need one.
    const bool holds = plan.uring.waits && p.buffer != 0;
    if (a.rings != nullptr && !holds && !p.beyond) {
      uring::sqe_fields e;
      const request copy = r;  // in memory, as the functions need it
      i64 value = uring::not_submitted;
      if (encode<plan>(a, e, copy)) value = uring::submit_and_wait(a, a.rings, a.rings_shape, a.generation, e, copy);
      if constexpr (plan.uring.opens) {
        if (value != uring::not_submitted) uring::report_descriptor(a, a.rings, a.generation, value);
      }
      if (value != uring::not_submitted) return {value, false};
    }
  }
  uring::forget_closed(a, plan.number, given);
  constexpr bool is_quiet = plan.quiet && !staging::has_pointers(plan);
  if constexpr (may_have_line<plan>) {
    constexpr int k = table::inline_shape_of(plan).argument;
    const u64 bytes = p.has_inline_data ? staging::inline_bytes<plan>(given) : 0;
    queue::line_of_call line(static_cast<u32>(bytes), plan.args[k].by_result);
    const queue::completion got = submit_and_wait_by_queue<is_quiet>(a, team, r, line);
    if (bytes > sizeof(u64)) staging::store_line(given[k], got.inline_data, line);
    uring::forget_closed(a, plan.number, given);
    return {got.value, got.again, got.inline_data};
  }
  const queue::completion got = submit_and_wait_by_queue<is_quiet>(a, team, r);
  uring::forget_closed(a, plan.number, given);
  return {got.value, got.again, got.inline_data};
}

// The leader: waits until descriptor `fd` is ready, without a slot or a thread of its own. Returns 0, or -EAGAIN: too
// many calls wait already, or the socket's timeout has passed, or -ECANCELED: the runtime has ended. `number`: of the
// call that waits, for reports.
template <bool with_block_waiter>
GENESYS_KERNEL i64 wait_ready(const device_context& a, u64 number, u64 fd, readiness what, scope_kind scope) {
  request r{};
  r.args[0] = fd;
  r.args[1] = what == readiness::input ? 0x0001 : 0x0004;  // POLLIN, POLLOUT
  r.args[2] = number;
  r.number = internal_wait;
  r.scope = static_cast<u32>(scope);
  return queue::submit_and_wait<with_block_waiter>(a, r).value;
}

// The leader: waits until the earlier call is finished. False: the runtime has ended.
template <bool with_block_waiter>
GENESYS_KERNEL bool wait_for_earlier(const device_context& a, const dependency& after, scope_kind scope) {
  const u64 seen = ring_word_of(a, after.may_use_ring, after.completion_slot);
  if (seen == not_on_ring)
    return queue::wait_for_phase<with_block_waiter>(a, after.completion_slot, after.phase, scope);
  return uring::wait_for_ticket(a, a.rings, a.rings_shape, after.completion_slot, seen) != -ECANCELED ||
         !runtime_ended(a);
}

// Publishes a request. `by_host`: the host makes the call when the earlier one is finished.
template <class After>
GENESYS_KERNEL bool submit_in_order(const device_context& a, request& r, [[maybe_unused]] const After& after,
                                    [[maybe_unused]] bool by_host) {
  if constexpr (has_dependency<After>) {
    if (after.any && by_host) return queue::submit_after(a, r, after.completion_slot, after.phase);
  }
  return queue::submit_request(a, r);
}

// Whether the host makes the call after the earlier one. It cannot if the earlier one is on a shared ring: then this
// waits for it.
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

// The leader: submits by a shared ring if that can make the call. A ring makes no ticket's call that may wait for an
// event, because the leader of a dependent would wait for it (host_orders). It makes no posted call with a bounce
// buffer, because no thread would release the buffer.
template <const call_plan& plan, wait_mode w>
GENESYS_KERNEL bool submit_by_ring(const device_context& a, const staging::staging_plan& p, const request& r,
                                   bool can_submit) {
  if constexpr (can_use_ring<plan, w>) {
    if (a.rings == nullptr || p.failed) return false;
    uring::sqe_fields e;
    if (can_submit && !p.beyond && (w == wait_mode::ticket || p.buffer == 0) && encode<plan>(a, e, r) &&
        uring::submit_without_waiting(a, a.rings, a.rings_shape, a.generation, e,
                                      w == wait_mode::ticket ? p.completion_slot : slot_of_posted(a.run), r))
      return true;
    if (w == wait_mode::ticket)
      global_atomic<u64>(a.rings->results[p.completion_slot]).store(not_on_ring, order::relaxed);
  }
  return false;
}

// The leader, for a ticket or posted: submits the call by a shared ring if that can make it, otherwise through a queue.
template <const call_plan& plan, wait_mode w, class After = no_dependency>
GENESYS_KERNEL void submit(const device_context& a, staging::staging_plan& p, const staging::inline_words& words,
                           const u64 (&given)[args_max], scope_kind scope, [[maybe_unused]] const After& after = {}) {
  request r{};
  fill_request<plan>(r, p, words, given, scope, all_arguments);
  uring::forget_closed(a, plan.number, given);
  r.completion_slot = p.completion_slot;
  r.phase = p.phase;
  r.mode = w;
  if (p.failed) {
    if constexpr (w == wait_mode::ticket) return;
    // No lane waits for the call, but the host counts its error.
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

// The part of a device_context that a ticket needs: each thread of a block keeps it until it waits.
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

// Through a queue: C5 and C6 for a ticket. `read_only`: the bounce buffer if Linux only read it, which this releases.
// `how`: the wait strategy (strategy_of).
template <bool with_block_waiter>
GENESYS_KERNEL_OUTLINE i64 wait_by_queue(const device_context* copy, u32 completion_slot, u32 phase, u64 read_only,
                                         u32 how) {
  const device_context& a = *copy;
  const staging::buffer_bit staged = staging::bit_of_buffer(a, read_only);
  const u32 lanes = lanes_together(a);
  const queue::completion_words seen =
      queue::wait_for_completion<with_block_waiter>(a, completion_slot, phase, lanes, how);
  if (seen.word == queue::never_completed) return -ECANCELED;
  if (read_only != 0) staging::release_buffer(staged);
  return queue::take_completion(a, completion_slot, seen, true).value;
}

// By a shared ring: the same.
GENESYS_KERNEL_OUTLINE inline i64 wait_by_ring(const device_context* copy, u32 completion_slot, u64 seen,
                                               u64 read_only) {
  const device_context& a = *copy;
  const staging::buffer_bit staged = staging::bit_of_buffer(a, read_only);
  const i64 value = uring::wait_for_ticket(a, a.rings, a.rings_shape, completion_slot, seen);
  if (value == -ECANCELED && runtime_ended(a)) return value;
  const bool reported = uring::is_recorded(*a.rings) && uring::report_ticket(a, a.rings, completion_slot, value);
  if (read_only != 0) staging::release_buffer(staged);
  if (!reported) queue::release_unused_slot(a, completion_slot);
  return value;
}

// The leader: waits for the call of a ticket. `read_only`: the bounce buffer if Linux only read it, which this
// releases.
template <const call_plan& plan, class Team>
GENESYS_KERNEL i64 wait(const ticket_origin& from, const staging::staging_plan& p, u64 read_only) {
  const u64 seen = ring_word_of(*from.copy, can_use_ring<plan, wait_mode::ticket>, p.completion_slot);
  if (seen != not_on_ring) return wait_by_ring(from.copy, p.completion_slot, seen, read_only);
  return wait_by_queue<Team::in_block_waiter>(from.copy, p.completion_slot, p.phase, read_only,
                                              strategy_of(from.waits, static_cast<u32>(Team::scope)));
}

}  // namespace genesys::detail::ops
