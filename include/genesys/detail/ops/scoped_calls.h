// SPDX-License-Identifier: Apache-2.0
// scoped_calls: the system calls on behalf of a scope, in an order, with a wait mode. genesys::os derives from it, and
// os.on(scope), relaxed(), ticket(), posted(), after() and waits() return it. Every lane of the scope calls its
// methods.
#pragma once

#include <type_traits>

#include "genesys/detail/ops/by_number.h"
#include "genesys/detail/ops/call_hook.h"
#include "genesys/detail/ops/dependents.h"
#include "genesys/detail/ops/posted.h"
#include "genesys/detail/ops/scope.h"
#include "genesys/detail/table/generated/calls.h"
#include "genesys/detail/table/generated/plans.h"

namespace genesys {
template <const detail::table::call_plan& plan, class Scope>
class ticket;
}

namespace genesys::detail::ops {

// An integer or an enumeration as an argument of a call.
template <class T>
constexpr bool is_plain = std::is_integral_v<T> || std::is_enum_v<T>;
template <class T>
GENESYS_KERNEL u64 plain_argument(T value) {
  if constexpr (is_plain<T>) {
    return static_cast<u64>(static_cast<i64>(value));
  } else {
    return 0;  // a static_assert in syscall() has failed
  }
}

struct role_of_table {};
template <class Role>
constexpr asked_order asked_as = asked_order::by_role;
template <>
inline constexpr asked_order asked_as<producer> = asked_order::producer;
template <>
inline constexpr asked_order asked_as<consumer> = asked_order::consumer;

// The calls, on behalf of a scope, in an order, with a wait mode.
template <class Scope, asked_order asked, wait_mode w, class After>
class scoped_calls : public calls<scoped_calls<Scope, asked, w, After>> {
 public:
  GENESYS_KERNEL scoped_calls(const device_context& a, Scope scope, const After& after = {})
      : context_(a), scope_(scope), after_(after) {}

  // The same calls in relaxed order. A producer (write) has no barrier after it: threads outside the leader's warp go
  // on and get -EINPROGRESS. A consumer (read) has no barrier before it: the first thread to arrive makes the call. The
  // role is that of the table, or the argument: relaxed(genesys::producer()). (These are templates so that compilers
  // name the user's line in an error.)
  template <class Role = role_of_table, class S = Scope>
  GENESYS_KERNEL auto relaxed(Role = {}) const {
    static_assert(!std::is_same_v<S, thread> && !std::is_same_v<S, suspended_scope<thread>>,
                  "a thread's own call is in strong order: relaxed order is for warps, blocks and grids");
    static_assert(std::is_same_v<Role, role_of_table> || asked_as<Role> != asked_order::by_role,
                  "a role is genesys::producer() or genesys::consumer()");
    return scoped_calls<Scope, asked_as<Role>, w, After>(context_, scope_, after_);
  }

  // The same calls with a ticket (ticket.h): they return when the request is published.
  template <wait_mode before = w>
  GENESYS_KERNEL auto ticket() const {
    static_assert(before == wait_mode::blocking, "a call is either waited for later (ticket) or never (posted)");
    return scoped_calls<Scope, asked, wait_mode::ticket, After>(context_, scope_, after_);
  }
  // The same calls, posted: they return nothing, as soon as the request is published. The host may make them after the
  // kernel has ended; run.drain() waits for them. The call copies staged buffers before it returns, and owns all others
  // until drain(). statistics::posted_failed counts errors.
  template <wait_mode before = w>
  GENESYS_KERNEL auto posted() const {
    static_assert(before == wait_mode::blocking, "a call is either waited for later (ticket) or never (posted)");
    return scoped_calls<Scope, asked, wait_mode::posted, After>(context_, scope_, after_);
  }

  // The same calls with another wait strategy (docs/semantics.md). Without it, options::wait holds. A ticket's wait()
  // uses the strategy of its call.
  GENESYS_KERNEL scoped_calls waits(spin) const { return {waited_for_as(spin::word), scope_, after_}; }
  GENESYS_KERNEL scoped_calls waits(back_off) const { return {waited_for_as(back_off::word), scope_, after_}; }
  template <class S = Scope>
  GENESYS_KERNEL auto waits(const suspended& block_waiter) const {
    static_assert(!std::is_same_v<S, grid>,
                  "a block waiter belongs to a block: a call of the grid can spin or back off");
    return scoped_calls<suspended_scope<S>, asked, w, After>(waited_for_as(block_waiter.word), {scope_}, after_);
  }

