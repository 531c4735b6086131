// SPDX-License-Identifier: Apache-2.0
// Where everything lies: a kernel's view of a runtime, passed by value in every `os`. The host fills it in
// (src/memory/layout.cpp).
#pragma once

#include "genesys/detail/wire/completion.h"
#include "genesys/detail/wire/request.h"

namespace genesys::detail::wire {

struct alignas(64) published_head_line {
  u64 head;
};

// A shard's counters in device memory. `known_head` is the highest mirror that any caller has read.
struct alignas(128) producer_state {
  u64 tail;
  u64 known_head;
  u32 refreshing;  // 1 while a lane reads the mirror: one at a time, the others take what it finds
  u32 grids;       // of the first gate: 1 once a grid has made a call
};

struct bounce_pool;        // bounce.h
struct range_table;        // ranges.h
struct grid_table;         // grid.h
struct shared_ring_table;  // shared_ring_table.h

// How many rings of io_uring kernels fill themselves (direct.h), and how large they are: with the area, so that nobody
// has to look for it first.
struct shared_ring_shape {
  std::uint8_t rings = 0, entries_log2 = 0, completions_log2 = 0;
  bool strict = false;  // they take reads, writes and fsync only, of files and memory that were registered for it

  GENESYS_KERNEL u64 entries() const { return u64{1} << entries_log2; }
  GENESYS_KERNEL u64 completions() const { return u64{1} << completions_log2; }
};

// How a caller waits for its answer (`waits` of the area, two bits a scope), where a few looks have not shown it.
enum wait_strategy_bits : u32 {
  backing_off = 0,  // pauses that grow
  spinning = 1,     // no pauses, while the link bears it
  // In a room of the block (room.h): this bit and, on a GPU, where it lies in shared memory, in units of 8 bytes.
  in_block_waiter = 1u << 15,
};
GENESYS_KERNEL constexpr u32 strategy_of(u32 waits, u32 scope) {
  return (waits & in_block_waiter) != 0 ? waits : waits >> 2 * scope & 3;
}
constexpr u16 in_each_scope(wait_strategy_bits m) { return static_cast<u16>(m | m << 2 | m << 4 | m << 6); }

// What the way of a call needs (calling.h, later.h).
struct queue_context {
  u32 slots_log2;  // slots in a ring
  u32 queues;
  u32 groups;           // cell groups for calls that are waited for at once; behind them those for tickets,
  u32 ticket_groups;    // so many for each warp
  u16 run;              // which run; 0 is none
  u16 waits;            // how callers wait, see strategy_of
  u32 zero;             // 0, which the compiler does not know: see lanes_together
  request_slot* slots;  // host block, [shards << slots_log2]
  published_head_line* published_heads;  // host block, [shards]
  u64* completion_slots;                 // host block, [(groups + ticket groups) * 32]
  completion_extra* extras;              // host block, as many
  producer_state* producers;             // device block, [shards]
  u64* claims;                           // device block, [groups + ticket groups]
  u32* ended;  // device block; 1: nobody serves any more, whoever waits answers itself with -ECANCELED
};

// Where everything lies, by value in every `os`: so that a kernel finds it in its parameters. What is not inlined takes
// it by value, too, or that part of it which it needs: by reference, all threads of a block would have to keep a copy
// in their local memory, for the one that makes a call.
struct device_context : queue_context {
  u32 version;                 // layout_version
  u32 generation;              // the epoch of what is known of addresses, when the run was attached (ranges.h)
  bounce_pool* bounce;         // device block
  range_table* ranges;         // device block
  grid_table* grids;           // device block
  shared_ring_table* rings;    // device block; null: calls are made by threads of the process
  u64 arena_begin, arena_end;  // addresses that both sides can use: bounce buffers, then the arena
  u32 bounce_buffers[bounce_classes];
  shared_ring_shape rings_shape;  // of `direct`
  u64 nonce;                      // of this runtime: tells its words in shared memory from others'; bit 0 is 0
  const device_context* copy;     // device block; of all of this but `run`, `waits` and `generation`, which are 0 there
};

}  // namespace genesys::detail::wire

namespace genesys::detail {
using namespace wire;
}
