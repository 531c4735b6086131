// SPDX-License-Identifier: Apache-2.0
// The protocol: how one system call crosses from a kernel to the CPU and back. Freestanding, used by both sides and
// both devices: what is laid out in memory, and how requests and answers are coded. The calling side's steps are in
// calling.h, the serving side's in src/host/submission_queue.h; models/ checks both; docs/protocol.md ties the model's
// labels to the code.
//
// Memory. *Host block*: pinned memory that both sides address, and that the GPU may spoil, so the serving side reads
// it once and believes nothing. *Device block*: device memory that only kernels touch. *Private*: the host's own.
//
//   host block    ring[shard][slots]   requests, 64 bytes each; written by callers, read by the shard's worker
//                 mirror[shard]        how many were taken; written by the worker, read by callers out of room
//                 cell[32 * groups]    answers, 8 bytes each; written by the worker, polled by the one caller
//                 extra[32 * groups]   16 bytes more of an answer; written before the cell, if the answer says so
//                 returned[chunks/64]  bits that the host flips when it gives a bounce buffer back (bounce.h)
//   device block  gate[shard]          tail, and the last known mirror
//                 group[groups]        {phase : 32 | claimed : 32}: who owns the 32 cells of a group
//                 ended                1: nobody serves any more
//                 ranges, grids        what is known of addresses (ranges.h), and of calls of grids (grid.h)
//   private       turn[shard]          {epoch : 12 | head : 52}: whose turn it is, and the next request to take
//
// A call. (C: calling side, S: serving side; the labels are the model's.)
//   C1 claim a cell: set its bit in `claimed`; the bit that was set already is somebody else's. The cell's phase is
//      read by the same operation, and the answer will carry the other phase.
//   C2 choose a shard that has room, or remember one.   C3 take tickets, if it still has: tail -> tail + lanes.
//   C4 fence; then store the words of the slot, in any order, each with the ticket's tag. Pairs of arguments that are
//      zero are left out, but not in every eighth generation of the ring.
//   C5 poll the cell until its phase is the other one.
//   C6 release: flip the phase and clear the claim, in one operation.
//   With a ticket, C1 claims a cell of the tickets' groups, and C5, C6 come when it is waited for. A posted call has no
//   cell: C1, C5, C6 and the cell in S6 are left out. Each ticket's cell has a ring of its own, through which all its
//   requests go, and all that follow its calls: these the serving side puts aside until the cell has the answer (F1 to
//   F5, src/host/dependent_calls.h).
//   S1 read turn, and of the slot at head the last word, which names the others that are there, and these; all tags
//      must be head's.   S2 keep them in private memory.
//   S3 turn: head -> head + 1, if the turn is still ours.   S4 mirror = head + 1.
//   S5 make the call.   S6 write extra, then the cell.
//
// Invariants.
//   I1 A ticket t is taken, and its slot written, only when mirror > t - slots was seen: the request before it there
//      was taken (S3). Between taking a ticket and publishing nobody waits for room, so nobody is held up by a ticket
//      in a sleeper's hands.
//   I2 8 bytes arrive whole or not at all; nothing is promised about the order of two words. So each word carries the
//      tag, and a request is there when all that it names do. One word can never show an older generation after a
//      newer one (coherence), and is at most eight generations old, since each eighth is written, and waited for,
//      whole: hence tags have to tell nine generations apart, and tell sixteen.
//   I3 A request is taken by exactly one worker: the one whose exchange S3 succeeded. Whoever fails there forgets what
//      it read, and the shard too if its epoch is over.
//   I4 A cell has one owner from C1 to C6, and in between is written once, with the phase that it did not have. There
//      are as many groups as resident warps, and a thread owns one cell of them at a time, so whoever looks for one
//      finds one. Tickets have groups of their own, as many for each warp, and whoever finds none there is told so.
//   I5 mirror may lag, also step back for a moment when a worker that lost its turn stores late (S4); whoever finds
//      nothing pending repairs it. Callers take the highest they saw, and look again while they wait.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genesys/detail/target/target.h"

