// SPDX-License-Identifier: Apache-2.0
// genesys::os, through which a kernel calls Linux. A host program gets one from runtime::attach (or launch hands it to
// the kernel); a kernel takes it by value. Its methods are the system calls, each made by the thread that calls it;
// os.on(scope) gives the same calls on behalf of a scope.
//
//   long fd = os.openat(AT_FDCWD, "/etc/hostname", O_RDONLY);          this thread's own call
//   auto io = os.on(genesys::block());                                 one call for the whole block
//   long n = io.pread64(fd, buffer, sizeof buffer, 0);                 all threads that have not left the block call it
//   io.relaxed().write(1, buffer, n);                                  who is not the caller's warp runs on
//   auto next = io.ticket().pread64(fd, buffer, sizeof buffer, 4096);  waited for later: next.wait()
//   io.posted().write(1, "done\n", 5);                                 never waited for
//   io.waits(genesys::spin()).getppid();                               without pauses between looks for the answer
//
// Results are Linux's own: the value, or -errno. A call returns when Linux has answered; what the caller (its scope)
// wrote before is visible to Linux, and what Linux wrote is visible to all threads that get the result. Pointers may
// point to shared, private, device or arena memory, or to memory pinned or registered with CUDA; others are -EFAULT.
// docs/semantics.md has the table of scopes and orders. An `os`, and what it gives, is each thread's own: it remembers
// the thread's last call.
#pragma once

#include <type_traits>

#include "genesys/detail/ops/scope.h"
#include "genesys/detail/ops/tickets.h"
#include "genesys/detail/table/generated/calls.h"
#include "genesys/detail/table/generated/plans.h"
#include "genesys/memory.h"
#include "genesys/ticket.h"

namespace genesys {
namespace detail {

// An integer or an enumeration as an argument of a call.
template <class T>
constexpr bool is_plain = std::is_integral_v<T> || std::is_enum_v<T>;
template <class T>
GENESYS_KERNEL u64 plain_argument(T value) {
  if constexpr (is_plain<T>) {
    return static_cast<u64>(static_cast<i64>(value));
  } else {
    return 0;  // the caller has said that it is not legal
  }
}

// Which scope another library's group of threads is: `static auto of(const Group&)`.
template <class Group>
struct group_scope;

struct role_of_table {};
template <class Role>
constexpr asked_order asked_as = asked_order::by_role;
template <>
inline constexpr asked_order asked_as<producer> = asked_order::producer;
template <>
inline constexpr asked_order asked_as<consumer> = asked_order::consumer;

// The calls, on behalf of a scope, in an order; and what the caller does about the result.
template <class Scope, asked_order asked, wait_mode w, class After>
class scoped_calls : public calls<scoped_calls<Scope, asked, w, After>> {
 public:
  GENESYS_KERNEL scoped_calls(const device_context& a, Scope scope, const After& after = {})
      : context_(a), scope_(scope), after_(after) {}

  // The same calls in relaxed order: a producer (write) without the barrier after it, so that threads outside the
  // caller's warp run on and get -EINPROGRESS; a consumer (read) without the one before it, so that the first thread to
  // come makes the call. The role is the table's, or named: relaxed(genesys::producer()).
  // (These are templates so that compilers name the line of the caller when something is not legal.)
  template <class Role = role_of_table, class S = Scope>
  GENESYS_KERNEL auto relaxed(Role = {}) const {
    static_assert(!std::is_same_v<S, thread> && !std::is_same_v<S, suspended_scope<thread>>,
                  "a thread's own call is in strong order: relaxed order is for warps, blocks and grids");
    static_assert(std::is_same_v<Role, role_of_table> || asked_as<Role> != asked_order::by_role,
                  "a role is genesys::producer() or genesys::consumer()");
    return scoped_calls<Scope, asked_as<Role>, w, After>(context_, scope_, after_);
  }

  // The same calls with a ticket (ticket.h): they return as soon as the request is out.
  template <wait_mode before = w>
  GENESYS_KERNEL auto ticket() const {
    static_assert(before == wait_mode::blocking, "a call is either waited for later (ticket) or never (posted)");
    return scoped_calls<Scope, asked, wait_mode::ticket, After>(context_, scope_, after_);
  }
  // The same calls, whose result nobody wants: they return nothing, as soon as the request is out, and may be made
  // after the kernel has ended; run.drain() waits for them. Buffers as with a ticket: those that are staged were
  // copied, others belong to the call until drain(). What fails is counted (statistics::posted_failed).
  template <wait_mode before = w>
  GENESYS_KERNEL auto posted() const {
    static_assert(before == wait_mode::blocking, "a call is either waited for later (ticket) or never (posted)");
    return scoped_calls<Scope, asked, wait_mode::posted, After>(context_, scope_, after_);
  }

  // The same calls, waited for in another manner (docs/semantics.md). The host's options::wait is for those that say
  // none. A ticket's wait() is as its call.
  GENESYS_KERNEL scoped_calls waits(spin) const { return {waited_for_as(spin::word), scope_, after_}; }
  GENESYS_KERNEL scoped_calls waits(back_off) const { return {waited_for_as(back_off::word), scope_, after_}; }
  template <class S = Scope>
  GENESYS_KERNEL auto waits(const suspended& block_waiter) const {
    static_assert(!std::is_same_v<S, grid>, "a room is a block's: a call of the grid can spin or back off");
    return scoped_calls<suspended_scope<S>, asked, w, After>(waited_for_as(block_waiter.word), {scope_}, after_);
  }

