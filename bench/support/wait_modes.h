// SPDX-License-Identifier: Apache-2.0
// The wait strategies (genesys::spin and others), to be measured by turns.
#pragma once

#include "genesys/genesys.h"

namespace measure {

enum class wait_mode : unsigned { back_off, spin, suspended };
constexpr wait_mode wait_modes[] = {wait_mode::back_off, wait_mode::spin, wait_mode::suspended};
constexpr const char* name_of(wait_mode how) {
  return how == wait_mode::back_off ? "back_off" : how == wait_mode::spin ? "spin" : "suspended";
}
// Calls what(io), where calls of `io` have the scope and this wait strategy. All threads of the block call it.
template <class Scope, class What>
GENESYS_KERNEL void waiting_as(wait_mode how, const genesys::os& os, Scope scope, const What& what) {
  if (how == wait_mode::suspended) return what(os.on(scope).waits(genesys::suspended()));
  what(how == wait_mode::spin ? os.on(scope).waits(genesys::spin()) : os.on(scope).waits(genesys::back_off()));
}

}  // namespace measure
