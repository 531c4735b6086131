// SPDX-License-Identifier: Apache-2.0
// The words in memory by which an instrumented kernel and the host agree on an abort, as the rewriter writes them into
// PTX. The protocol is in docs/schedule-abort.md; all that this folder knows of it is in this file and poll_text.cpp.
//
// Appended parameters of a kernel (appended_parameters in rewrite.h), in this order:
//   flags         u64  address of the launch's flag word in replica 0; replica i is at flags + i * replica_stride
//   counts        u64  address of two 32-bit counters: threads that left early, and those that left at the entry poll
//   stopped       u64  address of a 32-bit word: the chain of launches that is stopped
//   epoch         u32  a launch is aborted while its flag word holds its epoch
//   chain         u32  the chain of the launch; a thread that leaves stores it to the word `stopped`
//   ahead         u32  not 0: the launch was queued behind another one of its chain, and leaves if its chain is stopped
//   replica_mask  u32  replicas - 1; block b polls replica b & replica_mask, where b is the linear number of the block
#pragma once

#include <cstdint>

namespace genesys::schedule {

inline constexpr std::uint32_t replica_stride = 128;    // bytes: a cache line each
inline constexpr std::uint32_t entry_count_offset = 4;  // in counts

}  // namespace genesys::schedule