  // The same calls, made only when the call of `earlier` is finished, whatever came of it: without this, calls that
  // overlap are in no order. `earlier` is of the same scope; of one that was waited for, nothing follows. The host sees
  // to the order, and the caller goes on (docs/semantics.md says where it waits itself).
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

  // Any call, by the host's number for it, with up to six integers. Same scope, order, result and waiting as the named
  // calls; without tickets.
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
    auto team = team_of<ordering_of(asked, role::none)>();
    if constexpr (w == wait_mode::posted) {
      post_by_number(context_, team, after_, static_cast<u64>(number), given);
    } else {
      return static_cast<long>(call_by_number(context_, team, after_, static_cast<u64>(number), given));
    }
  }

  template <plan_id id, class... Args>
  GENESYS_KERNEL auto invoke(Args... args) const {
    must_be_relaxed();
    static_assert(asked != asked_order::by_role || plan_of<id>.role != role::none,
                  "this call neither produces nor consumes, so relaxed order needs a role: say "
                  "relaxed(genesys::producer()) or relaxed(genesys::consumer())");
    static_assert(w != wait_mode::posted || !writes_any(plan_of<id>),
                  "a posted call has no result, so nobody would see what Linux writes: take a ticket, or wait");
    u64 given[args_max] = {args...};
    auto team = team_of<ordering_of(asked, plan_of<id>.role)>();
    if constexpr (w == wait_mode::posted) {
      post<plan_of<id>>(context_, team, after_, given);
    } else if constexpr (w == wait_mode::ticket) {
      genesys::ticket<plan_of<id>, Scope> under_way;
      submit_ticket<plan_of<id>>(context_, team, after_, given, under_way.call_.placed);
      under_way.call_.under_way = true;
      under_way.call_.scope = scope_;
      under_way.call_.from = {context_.copy, context_.run, context_.waits, context_.generation};
      for (u32 i = 0; i < args_max; ++i) under_way.call_.given[i] = given[i];
      return under_way;
    } else {
      constexpr bool all_wait = !std::is_same_v<Scope, grid> && decltype(team)::ordered == ordering::strong;
      if constexpr (has_dependency<After> && all_wait) {
        i64 value;
        if (after_.any && call_after<plan_of<id>>(context_, team, after_, given, value))
          return static_cast<long>(value);
      }
      return static_cast<long>(perform<plan_of<id>>(context_, team, after_, given));
    }
  }

 protected:
  static constexpr bool has_sequence_hint =
      std::is_same_v<Scope, thread> && w == wait_mode::blocking && !has_dependency<After>;
  struct nothing {};

  template <ordering o>
  GENESYS_KERNEL auto team_of() const {
    if constexpr (has_sequence_hint) {
      return hinted_thread_team(next_);
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
  [[no_unique_address]] mutable std::conditional_t<has_sequence_hint, sequence_hint, nothing> next_;
};

}  // namespace detail

class os : public detail::scoped_calls<thread, detail::asked_order::strong, detail::wait_mode::blocking> {
 public:
  GENESYS_KERNEL explicit os(const detail::device_context& a) : scoped_calls(a, {}) {}

  // The same calls on behalf of `scope`. Every thread of the scope makes each of them, in the same order.
  GENESYS_KERNEL auto on(thread scope) const { return bound(scope); }
  GENESYS_KERNEL auto on(warp scope) const { return bound(warp{scope.lanes & detail::lanes_of_warp()}); }
  GENESYS_KERNEL auto on(block scope) const { return bound(scope); }
  GENESYS_KERNEL auto on(grid scope) const { return bound(scope); }

  // For all scopes, see caller::waits. Suspended after on(): os.on(scope).waits(room).
  using scoped_calls::waits;
  GENESYS_KERNEL os waits(spin) const { return os(waited_for_as(spin::word)); }
  GENESYS_KERNEL os waits(back_off) const { return os(waited_for_as(back_off::word)); }

  // Other names for them: CUDA's groups, with <genesys/cooperative_groups.h>.
  template <class Group>
  GENESYS_KERNEL auto on(const Group& group) const {  // deduced, so that compilers have to look, and say this first
    constexpr bool known = requires { detail::group_scope<Group>::of(group); };
    static_assert(known,
                  "not a scope of genesys: thread, warp, block, grid (of CUDA's groups, with "
                  "<genesys/cooperative_groups.h>: thread_block, thread_block_tile, coalesced_group, grid_group)");
    if constexpr (known) {
      return on(detail::group_scope<Group>::of(group));
    } else {
      return *this;
    }
  }

  GENESYS_KERNEL const detail::device_context& context() const { return context_; }

 private:
  template <class Scope>
  GENESYS_KERNEL detail::scoped_calls<Scope, detail::asked_order::strong, detail::wait_mode::blocking> bound(
      Scope scope) const {
    return {context_, scope};
  }
};

static_assert(std::is_trivially_copyable_v<os>, "a kernel takes it by value");

}  // namespace genesys
