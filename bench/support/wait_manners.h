// SPDX-License-Identifier: Apache-2.0
// How callers wait for their answers (genesys::spin and its like), to be measured by turns.
#pragma once

#include "genesys/genesys.h"

namespace measure {

enum class manner : unsigned { back_off, spin, suspended };
constexpr manner manners[] = {manner::back_off, manner::spin, manner::suspended};
constexpr const char* name_of(manner how) {
  return how == manner::back_off ? "back_off" : how == manner::spin ? "spin" : "suspended";
}
// what(io), with calls of the scope that are waited for so. All threads of the block call it.
template <class Scope, class What>
GENESYS_KERNEL void waiting_as(manner how, const genesys::os& os, Scope scope, const What& what) {
  if (how == manner::suspended) return what(os.on(scope).waits(genesys::suspended()));
  what(how == manner::spin ? os.on(scope).waits(genesys::spin()) : os.on(scope).waits(genesys::back_off()));
}

}  // namespace measure