  // The same calls, made only when the call of `earlier` is finished, whatever its result. Otherwise calls that overlap
  // have no order. `earlier` must have the same scope; if its call was waited for, it has no effect. The host keeps the
  // order and the lanes do not wait, except in the cases that docs/semantics.md names.
  template <const call_plan& plan>
  GENESYS_KERNEL auto after(const genesys::ticket<plan, Scope>& earlier) const {
    const auto& call = earlier.call_;
    dependency next{call.placed.completion_slot, call.placed.phase, call.placed.grid.slot,
                    call.under_way && (call.placed.grid.slot != 0 || !call.placed.failed),
                    can_use_ring<plan, wait_mode::ticket>};
    if constexpr (has_dependency<After>) {
      if (!next.any) next = after_;
    }
    return scoped_calls<Scope, asked, w, dependency>(context_, scope_, next);
  }

  // Any call, by its number on the host, with up to six integers. Scope, order, result and wait are as for the named
  // calls, but there are no tickets.
  template <class... Args>
  GENESYS_KERNEL auto syscall(long number, Args... args) const {
    static_assert(sizeof...(Args) <= args_max, "a system call has at most six arguments");
    static_assert(
        (is_plain<Args> && ...),
        "os.syscall() takes integers only: a pointer needs a call from the table, which knows what it points to");
    static_assert(asked != asked_order::by_role,
                  "genesys does not know the role of a call by its number: say relaxed(genesys::producer()) or "
                  "relaxed(genesys::consumer())");
    must_be_relaxed();
    static_assert(w != wait_mode::ticket, "os.syscall() gives no ticket: that needs a call from the table");
    const u64 given[args_max] = {plain_argument(args)...};
    auto threads = team_of<ordering_of(asked, role::none)>();
    const call_hook<decltype(threads), w> hook(static_cast<u64>(number), given);
    if constexpr (w == wait_mode::posted) {
      post_by_number(context_, threads, after_, static_cast<u64>(number), given);
      hook.submitted();
    } else {
      const i64 result = call_by_number(context_, threads, after_, static_cast<u64>(number), given);
      hook.ended(result);
      return static_cast<long>(result);
    }
  }

  template <plan_id id, class... Args>
  GENESYS_KERNEL auto invoke(Args... args) const {
    must_be_relaxed();
    static_assert(asked != asked_order::by_role || plan_of<id>.role != role::none,
                  "this call neither produces nor consumes, so relaxed order needs a role: say "
                  "relaxed(genesys::producer()) or relaxed(genesys::consumer())");
    static_assert(w != wait_mode::posted || !staging::writes_any(plan_of<id>),
                  "a posted call has no result, so nobody would see what Linux writes: take a ticket, or wait");
    u64 given[args_max] = {args...};
    auto threads = team_of<ordering_of(asked, plan_of<id>.role)>();
    const call_hook<decltype(threads), w> hook(plan_of<id>.number, given);
    if constexpr (w == wait_mode::posted) {
      post<plan_of<id>>(context_, threads, after_, given);
      hook.submitted();
    } else if constexpr (w == wait_mode::ticket) {
      genesys::ticket<plan_of<id>, Scope> under_way;
      submit_ticket<plan_of<id>>(context_, threads, after_, given, under_way.call_.placed);
      under_way.call_.under_way = true;
      under_way.call_.scope = scope_;
      under_way.call_.from = {context_.copy, context_.run, context_.waits, context_.generation};
      for (u32 i = 0; i < args_max; ++i) under_way.call_.given[i] = given[i];
      hook.submitted();
      return under_way;
    } else {
      const i64 result = call_and_wait_after<plan_of<id>>(context_, threads, after_, given);
      hook.ended(result);
      return static_cast<long>(result);
    }
  }

  GENESYS_KERNEL const device_context& context() const { return context_; }
  GENESYS_KERNEL Scope scope() const { return scope_; }

 protected:
  static constexpr bool has_sequence_hint = (std::is_same_v<Scope, thread> || std::is_same_v<Scope, warp> ||
                                             std::is_same_v<Scope, block>)&&w == wait_mode::blocking &&
                                            !has_dependency<After>;
  struct nothing {};

  template <team::ordering o>
  GENESYS_KERNEL auto team_of() const {
    if constexpr (has_sequence_hint) {
      return team::hinted_team(team_for<o>(context_, scope_), next_);
    } else {
      return team_for<o>(context_, scope_);
    }
  }
  GENESYS_KERNEL device_context waited_for_as(u16 word) const {
    device_context a = context_;
    a.waits = word;
    return a;
  }
  GENESYS_KERNEL static constexpr void must_be_relaxed() {
    static_assert(!std::is_same_v<Scope, grid> || asked != asked_order::strong,
                  "a call of the whole grid is in relaxed order only, since in strong order it would wait for blocks "
                  "that may not have begun: say on(genesys::grid()).relaxed()");
  }

  device_context context_;
  [[no_unique_address]] Scope scope_;
  [[no_unique_address]] After after_;
  [[no_unique_address]] mutable std::conditional_t<has_sequence_hint, queue::sequence_hint, nothing> next_;
};

}  // namespace genesys::detail::ops
