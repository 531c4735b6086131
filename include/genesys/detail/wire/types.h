// SPDX-License-Identifier: Apache-2.0
// Integers and limits that both sides of the protocol use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genesys/detail/target/target.h"

namespace genesys::detail::wire {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

// Changes with every change of the layouts in this folder, of `options` and of `statistics`. The runtime compares it
// with the library's.
constexpr u32 layout_version = 21;

constexpr u32 slots_in_group = 32;              // one for each lane of a warp
constexpr u32 first_look_kinds = 16;            // kinds of calls that queue/first_look.h tells apart
constexpr u32 completion_slots_max = 1u << 20;  // a request has 20 bits for a completion slot
constexpr u32 bounce_classes = 4;               // sizes of bounce buffers
constexpr u32 slots_min = 64;                   // fits the 32 requests of a warp
constexpr u32 path_bytes_max = 4096;            // Linux's PATH_MAX
constexpr u32 call_number_max = 0xeff;          // larger numbers are no system calls; for this one Linux gives -ENOSYS

}  // namespace genesys::detail::wire

namespace genesys::detail {
using namespace wire;
}
