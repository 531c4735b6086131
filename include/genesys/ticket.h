// SPDX-License-Identifier: Apache-2.0
// A ticket: a call that is under way, to be waited for later. A kernel gets one from os.ticket() or
// os.on(scope).ticket():
//
//   auto next = io.ticket().pread64(fd, buffer, sizeof buffer, at);   // returns when the request is out
//   compute();                                                        // meanwhile Linux reads
//   long n = next.wait();                                             // the result; `buffer` is filled now
//
// Each ticket is waited for by the whole scope that made the call, before it leaves the kernel. Until then buffers that
// Linux writes belong to the call, and so do buffers that it reads where they pass without a copy (arena, pinned or
// registered memory); others were copied at the call. Tickets can be moved, not copied.
#pragma once

#include <type_traits>

#include "genesys/detail/ops/call_hook.h"
#include "genesys/detail/ops/scope.h"
#include "genesys/detail/ops/tickets.h"
#include "genesys/detail/table/generated/plans.h"

namespace genesys {

template <const detail::call_plan& plan, class Scope>
class [[nodiscard]] ticket {
 public:
  // Of no call: wait() gives -EINVAL.
  ticket() = default;
  GENESYS_KERNEL ticket(ticket&& from) { *this = static_cast<ticket&&>(from); }
  // The ticket that was here before has to be waited for first.
  GENESYS_KERNEL void operator=(ticket&& from) {
    call_ = from.call_;
    from.call_.under_way = false;
  }

  // Waits until the call is finished, and copies back what Linux wrote: the result, or -errno. Every thread of the
  // scope calls it; afterwards, again, it gives the same. -EAGAIN: the call was not made, because too many tickets of
  // this warp, or too much staged memory of all, are under way (docs/limits.md). -ECANCELED: the runtime has ended.
  GENESYS_KERNEL long wait() {
    if (call_.under_way) {
      call_.under_way = false;
      using team_type = decltype(detail::ops::team_for<detail::team::ordering::strong>(*call_.from.copy, call_.scope));
      const detail::ops::call_hook<team_type, detail::wait_mode::ticket> hook(plan.number, call_.given, true);
      if constexpr (std::is_same_v<Scope, grid>) {
        call_.value = detail::ops::wait_for_grid_ticket<plan>(call_.from, call_.placed, call_.given);
      } else {
        team_type team = detail::ops::team_for<detail::team::ordering::strong>(*call_.from.copy, call_.scope);
        call_.value = detail::ops::wait_for_ticket<plan>(call_.from, team, call_.placed, call_.given);
      }
      hook.ended(call_.value);
    }
    return call_.value;
  }

 private:
  template <class, detail::ops::asked_order, detail::wait_mode, class>
  friend class detail::ops::scoped_calls;
  struct state {
    bool under_way = false;
    long value = -EINVAL;
    Scope scope{};
    detail::ops::ticket_origin from{};
    detail::staging::staging_plan placed{};
    detail::u64 given[detail::args_max] = {};
  };

  state call_;
};

// By name, for arrays and members: ticket_of<call::pread64> of a thread, ticket_of<call::pread64, block> of a block.
using call = detail::plan_id;
template <call name, class Scope = thread>
using ticket_of = ticket<detail::plan_of<name>, Scope>;

}  // namespace genesys
