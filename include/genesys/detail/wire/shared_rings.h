// SPDX-License-Identifier: Apache-2.0
// The layout of what kernels, the host and Linux share for the executor `direct`: the shared rings, and their state in
// device memory. detail/uring/ is the calling side, src/execute/shared_rings.h the host's.
#pragma once

#include "genesys/detail/wire/device_context.h"

namespace genesys::detail::wire {

constexpr u32 shared_rings_max = 16, ring_descriptors_max = 1u << 16;

// The counters of a ring, in device memory.
struct alignas(128) ring_state {
  u64 reserved;                // sequence numbers
  u64 known_head;              // Linux has read at least this many SQEs
  u64 reaped;                  // the CQ head: the CQEs that Linux may overwrite
  u32 refreshing;              // 1 while a lane loads Linux's count of SQEs
  alignas(128) u64 published;  // the SQ tail: the SQEs that Linux can see
  u32 publishing;              // 1 while lanes publish SQEs that other lanes have written
  alignas(128) u64 delivered;  // CQEs delivered, << 1 | 1 while lanes hold the lock
  u64 counted;                 // the posted calls among this many CQEs are counted, or soon will be
};

// A ring that Linux and kernels share, in host memory. Kernels write only the SQEs, the SQ tail and the CQ head.
struct shared_ring {
  u32 *head, *tail;       // SQ head, stored by Linux; SQ tail, stored by lanes
  u32 *seen, *completed;  // CQ head, stored by lanes; CQ tail, stored by Linux
  u64* sqes;              // eight words each
  u64* cqes;              // two words each
};

// Posted calls of a run in shared rings.
struct alignas(32) posted_counters {
  u64 begun;     // counted before Linux can see them
  u64 finished;  // counted when their CQEs are delivered: all calls,
  u32 failed;    // those with an error,
  u32 canceled;  // and of these those with -ECANCELED
};

// A ticket's call in a shared ring that a recording will have. Written before the ticket is returned, read when it is
// waited for.
struct alignas(64) recorded_submission {
  u64 args[6];
  u32 tag;   // tag_of_sequence(); another one: the call is not recorded
  u32 head;  // {run : 11 | scope : 2 | number : 12}
  u64 begun_ns;
};

// Device block. Constant while a kernel runs, except `closed`, `recorded`, `results`, `filled`, `posted`,
// `submissions`, `state` and `file`.
struct shared_ring_table {
  u32 closed;    // rings_open, ...
  u32 recorded;  // 1: a recording is on, and lanes tell the host of each call (uring/report_call.h)
  u64 opcodes;   // a bit for each opcode that this Linux has
  u32 completion_slots;
  u64* results;  // device block, [completion slots]: {tag : 32 | value : 32}; before that {0 : 32 | ring : 32} of a
                 // ticket
  u64* filled;   // device block, [rings << sq_entries_log2]: the number + 1 of the SQE written there last
  posted_counters* posted;           // device block, [runs_max]
  recorded_submission* submissions;  // device block, [completion slots of tickets]
  shared_ring ring[shared_rings_max];
  ring_state state[shared_rings_max];
  // The kind of each descriptor: {device_context::generation : 26 | descriptor_kind : 6}.
  u32 file[ring_descriptors_max];
};

// {1 : 1 | ring : 4 | number : 27}. No two calls in flight have the same tag, and no tag is 0.
GENESYS_KERNEL constexpr u32 tag_of_sequence(u32 ring, u64 number) {
  return 1u << 31 | ring << 27 | (static_cast<u32>(number) & ((1u << 27) - 1));
}

// In `results`, in place of a ticket's ring: the call went through a queue.
constexpr u64 not_on_ring = ~u32{0};

// Profile `strict`: the arena is registered in pieces of this size; the last one may be smaller.
constexpr u64 registered_piece_bytes = u64{1} << 30;
// In an SQE's first word, after the opcode: IOSQE_FIXED_FILE. The descriptor is then an index into the ring's file
// table.
constexpr u64 direct_fixed_file = u64{1} << 8;

// In an SQE's user_data, in place of a completion slot: a posted call of this run.
constexpr u32 posted_slots = ~u32{0} - runs_max + 1;
GENESYS_KERNEL constexpr u32 slot_of_posted(u32 run) { return posted_slots + run; }

// shared_ring_table::closed. Only open rings take new calls. When they are lost, lanes that wait get -EIO.
constexpr u32 rings_open = 0, rings_ended = 1, rings_lost = 2;

}  // namespace genesys::detail::wire

namespace genesys::detail {
using namespace wire;
}
