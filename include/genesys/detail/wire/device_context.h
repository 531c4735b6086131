// SPDX-License-Identifier: Apache-2.0
// A kernel's view of a runtime: the addresses and sizes of all that both sides share. It is passed by value in every
// `os`. The host fills it in (src/memory/layout.cpp).
#pragma once

#include "genesys/detail/wire/completion.h"
#include "genesys/detail/wire/request.h"

namespace genesys::detail::wire {

struct alignas(64) published_head_line {
  u64 head;
};

// The counters of a queue, in device memory.
struct alignas(128) producer_state {
  u64 tail;        // the next sequence number, 56 bits; the highest byte is 1 while the queue is armed
  u64 known_head;  // the highest published head that any lane has loaded
  u32 refreshing;  // 1 while a lane loads the published head for all
  u32 grids;       // of the first queue: 1 once a grid has made a call
};

// A queue is armed while the host sleeps: the host has set the highest byte of its tail. The lane that reserves the
// next numbers clears it with the same exchange, and raises the interrupt.
constexpr u32 armed_byte = 7;  // of `tail`, in memory
constexpr u64 armed_mark = u64{1} << 8 * armed_byte;
GENESYS_KERNEL constexpr u64 sequence_of(u64 tail) { return tail & (armed_mark - 1); }
GENESYS_KERNEL constexpr bool is_armed(u64 tail) { return tail >= armed_mark; }

struct bounce_pool;        // bounce_buffers.h
struct range_table;        // known_addresses.h
struct grid_table;         // grid_calls.h
struct shared_ring_table;  // shared_rings.h
struct heap_state;         // heap.h

// How many shared rings there are, and how large. Part of the device_context, so that a lane need not load it.
struct shared_ring_shape {
  std::uint8_t rings = 0, sq_entries_log2 = 0, cq_entries_log2 = 0;
  bool strict = false;  // they make only reads, writes and fsync of registered files and memory

  GENESYS_KERNEL u64 sq_entries() const { return u64{1} << sq_entries_log2; }
  GENESYS_KERNEL u64 cq_entries() const { return u64{1} << cq_entries_log2; }
};

// How a lane waits when a few looks have not shown its completion: device_context::waits, two bits for each scope.
enum wait_strategy_bits : u32 {
  backing_off = 0,  // with growing pauses
  spinning = 1,     // without pauses, unless the link is overloaded
  // At a block waiter (queue/block_waiter.h): this bit and, on a GPU, its offset in shared memory in units of 8 bytes.
  in_block_waiter = 1u << 15,
};
GENESYS_KERNEL constexpr u32 strategy_of(u32 waits, u32 scope) {
  return (waits & in_block_waiter) != 0 ? waits : waits >> 2 * scope & 3;
}
GENESYS_KERNEL constexpr u16 in_each_scope(wait_strategy_bits m) {
  return static_cast<u16>(m | m << 2 | m << 4 | m << 6);
}

// The part that the submission queues need (detail/queue/).
struct queue_context {
  u32 slots_log2;  // of each queue
  u32 queues;
  u32 groups;                            // completion groups for blocking calls; the groups for tickets follow
  u32 ticket_groups;                     // completion groups for tickets, for each warp
  u16 run;                               // number of the run; 0: none
  u16 waits;                             // how lanes wait, see strategy_of
  u32 zero;                              // 0, which the compiler does not know: see lanes_together
  request_slot* slots;                   // host block, [queues << slots_log2]
  published_head_line* published_heads;  // host block, [queues]
  completion_slot* completion_slots;     // host block, [(groups + ticket groups) * 32]
  completion_extra* extras;              // host block, as many
  completion_line* lines;                // host block, [groups * 32]: for inline data of blocking calls
  u64* seen;                             // host block, as many: when a lane saw the completion, on the device's clock
  u32* interrupt;                        // host block; a store of 1 wakes the host, if it sleeps
  producer_state* producers;             // device block, [queues]
  u64* claims;                           // device block, [groups + ticket groups]
  u32* first_looks;                      // device block, [groups][first_look_kinds]: see queue/first_look.h
  u32* ended;  // device block; 1: no worker serves, and lanes that wait give up with -ECANCELED
};

// The completion slots of blocking calls, of tickets, and of one more group, for requests that the host makes itself.
GENESYS_KERNEL constexpr u32 completion_slots_of(const queue_context& a) {
  return (a.groups * (1 + a.ticket_groups) + 1) * slots_in_group;
}

// By value in every `os`, so that a kernel has it in its parameters. A function that is not inlined takes it, or the
// part that it needs, by value too. For a reference, all threads of a block would have to keep a copy in local memory.
struct device_context : queue_context {
  u32 version;                 // layout_version
  u32 generation;              // of known addresses and descriptor kinds, when the run was attached
  bounce_pool* bounce;         // device block
  range_table* ranges;         // device block
  grid_table* grids;           // device block
  shared_ring_table* rings;    // device block; null: threads of the process make all calls
  heap_state* heap;            // device block
  u64 arena_begin, arena_end;  // addresses that both sides can use: bounce buffers, then the arena
  u32 bounce_buffers[bounce_classes];
  shared_ring_shape rings_shape;  // of `rings`
  bool inline_data;            // short data goes with requests and completions: io_uring would need memory that stays
  u64 nonce;                   // distinguishes this runtime's words in shared memory; bit 0 is 0
  const device_context* copy;  // device block; with `run`, `waits` and `generation` 0
};

}  // namespace genesys::detail::wire

namespace genesys::detail {
using namespace wire;
}
