// SPDX-License-Identifier: Apache-2.0
// CUDA's cooperative groups as scopes. os.on(group) takes a thread_block, a thread_block_tile of up to 32 threads, a
// coalesced_group, or a grid_group, whose launch need not be cooperative. All threads of the group make the call. This
// is a separate header because nvcc takes as long for CUDA's own header as for all of genesys.
#pragma once

#include "genesys/os.h"

#if defined(__CUDACC__)
#include <cooperative_groups.h>

namespace genesys::detail {

template <>
struct group_scope<cooperative_groups::thread_block> {
  GENESYS_KERNEL static block of(const cooperative_groups::thread_block&) { return {}; }
};

template <>
struct group_scope<cooperative_groups::grid_group> {
  GENESYS_KERNEL static grid of(const cooperative_groups::grid_group&) { return {}; }
};

template <unsigned size, class Parent>
struct group_scope<cooperative_groups::thread_block_tile<size, Parent>> {
  GENESYS_KERNEL static auto of(const cooperative_groups::thread_block_tile<size, Parent>&) {
    static_assert(size <= warp_lanes,
                  "a tile of more than 32 threads is no scope of genesys: take one of up to 32, or the thread_block");
    if constexpr (size == 1 || size > warp_lanes) {
      return thread{};
    } else {
      return warp{(~0u >> (warp_lanes - size)) << (lane() / size * size)};
    }
  }
};

template <>
struct group_scope<cooperative_groups::coalesced_group> {
  GENESYS_KERNEL static warp of([[maybe_unused]] const cooperative_groups::coalesced_group& group) {
    unsigned lanes = 0;
#if defined(__CUDA_ARCH__)
    for (unsigned i = 0; i < group.num_threads(); ++i) lanes |= 1u << group.shfl(lane(), i);
#endif
    return {lanes};
  }
};

}  // namespace genesys::detail

#endif
