// SPDX-License-Identifier: Apache-2.0
// A request: a call on its way from a kernel to the host, and how it is packed into the 64 bytes of a slot. Lanes pack,
// workers unpack. protocol.h has the steps and the invariants.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail::wire {

// Requests to the host itself, with numbers beyond those of Linux.
enum internal_number : u32 {
  internal_resolve = 0xf00,  // (address): value = its pointer_kind, extra = {first address, bytes}
  internal_wait = 0xf01,     // (fd, poll events, number of the call that waits): completes when the descriptor is ready
  internal_file = 0xf03,     // (fd, 1 if just opened): value = its descriptor_kind (table/call_plan.h), or 0
  internal_lost = 0xf02,     // (number, errno): a posted call that could not be made, for the counters
  internal_ring_call = 0xf04,  // (the call's arguments): for a recording, a call that a kernel made through a shared
                               // ring (uring/report_call.h)
  internal_nothing = 0xf05,    // nothing: the host makes it to itself (host/warm_path.h)
  internal_grow = 0xf06,       // (class of bounce buffers): posted; the host makes more usable
};

// The host's result for an address.
enum class pointer_kind : u32 {
  unknown = 0,  // no memory of the device or of both sides: Linux returns -EFAULT
  stage = 1,    // only the device can address it: copied through a bounce buffer
  pass = 2,     // both sides can address it
};

enum class scope_kind : u32 { thread = 0, warp = 1, block = 2, grid = 3 };
constexpr u32 scope_mask = 3;
// A bit next to the scope: the call is a dependent. The host makes it only when an earlier call with a ticket is
// finished (set_earlier).
constexpr u32 depends_on_earlier = 4;

// Which side waits for the result, and when.
enum class wait_mode : u32 {
  blocking = 0,  // the lane, at once. The completion may ask it to wait for a descriptor and to call again
  ticket = 1,    // the lane, later. The host waits for the descriptor
  posted = 2,    // no lane. There is no completion slot, and the host returns the bounce buffer
  parkable = 3,  // the lane, at once, and it keeps what the call needs meanwhile: the host waits for the descriptor
};
// Whether the lane does nothing else before it has the result.
GENESYS_KERNEL constexpr bool is_waited_at_once(wait_mode mode) {
  return mode == wait_mode::blocking || mode == wait_mode::parkable;
}

struct alignas(64) request_slot {
  u64 words[8];
};
static_assert(sizeof(request_slot) == 64);

// A request, unpacked.
struct request {
  u64 args[6];
  u32 number;            // 12 bits: the host's own number for the call, or internal_number
  u32 completion_slot;   // 20 bits: where the completion goes
  u32 phase;             // 1 bit: the phase that the completion will have
  u32 scope;             // 3 bits: scope_kind, and depends_on_earlier
  bool has_inline_data;  // 1 bit: what Linux writes goes beside the completion; what it reads is in the arguments
  u32 block;             // 19 bits: the leader's block, its low bits
  u32 warp;              // 5 bits: the leader's warp in its block
  u32 run;               // 11 bits: number of the run
  wait_mode mode;        // 2 bits
  u32 time;   // 19 bits: the device's clock at publishing, in units of 1,024 ns. Of a dependent: see set_earlier
  u32 pairs;  // 3 bits: which pairs of arguments are written (0 and 1, 2 and 3, 4 and 5); the others are zero. Likewise
};

constexpr u32 block_mask = (1u << 19) - 1;
constexpr u32 runs_max = 1u << 11;  // attached at a time; run 0 is none

constexpr u32 tag_bits = 4;
constexpr u64 tag_shift = 64 - tag_bits;
constexpr u64 payload_mask = (u64{1} << tag_shift) - 1;

// The tag of sequence number `t` in a queue of 2^slots_log2 slots. Memory starts as zeros, and generation 0 has tag 1.
GENESYS_KERNEL constexpr u64 tag_of(u64 ticket, u32 slots_log2) {
  return ((ticket >> slots_log2) + 1) & ((1u << tag_bits) - 1);
}

// The pairs of arguments that a request writes; in every eighth generation of its slot all of them.
constexpr u32 pairs_all = 7;
GENESYS_KERNEL constexpr u32 pairs_to_write(const request& r, u64 ticket, u32 slots_log2) {
  u32 pairs = ((ticket >> slots_log2) & 7) == 0 ? pairs_all : 0;
  for (int k = 0; k < 6; ++k) pairs |= u32{r.args[k] != 0} << (k / 2);
  return pairs;
}

// Names the earlier call of a dependent in the bits of `time` and `pairs`: the earlier ticket's completion slot, and
// the phase that its completion will have. A dependent does not carry its publishing time, and writes all its
// arguments.
GENESYS_KERNEL constexpr void set_earlier(request& r, u32 completion_slot, u32 phase) {
  r.scope |= depends_on_earlier;
  r.time = completion_slot & 0x7ffffu;
  r.pairs = (completion_slot >> 19 & 1u) | (phase & 1u) << 1;
}
GENESYS_KERNEL constexpr bool is_dependent(const request& r) { return (r.scope & depends_on_earlier) != 0; }
constexpr u32 earlier_slot(const request& r) { return r.time | (r.pairs & 1u) << 19; }
constexpr u32 earlier_phase(const request& r) { return r.pairs >> 1 & 1u; }
constexpr u32 pairs_written(const request& r) { return is_dependent(r) ? pairs_all : r.pairs; }

// Word `i` of a request, without its tag.
GENESYS_KERNEL constexpr u64 pack_word(const request& r, int i) {
  if (i < 6) return r.args[i] & payload_mask;
  if (i == 6) {
    u64 high = 0;
    for (int k = 0; k < 6; ++k) high |= (r.args[k] >> tag_shift) << (4 * k);
    return high | u64{r.number & 0xfffu} << 24 | u64{r.completion_slot & 0xfffffu} << 36 | u64{r.phase & 1u} << 56 |
           u64{r.scope & 7u} << 57;
  }
  return u64{r.block & block_mask} | u64{r.has_inline_data} << 19 | u64{r.warp & 31u} << 20 |
         u64{r.run & (runs_max - 1)} << 25 | u64{static_cast<u32>(r.mode) & 3u} << 36 | u64{r.time & 0x7ffffu} << 38 |
         u64{r.pairs & pairs_all} << 57;
}

// All of a request but its arguments, from its words 6 and 7.
constexpr void unpack_head(request& r, u64 word_6, u64 word_7) {
  r.number = static_cast<u32>(word_6 >> 24) & 0xfffu;
  r.completion_slot = static_cast<u32>(word_6 >> 36) & 0xfffffu;
  r.phase = static_cast<u32>(word_6 >> 56) & 1u;
  r.scope = static_cast<u32>(word_6 >> 57) & 7u;
  r.block = static_cast<u32>(word_7) & block_mask;
  r.has_inline_data = (word_7 >> 19 & 1) != 0;
  r.warp = static_cast<u32>(word_7 >> 20) & 31u;
  r.run = static_cast<u32>(word_7 >> 25) & (runs_max - 1);
  r.mode = static_cast<wait_mode>(static_cast<u32>(word_7 >> 36) & 3u);
  r.time = static_cast<u32>(word_7 >> 38) & 0x7ffffu;
  r.pairs = static_cast<u32>(word_7 >> 57) & pairs_all;
}
constexpr u64 unpack_argument(int k, u64 word, u64 word_6) {
  return (word & payload_mask) | ((word_6 >> (4 * k)) & 15u) << tag_shift;
}

}  // namespace genesys::detail::wire

namespace genesys::detail {
using namespace wire;
}
