// SPDX-License-Identifier: Apache-2.0
// A ticket: the handle of a call in flight. A kernel gets one from os.ticket() or os.on(scope).ticket():
//
//   auto next = io.ticket().pread64(fd, buffer, sizeof buffer, at);   // returns when the request is published
//   compute();                                                        // meanwhile Linux reads
//   long n = next.wait();                                             // the result; `buffer` holds the data now
//
// The whole scope that made the call waits for the ticket, before it leaves the kernel. Until then the call owns the
// buffers that Linux writes. It also owns the buffers that Linux reads, if these pass without a copy (arena, pinned or
// registered memory); the call copies others before it returns. Tickets can be moved, not copied.
#pragma once

#include <type_traits>

#include "genesys/detail/ops/call_hook.h"
#include "genesys/detail/ops/scope.h"
#include "genesys/detail/ops/ticket_wait.h"
#include "genesys/detail/table/generated/plans.h"

namespace genesys {

template <const detail::call_plan& plan, class Scope>
class [[nodiscard]] ticket {
 public:
  // An empty ticket: wait() gives -EINVAL.
  ticket() = default;
  GENESYS_KERNEL ticket(ticket&& from) { *this = static_cast<ticket&&>(from); }
  // If this ticket is of a call, the scope must have waited for it before.
  GENESYS_KERNEL void operator=(ticket&& from) {
    call_ = from.call_;
    from.call_.under_way = false;
  }

  // Waits until the call is finished, copies back what Linux wrote, and returns the result: the value, or -errno. Every
  // thread of the scope must call it; further calls return the same. It has a barrier of the scope before and after.
  // -EAGAIN: the call was not made, because this warp has too many tickets, or all tickets hold too many bounce buffers
  // (docs/limits.md). -ECANCELED: the runtime has ended.
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

// The type of a ticket by the name of its call, for arrays and members: ticket_of<call::pread64> of a thread,
// ticket_of<call::pread64, block> of a block.
using call = detail::plan_id;
template <call name, class Scope = thread>
using ticket_of = ticket<detail::plan_of<name>, Scope>;

}  // namespace genesys
