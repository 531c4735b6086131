// SPDX-License-Identifier: Apache-2.0
// How long a kernel's blocks run, as kernels of the variant `timed` tell the host. The scheduler reads it to choose a
// variant: a kernel whose blocks are short needs no polls. The code that the rewriter inserts (schedule/rewrite/)
// writes it; the host allocates it, sets it to zero, and reads it after a launch has ended. No GPU or CPU code waits on
// it.
//
// A *thread's time* is from its first instruction until it ends. Threads of a warp that end together are measured by
// the first of them, for all. Nobody waits for anybody, so a block's time is not measured at one place: the longest
// time of its threads is its time, but for the moments between the starts of its warps.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail::times {

// In device memory, zero at first. It may gather several launches. All additions are relaxed.
struct alignas(32) block_time_record {
  u64 longest_ns;  // of all sampled blocks: the time of the thread that ran longest
  u64 sum_ns;      // of the times of the threads of sampled blocks
  u64 threads;     // of those blocks; sum_ns / threads is the mean time of a thread
  u64 unused;
};
static_assert(sizeof(block_time_record) == 32);

// What a launch gets as its last parameter, by value. Block b is sampled if b & sample_mask == sample, where b is the
// linear number of the block: x first.
struct block_times {
  block_time_record* record;
  u32 sample_mask;  // a power of two - 1; 0: all blocks are sampled
  u32 sample;       // at most sample_mask
};
static_assert(sizeof(block_times) == 16);

}  // namespace genesys::detail::times
