// SPDX-License-Identifier: Apache-2.0
// The scopes at which tests take tickets, as template parameters of kernels.
#pragma once

#include "contract.h"

namespace contract {

enum class at : u32 { thread, warp, block };

template <at scope>
GENESYS_KERNEL auto bound(const genesys::os& os) {
  if constexpr (scope == at::thread) {
    return os.on(genesys::thread());
  } else if constexpr (scope == at::warp) {
    return os.on(genesys::warp());
  } else {
    return os.on(genesys::block());
  }
}

}  // namespace contract