namespace genesys::detail {

using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

// Changes with every change of the layouts below; `os` carries it and the runtime compares.
constexpr u32 layout_version = 10;

constexpr u32 slots_in_group = 32;              // one for each lane of a warp
constexpr u32 completion_slots_max = 1u << 20;  // what a request has room to name
constexpr u32 bounce_classes = 4;               // sizes of bounce buffers
constexpr u32 slots_min = 64;                   // a warp's 32 requests always fit
constexpr u32 path_bytes_max = 4096;            // Linux's PATH_MAX
constexpr u32 call_number_max = 0xeff;          // larger numbers are no system call; Linux answers -ENOSYS to this one

// Calls between the two halves of genesys, numbered beyond Linux's.
enum internal_number : u32 {
  internal_resolve = 0xf00,  // (address): what is there? value = pointer_kind, extra = {first address, bytes}
  internal_wait = 0xf01,     // (fd, poll events): answered when the descriptor is ready
  internal_file = 0xf03,     // (fd): value = its descriptor_kind (plan.h), or 0
  internal_lost = 0xf02,     // (number, errno), posted: a posted call that could not be made, to be counted
};

// What the host says about an address.
enum class pointer_kind : u32 {
  unknown = 0,  // Linux would say EFAULT
  stage = 1,    // only the device can address it: copied through a bounce buffer
  pass = 2,     // both sides can address it
};

enum class scope_kind : u32 { thread = 0, warp = 1, block = 2, grid = 3 };
constexpr u32 scope_mask = 3;
// Beside the scope: the call is made only when an earlier one, under way with a ticket, is finished. Instead of who
// calls the request then says which one: `block` is that ticket's cell, and `warp` the phase that its answer has.
constexpr u32 depends_on_earlier = 4;

// What the caller does about the result.
enum class wait_mode : u32 {
  blocking = 0,  // waits for it: the host may ask it to wait for a descriptor, and to call anew
  ticket = 1,    // waits later: the host waits for the descriptor itself
  posted = 2,    // never: there is no cell, and the host gives the bounce buffer back
};

// --- Requests.

struct alignas(64) request_slot {
  u64 words[8];
};
static_assert(sizeof(request_slot) == 64);

// A request, unpacked.
struct request {
  u64 args[6];
  u32 number;           // 12 bits: the host's own number for the call, or internal_number
  u32 completion_slot;  // 20 bits: where the answer goes
  u32 phase;            // 1 bit: the phase that the answer shall have
  u32 scope;            // 3 bits: scope_kind, and depends_on_earlier
  u32 block;            // 20 bits: the caller's block, its low bits; for reports. Or the earlier call's cell
  u32 warp;             // 5 bits: the caller's warp in its block; for reports. Or its phase
  u32 run;              // 11 bits: which run
  wait_mode mode;       // 2 bits
  u32 time;             // 19 bits: the device's clock at publishing, in units of 1,024 ns
  u32 pairs;            // 3 bits: which pairs of arguments are there (0 and 1, 2 and 3, 4 and 5); the others are zero
};

constexpr u32 runs_max = 1u << 11;  // attached at a time; run 0 is none

constexpr u32 tag_bits = 4;
constexpr u64 tag_shift = 64 - tag_bits;
constexpr u64 payload_mask = (u64{1} << tag_shift) - 1;

// The tag of ticket `t` in a ring of 2^slots_log2 slots. Memory starts as zeros, and generation 0 has tag 1.
GENESYS_KERNEL constexpr u64 tag_of(u64 ticket, u32 slots_log2) {
  return ((ticket >> slots_log2) + 1) & ((1u << tag_bits) - 1);
}

// Which pairs of arguments a request needs; in every eighth generation of the ring all of them.
constexpr u32 pairs_all = 7;
GENESYS_KERNEL constexpr u32 pairs_to_write(const request& r, u64 ticket, u32 slots_log2) {
  u32 pairs = ((ticket >> slots_log2) & 7) == 0 ? pairs_all : 0;
  for (int k = 0; k < 6; ++k) pairs |= u32{r.args[k] != 0} << (k / 2);
  return pairs;
}

// Word `i` of a request, without its tag.
GENESYS_KERNEL constexpr u64 pack_word(const request& r, int i) {
  if (i < 6) return r.args[i] & payload_mask;
  if (i == 6) {
    u64 high = 0;
    for (int k = 0; k < 6; ++k) high |= (r.args[k] >> tag_shift) << (4 * k);
    return high | u64{r.number & 0xfffu} << 24 | u64{r.completion_slot & 0xfffffu} << 36 | u64{r.phase & 1u} << 56 |
           u64{r.scope & 7u} << 57;
  }
  return u64{r.block & 0xfffffu} | u64{r.warp & 31u} << 20 | u64{r.run & (runs_max - 1)} << 25 |
         u64{static_cast<u32>(r.mode) & 3u} << 36 | u64{r.time & 0x7ffffu} << 38 | u64{r.pairs & pairs_all} << 57;
}

// All of a request but its arguments, from its words 6 and 7.
constexpr void unpack_head(request& r, u64 word_6, u64 word_7) {
  r.number = static_cast<u32>(word_6 >> 24) & 0xfffu;
  r.completion_slot = static_cast<u32>(word_6 >> 36) & 0xfffffu;
  r.phase = static_cast<u32>(word_6 >> 56) & 1u;
  r.scope = static_cast<u32>(word_6 >> 57) & 7u;
  r.block = static_cast<u32>(word_7) & 0xfffffu;
  r.warp = static_cast<u32>(word_7 >> 20) & 31u;
  r.run = static_cast<u32>(word_7 >> 25) & (runs_max - 1);
  r.mode = static_cast<wait_mode>(static_cast<u32>(word_7 >> 36) & 3u);
  r.time = static_cast<u32>(word_7 >> 38) & 0x7ffffu;
  r.pairs = static_cast<u32>(word_7 >> 57) & pairs_all;
}
constexpr u64 unpack_argument(int k, u64 word, u64 word_6) {
  return (word & payload_mask) | ((word_6 >> (4 * k)) & 15u) << tag_shift;
}

// --- Answers.

struct completion_extra {
  u64 first, second;
};
static_assert(sizeof(completion_extra) == 16);

constexpr u64 completion_phase = u64{1} << 63;
constexpr u64 completion_wide = u64{1} << 62;  // there is an extra answer; of a system call it is {the value, 0}
constexpr u64 completion_again =
    u64{1} << 61;  // the descriptor is not ready: wait for it (internal_wait), then call anew
constexpr u64 completion_value_mask = completion_again - 1;
constexpr i64 completion_value_max = static_cast<i64>(completion_value_mask >> 1);

GENESYS_KERNEL constexpr bool fits_completion(i64 value) {
  return value <= completion_value_max && value >= -completion_value_max - 1;
}
GENESYS_KERNEL constexpr i64 completion_value(u64 completion_slot) {
  return static_cast<i64>(completion_slot << 3) >> 3;
}
GENESYS_KERNEL constexpr u32 phase_of(u64 completion_slot) { return static_cast<u32>(completion_slot >> 63); }

// --- What lies where.

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

}  // namespace genesys::detail
