// SPDX-License-Identifier: Apache-2.0
// The state of the heap from which kernels take memory with genesys::posix::malloc (posix/detail/heap.h). It is in the
// device block, and zero at the start. Only kernels read and write it.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail::wire {

// Blocks of 32 << k bytes.
constexpr u32 heap_classes = 15, heap_parts = 32;

// The memory of some warps: free blocks by class, and fresh memory from which new blocks are cut.
struct alignas(128) heap_part {
  u32 lock;
  u64 fresh_at, fresh_end;
  u64 free_blocks[heap_classes];  // the first of a list; 0: none
};

struct heap_state {
  alignas(128) u32 lock;
  u64 piece_at, piece_end;  // mapped device memory that no part has yet
  heap_part parts[heap_parts];
};

}  // namespace genesys::detail::wire
