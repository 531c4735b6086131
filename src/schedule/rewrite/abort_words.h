// SPDX-License-Identifier: Apache-2.0
// launch_context of the abort protocol as PTX sees it: the one parameter that an instrumented kernel has behind its
// own. The rewriter knows no more of the protocol than what is in this file and in poll_text.cpp.
#pragma once

#include <cstdint>

namespace genesys::schedule {

// Offsets in launch_context.
inline constexpr std::uint32_t context_flags = 0;   // u64: address of the launch's flag in replica 0
inline constexpr std::uint32_t context_counts = 8;  // u64: address of the launch's counts
inline constexpr std::uint32_t context_latch = 16;  // u64: address of the task's latch
inline constexpr std::uint32_t context_epoch = 24;  // u32: a flag with it aborts the launch
inline constexpr std::uint32_t context_chain = 28;  // u32: what a thread that leaves stores to the latch
inline constexpr std::uint32_t context_mask = 32;   // u32: replicas of the flags - 1
inline constexpr std::uint32_t context_ahead = 36;  // u32: not 0: the latch is tested, too
inline constexpr std::uint32_t context_bytes = 40;
inline constexpr std::uint32_t context_align = 8;

inline constexpr std::uint32_t flag_stride = 128;    // from one replica of a flag to the next one
inline constexpr std::uint32_t count_replicas = 32;  // block b counts in b % count_replicas
inline constexpr std::uint32_t count_stride = 128;
inline constexpr std::uint32_t count_left_at_entry = 0, count_left_later = 8;  // u64 each

}  // namespace genesys::schedule
