// SPDX-License-Identifier: Apache-2.0
// A waiting room, in the shared memory of a block whose kernel asked for it (genesys::suspended): of the groups of
// lanes that wait for answers there, one looks across the link for all, and the others are suspended until it rings for
// them. Called by await_in_room (calling.h): all lanes of a group together, with the same mask.
//
// What is in the room says only when to look. Whether an answer is there the cell alone says, and every rest ends by
// itself: a ring that is missed, or too many, makes somebody late or look in vain, and no more. So no lane is counted
// on: they may come divergent, at any time, and leave the kernel when they like.
//
//   place    of a warp: the cells for which a group of its lanes waits, all of one group of cells, and a bell. Of two
//            groups of a warp the second has none, and pauses instead.
//   looker   1 while a group looks for all. Who looks and has its own answer lets it go, and rings for another one.
#pragma once

#include "genesys/detail/lanes.h"
#include "genesys/detail/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail {

// Rung by one, waited for by many. On a GPU an mbarrier: a ring completes its phase.
class bell {
 public:
#if GENESYS_ON_CUDA && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  GENESYS_KERNEL static void hang_up(u64& word) { cuda_target::make_barrier(&word); }
  GENESYS_KERNEL explicit bell(u64& word) : word_(&word) {}
  GENESYS_KERNEL void ring() const { cuda_target::arrive(word_); }
  // What rung() wants, from before it matters.
  GENESYS_KERNEL u32 turn() const { return cuda_target::is_complete(word_, 0) ? 1 : 0; }
  // Whether it was rung since; waits for that a while.
  GENESYS_KERNEL bool rung(u32 turn, u32 ns) const { return cuda_target::is_complete(word_, turn, ns); }

 private:
  u64* word_;
#else
  GENESYS_KERNEL static void hang_up(u64& word) { atomic<u64, reach::block>(word).store(0, order::relaxed); }
  GENESYS_KERNEL explicit bell(u64& word) : word_(word) {}
  GENESYS_KERNEL void ring() const { word_.fetch_add(1, order::release); }
  GENESYS_KERNEL u32 turn() const { return static_cast<u32>(word_.load(order::acquire)); }  // pairs with ring
  GENESYS_KERNEL bool rung(u32 turn, u32) const {
    if (this->turn() != turn) return true;
    pause(500);
    return this->turn() != turn;
  }

 private:
  atomic<u64, reach::block> word_;
#endif
  using order = std::memory_order;
};

struct waiting_room {
  static constexpr u32 warps_max = 32;
  struct place {
    u64 bell_word;
    u32 taken;   // 1: by a group of the warp's lanes
    u32 group;   // of cells
    u32 phases;  // the phase that each answer shall have
    u32 cells;   // those that are waited for; the looker takes away what it has rung for
  };
  place of_warp[warps_max];
  u32 looker;
  u32 opened;
};

// All threads of the block that have not left: they meet, and the room is empty. What `waits` of an area is then.
GENESYS_KERNEL u16 open_room() {
  using order = std::memory_order;
  waiting_room& room = shared<waiting_room>();
  const atomic<u32, reach::block> opened(room.opened);
  opened.store(0, order::relaxed);
  sync_block();
  if (opened.exchange(1, order::relaxed) == 0) {  // any of those that are there
    room.looker = 0;
    GENESYS_NO_UNROLL
    for (u32 w = 0; w < waiting_room::warps_max; ++w) {
      waiting_room::place& p = room.of_warp[w];
      p.taken = p.group = p.phases = p.cells = 0;
      bell::hang_up(p.bell_word);
    }
    fence<reach::block>();
  }
  sync_block();
#if GENESYS_ON_CUDA
  return static_cast<u16>(in_room | cuda_target::shared_place(&room) / 8);
#else
  return in_room;
#endif
}
static_assert(sizeof(waiting_room) == 776, "docs/semantics.md says so");
static_assert(alignof(waiting_room) == 8 && 256 * 1024 / 8 <= in_room, "its place fits beside the bit");

// A group of lanes in the room, with a cell each.
class guest {
 public:
  GENESYS_KERNEL guest(u32 room, u32 cell, u32 phase) : room_(at(room)), cell_(cell), phase_(phase) {}

  // Looks for the others, or is suspended until there is something to look at, or pauses. `done`: this lane has its
  // answer. False: the runtime has ended.
  GENESYS_KERNEL bool rest(const call_path& a, u32 lanes, bool done, patience& waiting) {
    if (!looks_) looks_ = vote(lanes, leads(lanes) && take(room_.looker)) != 0;
    if (looks_) {
      constexpr u32 warps_at_once = 4;
      const u32 warps = (threads_in_block() + warp_lanes - 1) / warp_lanes;
      GENESYS_NO_UNROLL
      for (u32 first = 0; first < warps; first += warps_at_once) look_at<warps_at_once>(a, lanes, first);
      return waiting.wait(a, looker_share);
    }
    if (!listed_) listed_ = list(lanes, done);
    if (!listed_) return waiting.wait(a);
    suspend(lanes, done, waiting);
    return !runtime_ended(a);
  }

