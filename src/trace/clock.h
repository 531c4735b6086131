// SPDX-License-Identifier: Apache-2.0
// The host's clock for stage times and stalls: nanoseconds, monotonic. Any thread.
#pragma once

#include <time.h>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

inline u64 now_ns() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<u64>(now.tv_sec) * 1'000'000'000 + static_cast<u64>(now.tv_nsec);
}

}  // namespace genesys::detail
