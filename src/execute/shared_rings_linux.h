// SPDX-License-Identifier: Apache-2.0
// Parts of io_uring(7) that the headers of older systems lack, and loads of words that Linux or kernels change. Used by
// the sources of shared_rings.h.
#pragma once

#include <atomic>
#include <cstdint>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

struct files_update {  // struct io_uring_files_update
  u32 offset, none;
  u64 fds;
};
constexpr u32 register_sync_cancel = 24, cancel_all = 1u << 0, cancel_any = 1u << 2;
struct sync_cancel {  // struct io_uring_sync_cancel_reg
  u64 addr = 0;
  std::int32_t fd = -1;
  u32 flags = 0;
  std::int64_t timeout_s = 0, timeout_ns = 0;
  u64 pad[4] = {};
};

// How long the SQPOLL thread looks for SQEs before it sleeps. After that the monitor wakes it.
constexpr u32 idle_ms = 2;
template <class T>
T load(const T* at) {
  return std::atomic_ref<T>(*const_cast<T*>(at)).load(std::memory_order_acquire);
}

}  // namespace genesys::detail
