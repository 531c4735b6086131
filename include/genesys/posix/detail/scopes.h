// SPDX-License-Identifier: Apache-2.0
// What the threads of a scope do together in a function of the C library.
#pragma once

#include "genesys/os.h"

namespace genesys::detail::libc {

// Calls `make` in one thread of the scope, and returns what it returned to all of them. All threads of the scope call
// it.
template <class Calls, class Make>
GENESYS_KERNEL u64 once(const Calls& calls, Make make) {
  auto team = ops::team_for<team::ordering::strong>(calls.context(), calls.scope());
  team.begin();
  team::call_result made{0, false};
  if (team.is_leader()) made.value = static_cast<i64>(make());
  ops::share(team, made);
  team.sync();
  return static_cast<u64>(made.value);
}

// Whether each thread of the scope gets the result of a call: not always in relaxed order.
template <class Scope, ops::asked_order asked, wait_mode w, class After>
constexpr bool tells_all_of(const ops::scoped_calls<Scope, asked, w, After>*) {
  return asked == ops::asked_order::strong;
}
template <class Calls>
constexpr bool tells_all = tells_all_of(static_cast<const Calls*>(nullptr));

// Each thread of the scope has read what Linux wrote into memory that they may share: from now on one may change it.
template <class Calls>
GENESYS_KERNEL void meet(const Calls& calls) {
  if constexpr (tells_all<Calls>) ops::team_for<team::ordering::strong>(calls.context(), calls.scope()).sync();
}

}  // namespace genesys::detail::libc