  // The last of the group go.
  GENESYS_KERNEL void leave(u32 lanes) {
    if (!leads(lanes)) return;
    if (listed_) {
      word(own().cells).store(0, order::relaxed);
      word(own().taken).store(0, order::release);  // pairs with take
    }
    if (!looks_) return;
    word(room_.looker).store(0, order::release);  // pairs with take
    GENESYS_NO_UNROLL
    for (u32 w = 0; w < waiting_room::warps_max; ++w) {
      waiting_room::place& p = room_.of_warp[w];
      if (word(p.cells).load(order::relaxed) == 0) continue;
      bell(p.bell_word).ring();
      return;
    }
  }

 private:
  using order = std::memory_order;
  static constexpr u32 looker_share = 16;  // of the time waited is the looker's pause

  GENESYS_KERNEL static waiting_room& at([[maybe_unused]] u32 room) {
#if GENESYS_ON_CUDA
    return *static_cast<waiting_room*>(cuda_target::at_shared_place((room & (in_room - 1)) * 8));
#else
    return shared<waiting_room>();
#endif
  }
  GENESYS_KERNEL static atomic<u32, reach::block> word(u32& of) { return atomic<u32, reach::block>(of); }
  GENESYS_KERNEL static bool leads(u32 lanes) { return lane() == lowest_bit(lanes); }
  GENESYS_KERNEL static bool take(u32& free_or_not) {
    u32 free = 0;
    return word(free_or_not).load(order::relaxed) == 0 && word(free_or_not).compare_exchange(free, 1, order::acquire);
  }
  GENESYS_KERNEL waiting_room::place& own() const { return room_.of_warp[warp_rank()]; }
  GENESYS_KERNEL u32 bit() const { return 1u << cell_ % cells_in_group; }

  // Takes the warp's place, if it is free, for the lanes whose cells are of the leader's group.
  GENESYS_KERNEL bool list(u32 lanes, bool done) {
    if (vote(lanes, leads(lanes) && take(own().taken)) == 0) return false;
    const u32 group = static_cast<u32>(from_leader(lanes, cell_ / cells_in_group));
    if (leads(lanes)) {
      word(own().group).store(group, order::relaxed);
      word(own().phases).store(0, order::relaxed);
    }
    (void)vote(lanes, true);
    is_sought_ = !done && cell_ / cells_in_group == group;
    if (!is_sought_) return true;
    if (phase_ != 0) word(own().phases).fetch_or(bit(), order::relaxed);
    word(own().cells).fetch_or(bit(), order::release);  // pairs with look_at
    return true;
  }

  // Some warps' places, their cells under way across the link at a time. Relaxed: who is rung for looks itself.
  template <u32 warps>
  GENESYS_KERNEL void look_at(const call_path& a, u32 lanes, u32 first) const {
    const u32 step = count_bits(lanes), rank = count_bits(lanes & ((1u << lane()) - 1));
    u32 sought[warps], news[warps] = {};
    for (u32 k = 0; k < warps; ++k) {
      const bool other = first + k < waiting_room::warps_max && !(listed_ && first + k == warp_rank());
      sought[k] = other ? word(room_.of_warp[first + k].cells).load(order::acquire) : 0;  // pairs with list
    }
    GENESYS_NO_UNROLL
    for (u32 i = rank; i < cells_in_group; i += step) {
      u64 seen[warps];
      for (u32 k = 0; k < warps; ++k) {
        if ((sought[k] >> i & 1) == 0) continue;
        const u32 group = word(room_.of_warp[first + k].group).load(order::relaxed);
        seen[k] = global_atomic<u64, reach::system>(a.cell[group * cells_in_group + i]).load(order::relaxed);
      }
      for (u32 k = 0; k < warps; ++k) {
        if ((sought[k] >> i & 1) == 0) continue;
        const u32 phases = word(room_.of_warp[first + k].phases).load(order::relaxed);
        if (phase_of(seen[k]) == (phases >> i & 1)) news[k] |= 1u << i;
      }
    }
    for (u32 k = 0; k < warps; ++k) {
      if (news[k] != 0) word(room_.of_warp[first + k].cells).fetch_and(~news[k], order::release);  // pairs with suspend
      if (vote(lanes, news[k] != 0) != 0 && leads(lanes)) bell(room_.of_warp[first + k].bell_word).ring();
    }
  }

  // Until the bell, or as long again as it has waited. (In slices: while the hardware suspends a lane, lanes of its
  // warp that stand elsewhere may stand still, and one of them may be the looker.)
  GENESYS_KERNEL void suspend(u32 lanes, bool done, patience& waiting) const {
    constexpr u64 rest_min_ns = 10'000, rest_max_ns = 1'000'000;
    constexpr u32 slice_ns = 20'000;
    const bell own_bell(own().bell_word);
    const u32 turn = own_bell.turn();
    const u64 begin = clock_ns();
    const u32 left = word(own().cells).load(order::acquire);  // pairs with look_at
    const bool news = is_sought_ && !done && (left & bit()) == 0;
    if (vote(lanes, news) == 0) {
      u64 ns = waiting.waited_ns();
      if (ns < rest_min_ns) ns = rest_min_ns;
      if (ns > rest_max_ns) ns = rest_max_ns;
      while (!own_bell.rung(turn, slice_ns) && clock_ns() - begin < ns) {
      }
    }
    waiting.look();
    waiting.add(from_leader(lanes, clock_ns() - begin));
  }

  waiting_room& room_;
  u32 cell_, phase_;
  bool listed_ = false, looks_ = false;
  bool is_sought_ = false;  // its cell is in the place
};

}  // namespace genesys::detail
