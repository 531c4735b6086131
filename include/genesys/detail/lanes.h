// SPDX-License-Identifier: Apache-2.0
// Small things that the calling side needs besides kernel.h: bits of lane masks, where a lane should look first, whether the
// runtime is still there. Any lane may call them.
#pragma once

#include "genesys/detail/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail {

GENESYS_KERNEL u32 lowest_bit(u64 mask) {
#if GENESYS_ON_CUDA
  return static_cast<u32>(__ffsll(static_cast<long long>(mask)) - 1);
#else
  return static_cast<u32>(__builtin_ctzll(mask));
#endif
}

GENESYS_KERNEL u32 count_bits(u32 mask) {
#if GENESYS_ON_CUDA
  return static_cast<u32>(__popc(mask));
#else
  return static_cast<u32>(__builtin_popcount(mask));
#endif
}

// Differs between warps that run at the same time, most of the time: spreads them over cells and bounce buffers.
GENESYS_KERNEL u32 warp_hint() {
#if GENESYS_ON_CUDA
  return cuda_target::warp_hint();
#else
  return cpu::self().warp_hint;
#endif
}

GENESYS_KERNEL u32 place_hint() { return warp_hint() * warp_lanes + lane(); }

// Spreads callers over shards: all warps of a multiprocessor share one.
GENESYS_KERNEL u32 shard_hint() {
#if GENESYS_ON_CUDA
  return cuda_target::multiprocessor_hint();
#else
  return cpu::self().warp_hint;
#endif
}

// The runtime was taken down while this kernel runs: nobody will answer. Pairs with the store in runtime's end.
GENESYS_KERNEL bool runtime_ended(const area& a) {
  return atomic<u32, reach::system>(a.control->ended).load(std::memory_order_acquire) != 0;
}

}  // namespace genesys::detail
