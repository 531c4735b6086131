// SPDX-License-Identifier: Apache-2.0
// Orders of loads and stores of the non-stop kernel. On a GPU an acquire makes later loads wait for it, and loads over
// the link must be under way together. So loads and stores are relaxed there, and fences stand between them.
#pragma once

#include "genesys/detail/wire/service.h"
#include "genesys/kernel.h"

namespace genesys::detail::services {

using order = std::memory_order;
constexpr u32 whole_warp = 0xffffffffu;

#if GENESYS_ON_CUDA
constexpr order load_order = order::relaxed, store_order = order::relaxed, counting_order = order::relaxed;
GENESYS_KERNEL void fence_if_relaxed_system() { cuda_target::fence_acq_rel_system(); }
GENESYS_KERNEL void fence_if_relaxed_device() { cuda_target::fence_acq_rel_device(); }
#else
constexpr order load_order = order::acquire, store_order = order::release, counting_order = order::acq_rel;
GENESYS_KERNEL void fence_if_relaxed_system() {}
GENESYS_KERNEL void fence_if_relaxed_device() {}
#endif

}  // namespace genesys::detail::services
