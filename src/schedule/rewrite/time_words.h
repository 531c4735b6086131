// SPDX-License-Identifier: Apache-2.0
// block_times and its record (genesys/detail/wire/block_times.h) as PTX sees them: the parameter that a timed kernel
// has behind its own. A test compares these numbers with the structs.
#pragma once

#include <cstdint>

namespace genesys::schedule {

// Offsets in block_times.
inline constexpr std::uint32_t times_record = 0;  // u64: address of the record
inline constexpr std::uint32_t times_mask = 8;    // u32: sample_mask
inline constexpr std::uint32_t times_sample = 12;
inline constexpr std::uint32_t times_bytes = 16;
inline constexpr std::uint32_t times_align = 8;

// Offsets in the record, u64 each.
inline constexpr std::uint32_t record_longest = 0, record_sum = 8, record_threads = 16;
inline constexpr std::uint32_t record_bytes = 32;

}  // namespace genesys::schedule
