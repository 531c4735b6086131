// SPDX-License-Identifier: Apache-2.0
// Scopes and roles, as a kernel names them, and the teams that stand for them. Included by os.h and ticket.h.
#pragma once

#include "genesys/detail/team/grid_team.h"

namespace genesys {

// Scopes, as os.on() takes them (GENESYS, section V.A). The threads of a scope make the same calls in the same order,
// with equal arguments, and all of them get the result.
struct thread {};  // each thread for itself
struct warp {      // the lanes named, of those that the block has; all of them call
  unsigned lanes = 0xffffffffu;
};
struct block {};  // the threads of a block that have not left
struct grid {};   // of all blocks, the threads that have not left; in relaxed order only

// Roles, as relaxed() takes them for a call to which the table gives none, or for which it shall be another.
struct producer {};  // the call hands something over: the scope meets before it, but not after
struct consumer {};  // the call fetches something: the scope meets after it, but not before

// How a caller waits for its answer, as waits() takes it. In all of them it looks four times at once; then:
struct spin {  // it goes on without pauses, where not too many do
  static constexpr detail::u16 word = detail::in_each_scope(detail::spinning);
};
struct back_off {  // it pauses a quarter of the time waited so far
  static constexpr detail::u16 word = detail::in_each_scope(detail::backing_off);
};
// One warp of the block looks for all that wait so, the others are suspended by the hardware until their answer is
// there. It has some shared memory of the block for that: all threads of the block that have not left make it together,
// and meet. One for all calls will do.
struct suspended {
  detail::u16 word;
  GENESYS_KERNEL suspended() : word(detail::queue::make_block_waiter()) {}
};

namespace detail::ops {

enum class asked_order { strong, by_role, producer, consumer };

GENESYS_KERNEL constexpr team::ordering ordering_of(asked_order asked, role of_call) {
  if (asked == asked_order::strong) return team::ordering::strong;
  if (asked == asked_order::by_role)
    return of_call == role::producer ? team::ordering::producer : team::ordering::consumer;
  return asked == asked_order::producer ? team::ordering::producer : team::ordering::consumer;
}

// The team of a scope.
template <team::ordering o>
GENESYS_KERNEL team::thread_team team_for(const device_context&, thread) {
  return {};
}
template <team::ordering o>
GENESYS_KERNEL team::warp_team<o> team_for(const device_context&, warp scope) {
  return team::warp_team<o>(scope.lanes);
}
template <team::ordering o>
GENESYS_KERNEL team::block_team<o> team_for(const device_context& a, block) {
  return team::block_team<o>(a);
}
template <team::ordering o>
GENESYS_KERNEL team::grid_team<o> team_for(const device_context& a, grid) {
  return team::grid_team<o>(a);
}

// A scope whose caller is suspended while it waits.
template <class Scope>
struct suspended_scope {
  Scope scope;
};

template <team::ordering o, class Scope>
GENESYS_KERNEL auto team_for(const device_context& a, suspended_scope<Scope> s) {
  return team::suspended_team(team_for<o>(a, s.scope));
}

struct no_dependency;
template <class Scope, asked_order asked, wait_mode w, class After = no_dependency>
class scoped_calls;

}  // namespace detail::ops
}  // namespace genesys
