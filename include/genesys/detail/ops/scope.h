// SPDX-License-Identifier: Apache-2.0
// Scopes, roles and wait strategies, as a kernel names them, and the teams of the scopes. Included by os.h and
// ticket.h.
#pragma once

#include "genesys/detail/team/grid_team.h"

namespace genesys {

// Scopes, for os.on() (GENESYS, ISCA 2018, section V.A). The threads of a scope make the same calls in the same order,
// with equal arguments, and all of them get the result.
struct thread {};  // one call for each thread
struct warp {      // one call for the lanes in the mask; all of them call
  unsigned lanes = 0xffffffffu;
};
struct block {};  // one call for the threads of a block that have not left the kernel
struct grid {};   // one call for such threads of all blocks; in relaxed order only

// Roles, for relaxed(), if the table gives the call no role or another one.
struct producer {};  // the call hands data to Linux: the scope has a barrier before it and none after
struct consumer {};  // the call fetches data: the scope has a barrier after it and none before

// Wait strategies, for waits(). With each of them a lane first polls its completion slot four times; then:
struct spin {  // it polls without pauses, unless the link is overloaded
  static constexpr detail::u16 word = detail::in_each_scope(detail::spinning);
};
struct back_off {  // it pauses before each poll for a quarter of the time waited so far
  static constexpr detail::u16 word = detail::in_each_scope(detail::backing_off);
};
// One group of lanes of the block polls for all that wait at this block waiter. The hardware suspends the others until
// that group notifies them. The constructor sets up the block waiter in shared memory: all threads of the block that
// have not left must call it together, and it has barriers. One object serves all calls of the block.
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

// A scope whose leader is suspended while it waits.
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
