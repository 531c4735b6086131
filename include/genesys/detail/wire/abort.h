// SPDX-License-Identifier: Apache-2.0
// Abort of launches: how the host ends a running kernel early, and learns for certain whether it ended whole.
// Freestanding, used by the host, by kernels with polls, and by code that the rewriter generates; on both devices.
// Kernels use detail/schedule/, the host src/schedule/abort/. models/abort.pml checks the protocol, and
// docs/schedule-abort.md argues for each kind of barrier.
//
// Memory: device memory, but for the raiser's words.
//   flags[index][replica].epoch  the last epoch that was aborted, for each abort index; written by the raiser only,
//                                polled by blocks. Block b polls replica b % replicas.
//   counts[index][replica]       threads that left at their entry poll, and those that left later; written by kernels
//                                only, and never reset
//   latches[latch].chain         the chain that was stopped, one latch for each task; written by kernels only
//   raiser's words (pinned)      wanted[index], acknowledged[index], stop, gone, here
//
// A launch has an *abort index* (0 to 31; no two launches under way share one), an *epoch* that no flag of the index
// holds, and the *chain* of its task: all launches of a task since its last roll-back. A *raiser* stores flags: a
// resident warp, or a copy.
//
// The host.
//   N1 Begin: choose index, epoch and chain; note the counts.   N2 Raise: ask the raiser for an abort.
//   N3 The raiser stores the epoch into each replica, in any order.   N4 The raiser acknowledges.
//   N5 A resident raiser that leaves sets `gone` last; the host then stores what was not acknowledged. One that begins
//      sets `here` before it loads `wanted`. Until then the host stores, too; the raiser stores the same again, and
//      acknowledges. The host's stores may be copies that it does not wait for: they arrive late, in any order.
//   D1 Drain: the launch has ended in stream order.   D2 Conclude: compare the counts with those of N1.
//   D3 Roll back.   D4 Release the index, after N4, or while no raiser is there, and when all copies of the host's
//      to its flags have ended.
// A block.
//   B1 Entry poll, before the first store: the thread loads the flag, and the latch if the launch is ahead. If one
//      holds the epoch or the chain, it must leave.   B2 If the kernel has barriers, the block votes.
//   B3 The kernel's work, with polls. A poll may test an old value of the flag.
//   B4 At each barrier the block votes. A thread that must leave between barriers votes at the next one.
//   B5 Leave: set the latch if it does not hold the chain, count, return.
//
// Invariants.
//   A1 A thread that leaves early counts itself before it returns, and no count is ever reset. All counts have arrived
//      when the launch has ended. So a launch is whole if and only if its counts are as at N1.
//   A2 A thread leaves early only if a flag of its index holds its own epoch, or its latch holds its own chain, or
//      another thread of its block voted so. An epoch is not given out while a flag of the index holds it, and the
//      index is not released while a store of an older epoch than the last one is under way. So numbers may wrap
//      around, old flags need not be lowered, and neither a late block of an old launch nor a block of a new one can
//      mistake a flag.
//   A3 A thread that runs on after a barrier does so with all threads that its block had before it: the barrier gives
//      all of them one vote. No thread leaves after a barrier by a flag that it alone has loaded.
//   A4 `wrote` is false only if as many threads left at the entry poll as the launch has. Then nothing was written.
//   A5 A launch ahead writes nothing after a launch of its chain before it was aborted. A thread of the earlier launch
//      set the latch, and that launch has ended, so the entry poll of every block sees it, however late the flags are.
//   A6 Nothing is rolled back before D1, and not before all later launches of the chain have ended too.
//   A7 Once a raise is acknowledged, each block that starts later leaves at its entry poll. The others leave at their
//      next poll that loads the flag afresh, or end whole. A raise after the launch's end has no effect.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail::aborts {

constexpr u32 indices = 32;             // launches under way at a time: one for each lane of the resident raiser
constexpr u32 flag_replicas_max = 128;  // a power of two
constexpr u32 count_replicas = 32;
constexpr u32 latches_max = 32;  // tasks with launches under way

// One replica of one flag. The replicas of a flag follow each other, so that one copy stores them all.
struct alignas(128) flag_line {
  u32 epoch;
  u32 unused[31];
};
static_assert(sizeof(flag_line) == 128);

// Blocks that leave spread their additions over count_replicas of these. Each has its own line: with four in a line a
// drain of 22,461 blocks takes 81 us instead of 34 (H100).
struct alignas(128) leave_counts {
  u64 left_at_entry;  // threads that left at their entry poll
  u64 left_later;     // threads that left at another one
  u64 unused[14];
};

struct alignas(128) latch_line {
  u32 chain;
  u32 unused[31];
};

// What a launch gets as its last parameter, by value. The rewriter appends it to a kernel's parameters.
struct launch_context {
  u32* flags;            // of this launch, in replica 0
  leave_counts* counts;  // of this launch
  u32* latch;            // of this task
  u32 epoch;             // never 0
  u32 chain;             // never 0
  u32 replicas_mask;     // replicas - 1
  u32 ahead;             // 1: an earlier launch of the chain may be under way
};
static_assert(sizeof(launch_context) == 40);

// In pinned memory, for the raiser.
struct raiser_words {
  alignas(128) u32 wanted[indices];        // written by the host
  alignas(128) u32 acknowledged[indices];  // the epoch that all replicas hold
  alignas(128) u32 stop;                   // written by the host: leave
  u32 gone;                                // the resident raiser has left, and stores no more
  u32 here;                                // the resident raiser has begun
};

// What the resident raiser gets.
struct raiser_context {
  raiser_words* words;
  flag_line* flags;  // `replicas` for each abort index
  u32 replicas;
};

}  // namespace genesys::detail::aborts
