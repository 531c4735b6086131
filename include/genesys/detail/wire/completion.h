// SPDX-License-Identifier: Apache-2.0
// A completion: the 8 bytes with which the host completes a call, and 16 more bytes for some. Threads of the host write
// them, lanes read them. protocol.h has the steps and the invariants.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail::wire {

struct completion_extra {
  u64 first, second;
};
static_assert(sizeof(completion_extra) == 16);

constexpr u64 completion_phase = u64{1} << 63;
constexpr u64 completion_wide = u64{1} << 62;  // the slot has extra words; for a system call they are {value, 0}
constexpr u64 completion_again =
    u64{1} << 61;  // the descriptor is not ready: wait for it (internal_wait), then call again
constexpr u64 completion_recorded =
    u64{1} << 60;  // the host records the call, and asks when its leader saw the completion (device_context::seen)
constexpr u64 completion_value_mask = completion_recorded - 1;
constexpr i64 completion_value_max = static_cast<i64>(completion_value_mask >> 1);

GENESYS_KERNEL constexpr bool fits_completion(i64 value) {
  return value <= completion_value_max && value >= -completion_value_max - 1;
}
GENESYS_KERNEL constexpr i64 completion_value(u64 completion_slot) {
  return static_cast<i64>(completion_slot << 4) >> 4;
}
GENESYS_KERNEL constexpr u32 phase_of(u64 completion_slot) { return static_cast<u32>(completion_slot >> 63); }

}  // namespace genesys::detail::wire

namespace genesys::detail {
using namespace wire;
}
