// SPDX-License-Identifier: Apache-2.0
// What kernels, the host and Linux share of the executor `direct` (direct.h, src/execute/shared_rings.h).
#pragma once

#include "genesys/detail/wire/device_context.h"

namespace genesys::detail::wire {

constexpr u32 shared_rings_max = 16, ring_descriptors_max = 1u << 16;

// A ring's counters in device memory.
struct alignas(128) ring_state {
  u64 reserved;                // tickets
  u64 known_head;              // so many entries Linux is known to have read
  u64 reaped;                  // for so many completions Linux is known to have room again
  u32 refreshing;              // 1 while a lane reads Linux's own count of entries
  alignas(128) u64 published;  // so many tickets Linux was told of
  u32 publishing;              // 1 while lanes tell it of what others have written
  alignas(128) u64 delivered;  // so many completions were handed on: << 1 | whether lanes are at it
  u64 counted;                 // of the first so many completions, those of posted calls are counted, or soon will be
};

// A ring, as Linux and kernels share it: host memory, of which nothing else may be written.
struct shared_ring {
  u32 *head, *tail;       // of the entries: how many Linux has read, and how many there are
  u32 *seen, *completed;  // of the completions: how many were taken, and how many there are
  u64* entries;           // eight words each
  u64* completions;       // two words each
};

// Posted calls of a run that went by rings.
struct alignas(32) posted_counters {
  u64 begun;     // counted before Linux can see them
  u64 finished;  // and when their completions are taken: all of them,
  u32 failed;    // those that gave an error,
  u32 canceled;  // and of these those with -ECANCELED
};

// Device block, constant while a kernel runs, but for the gates, the words, `closed` and `file`.
struct shared_ring_table {
  u32 closed;  // rings_open, ...
  u32 completion_slots;
  u64 opcodes;   // a bit for each that this Linux has
  u64* results;  // device block, [cells]: {tag : 32 | value : 32}; before it is there {0 : 32 | a ticket's ring : 32}
  u64* filled;   // device block, [rings << entries_log2]: the ticket of the entry marked here last, and 1
  posted_counters* posted;  // device block, [runs_max]
  shared_ring ring[shared_rings_max];
  ring_state state[shared_rings_max];
  // What is known of each descriptor: {area::generation : 26 | descriptor_kind : 6}.
  u32 file[ring_descriptors_max];
};

// {1 : 1 | ring : 4 | ticket : 27}. Of what is under way at a time, each has its own; never 0.
GENESYS_KERNEL constexpr u32 tag_of_sequence(u32 ring, u64 ticket) {
  return 1u << 31 | ring << 27 | (static_cast<u32>(ticket) & ((1u << 27) - 1));
}

// In place of a ticket's ring: the call goes to threads.
constexpr u64 not_on_ring = ~u32{0};

// Of the arena, as memory that is registered (profile `strict`): pieces of this size, the last one less.
constexpr u64 registered_piece_bytes = u64{1} << 30;
// In an SQE's first word, behind the opcode: IOSQE_FIXED_FILE, the descriptor is an index into the ring's file table.
constexpr u64 direct_fixed_file = u64{1} << 8;

// What stands for the cell of a posted call.
constexpr u32 posted_slots = ~u32{0} - runs_max + 1;
GENESYS_KERNEL constexpr u32 slot_of_posted(u32 run) { return posted_slots + run; }

// shared_ring_table::closed. To new calls the way is open or not; who waits when the rings are lost hears -EIO.
constexpr u32 rings_open = 0, rings_ended = 1, rings_lost = 2;

}  // namespace genesys::detail::wire

namespace genesys::detail {
using namespace wire;
}
