// SPDX-License-Identifier: Apache-2.0
// A lock in device memory that threads of a grid hold for a short time. Any thread may take it, whatever its warp does:
// lanes that wait pause, so that the lane that holds the lock goes on. A word of 0 is a free lock.
#pragma once

#include "genesys/detail/wire/types.h"
#include "genesys/kernel.h"

namespace genesys::detail::libc {

// Calls `body` while this thread holds the lock. Everything is in one branch of one loop: code behind the loop might
// wait for lanes that are still in it.
template <class Body>
GENESYS_KERNEL void with_lock(u32& word, Body body) {
  for (bool done = false; !done;) {
    if (atomic<u32>(word).exchange(1, std::memory_order_acquire) == 0) {  // pairs with the store below
      body();
      atomic<u32>(word).store(0, std::memory_order_release);
      done = true;
    } else {
      pause(64);
    }
  }
}

}  // namespace genesys::detail::libc
