// SPDX-License-Identifier: Apache-2.0
// A completion: the 16 bytes with which the host completes a call, 16 more bytes for some, and the inline data of
// others. Threads of the host write them, lanes read them. protocol.h has the steps and the invariants.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail::wire {

// Both words have the phase, so that a lane that loads both knows whether it has both of one completion.
struct alignas(16) completion_slot {
  u64 word;  // the phase, four flags, and the value
  u64 data;  // the phase, and what Linux wrote for a call with inline data, less its highest bit
};
static_assert(sizeof(completion_slot) == 16);

struct completion_extra {
  u64 first, second;
};
static_assert(sizeof(completion_extra) == 16);

// The inline data after its first 8 bytes, for calls with more. The host writes all eight words for each such
// completion, with the tag after that of the slot's last line. So a lane that loads the completion and the line at once
// knows which words are of this completion.
struct alignas(64) completion_line {
  u64 words[8];  // the tag : 8 | 7 bytes
};
constexpr u32 inline_bytes_max = 64;
constexpr u32 line_tag_shift = 56;
constexpr u64 line_data_mask = (u64{1} << line_tag_shift) - 1;
// The completion of such data has the line's tag above a value of fewer bits.
constexpr u32 line_value_bits = 40;
GENESYS_KERNEL constexpr i64 line_value(u64 word) { return static_cast<i64>(word << 24) >> 24; }
GENESYS_KERNEL constexpr u64 line_tag(u64 word) { return word >> line_value_bits & 0xff; }

constexpr u64 completion_phase = u64{1} << 63;
constexpr u64 completion_wide = u64{1} << 62;  // the slot has extra words; for a system call they are {value, 0}
constexpr u64 completion_again =
    u64{1} << 61;  // the descriptor is not ready: wait for it (internal_wait), then call again
constexpr u64 completion_recorded =
    u64{1} << 60;  // the host records the call, and asks when its leader saw the completion (device_context::seen)
constexpr u64 completion_data_top = u64{1} << 59;  // the highest bit of the inline data
constexpr u64 completion_value_mask = completion_data_top - 1;
constexpr i64 completion_value_max = static_cast<i64>(completion_value_mask >> 1);

GENESYS_KERNEL constexpr bool fits_completion(i64 value) {
  return value <= completion_value_max && value >= -completion_value_max - 1;
}
GENESYS_KERNEL constexpr i64 completion_value(u64 word) { return static_cast<i64>(word << 5) >> 5; }
GENESYS_KERNEL constexpr u32 phase_of(u64 word) { return static_cast<u32>(word >> 63); }
// The completion's inline data, which its two words carry.
GENESYS_KERNEL constexpr u64 inline_data_of(u64 word, u64 data) {
  return (data & ~completion_phase) | ((word & completion_data_top) != 0 ? completion_phase : 0);
}

}  // namespace genesys::detail::wire

namespace genesys::detail {
using namespace wire;
}
