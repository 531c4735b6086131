// SPDX-License-Identifier: Apache-2.0
// How often this process is a child of fork(), and the wake-up of ring.h. Any thread.
#pragma once

#include "schedule/daemon/futex.h"
#include "service/client/ring.h"

namespace genesys::detail::serving {

// A number that changes in a child of fork().
unsigned forks_of_process();

// D4. One thread at most sleeps on a slot, so a client with many of them costs the daemon no more.
inline void wake_sleeper(ring_completion& at) {
  at.wakes.fetch_add(1);
  schedule::processes::wake_one(&at.wakes);
}

}  // namespace genesys::detail::serving
