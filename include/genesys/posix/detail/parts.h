// SPDX-License-Identifier: Apache-2.0
// Data that is too much for one call.
#pragma once

#include <cerrno>
#include <cstddef>

#include "genesys/detail/target/target.h"

namespace genesys::detail::libc {

// Makes a call that moves up to `bytes` bytes, and may move fewer. One that stages too much (docs/limits.md, Data)
// moves a part. All threads of the call's scope; the result or -errno.
template <class Call>
GENESYS_KERNEL long in_part(std::size_t bytes, const Call& call) {
  constexpr std::size_t part = std::size_t{1} << 20;
  for (;;) {
    const long moved = call(bytes);
    if (moved != -ENOBUFS || bytes <= part) return moved;
    bytes = part;
  }
}

}  // namespace genesys::detail::libc
