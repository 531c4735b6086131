// SPDX-License-Identifier: Apache-2.0
// The calling side of the protocol for calls that are not waited for at once (protocol.h, waiting::ticket and posted).
// Called by whichever lanes stand together, as calling.h is.
#pragma once

#include "genesys/detail/calling.h"

namespace genesys::detail {

// Where a ticket's answer comes.
struct ticket_cell {
  u32 cell, phase;
  bool claimed;  // false: the warp has as many tickets as it may have
};

// A try to claim one: what came of it is known when `before` is looked at, a third of a microsecond later.
struct ticket_try {
  u32 group, bit;
  u64 before;
};

// The ring through which go all requests of a ticket's cell, and all calls that follow its calls: so the next owner's
// request comes behind all that follow the one before (docs/protocol.md). Warps of a multiprocessor share one, as in
// shard_hint.
GENESYS_KERNEL u32 ring_of_cell(const call_path& a, u32 cell) {
  const u32 warp = (cell / cells_in_group - a.groups) >> (a.ticket_groups - 1);  // one group for each warp, or two
  return (GENESYS_ON_CUDA ? warp / 64 : warp) % a.shards;
}

// C2 to C4, of a request that is signed. `only_here`: through this ring, else through any. Lanes that want different
// ones go one after another.
GENESYS_KERNEL bool send_through(const call_path& a, request& r, u32 ring, bool only_here) {
  const u32 wanted = ring << 1 | (only_here ? 1u : 0u);
  for (u32 left = lanes_together(a);;) {
    const u32 leader = lowest_bit(left);
    const bool mine = static_cast<u32>(shuffle(left, wanted, leader)) == wanted;
    const u32 lanes = ballot(left, mine) | (a.zero & lane());  // as in lanes_together
    if (!mine) {
      left &= ~lanes;
      continue;
    }
    ring_ticket first{0, ring};
    if (lane() == leader) {
      const gate& g = a.gates[ring];
      const u64 tail = global_atomic<u64>(const_cast<u64&>(g.tail)).load(order::relaxed);
      const global_atomic<u64> known_head(const_cast<u64&>(g.known_head));
      const u64 head = known_head.load(head_order);  // pairs with look_at_mirror
      first = take_tickets(a, count_bits(lanes), ring, tail, head, only_here);
    }
    first.number = shuffle(lanes, first.number, leader);
    first.shard = shuffle(lanes, first.shard, leader);
    if (first.shard == no_shard) return false;
    publish<false>(a, r, {first.number + count_bits(lanes & ((1u << lane()) - 1)), first.shard});
    return true;
  }
}

// C2 to C4: publishes the lane's request, with a ticket's cell and phase in it, or posted. False: the runtime has
// ended.
GENESYS_KERNEL_OUTLINE inline bool send(call_path a, request& r) {
  sign(a, r);
  const bool has_cell = r.waits == waiting::ticket;
  return send_through(a, r, has_cell ? ring_of_cell(a, r.cell) : shard_hint() % a.shards, has_cell);
}

// C1 for a ticket, in two steps: a cell that the lane keeps beyond this call. The first step tries one that is likely
// to be free; lanes that come together try different ones.
GENESYS_KERNEL ticket_try try_ticket_cell(const call_path& a) {
  const u32 group = a.groups + warp_hint() % a.groups * a.ticket_groups;
  const u32 bit = 1u << (lane() + any_number()) % cells_in_group;
  return {group, bit, global_atomic<u64>(a.group[group]).fetch_or(bit, order::acquire)};  // pairs with release_cell
}

GENESYS_KERNEL ticket_cell cell_of_try(const ticket_try& t) {
  const u32 at = lowest_bit(t.bit);
  return {t.group * cells_in_group + at, ~static_cast<u32>(t.before >> (32 + at)) & 1, true};
}

GENESYS_KERNEL_OUTLINE inline ticket_cell claim_another_cell(call_path a, ticket_try t) {
  for (u32 i = 0; i < a.ticket_groups; ++i, ++t.group) {
    const global_atomic<u64> word(a.group[t.group]);
    u32 taken = static_cast<u32>(i == 0 ? t.before : word.load(order::relaxed));
    while (~taken != 0) {
      t.bit = ~taken & (taken + 1);                     // the lowest clear one
      t.before = word.fetch_or(t.bit, order::acquire);  // pairs with release_cell
      taken = static_cast<u32>(t.before);
      if ((taken & t.bit) == 0) return cell_of_try(t);
    }
  }
  return {0, 0, false};
}

GENESYS_KERNEL ticket_cell claim_ticket_cell(const call_path& a, const ticket_try& tried) {
  return (tried.before & tried.bit) == 0 ? cell_of_try(tried) : claim_another_cell(a, tried);
}

// C5 for a ticket: waits until its answer is there. False: the runtime has ended.
template <bool roomy>
GENESYS_KERNEL bool await_phase(const call_path& a, u32 cell, u32 phase, scope_kind scope) {
  const u32 lanes = lanes_together(a);
  return await_answer<roomy>(a, cell, phase, lanes, a.waits, static_cast<u32>(scope)) != never_answered;
}

// Like send, of a call that is to be made when the one is finished whose answer comes to cell `earlier`, with this
// phase; its ticket has not been waited for. Where the two have tickets of different rings, this lane waits.
GENESYS_KERNEL_OUTLINE inline bool send_after(call_path a, request& r, u32 earlier, u32 phase) {
  const u32 ring = ring_of_cell(a, earlier);
  if (r.waits == waiting::ticket && ring_of_cell(a, r.cell) != ring)
    return await_phase<false>(a, earlier, phase, static_cast<scope_kind>(r.scope)) && send(a, r);
  sign(a, r);
  r.scope |= follows_earlier;
  r.block = earlier;
  r.warp = phase;
  return send_through(a, r, ring, true);
}

}  // namespace genesys::detail
