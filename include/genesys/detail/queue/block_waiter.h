// SPDX-License-Identifier: Apache-2.0
// A waiting room, in the shared memory of a block whose kernel asked for it (genesys::suspended): of the groups of
// lanes that wait for answers there, one looks across the link for all, and the others are suspended until it rings for
// them. Called by wait_in_block_waiter (calling.h): all lanes of a group together, with the same mask.
//
// What is in the room says only when to look. Whether an answer is there the cell alone says, and every rest ends by
// itself: a ring that is missed, or too many, makes somebody late or look in vain, and no more. So no lane is counted
// on: they may come divergent, at any time, and leave the kernel when they like.
//
//   place    of a warp: the cells for which a group of its lanes waits, all of one group of cells, and a bell. Of two
//            groups of a warp the second has none, and pauses instead.
//   looker   1 while a group looks for all. Who looks and has its own answer lets it go, and rings for another one.
#pragma once

#include "genesys/detail/lanes/lanes.h"
#include "genesys/detail/wire/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail::queue {

// Rung by one, waited for by many. On a GPU an mbarrier: a ring completes its phase.
class notification {
 public:
#if GENESYS_ON_CUDA && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  GENESYS_KERNEL static void initialize(u64& word) { cuda_target::make_barrier(&word); }
  GENESYS_KERNEL explicit notification(u64& word) : word_(&word) {}
  GENESYS_KERNEL void notify() const { cuda_target::arrive(word_); }
  // What rung() wants, from before it matters.
  GENESYS_KERNEL u32 phase_now() const { return cuda_target::is_complete(word_, 0) ? 1 : 0; }
  // Whether it was rung since; waits for that a while.
  GENESYS_KERNEL bool notified(u32 phase_now, u32 ns) const { return cuda_target::is_complete(word_, phase_now, ns); }

 private:
  u64* word_;
#else
  GENESYS_KERNEL static void initialize(u64& word) { atomic<u64, thread_scope::block>(word).store(0, order::relaxed); }
  GENESYS_KERNEL explicit notification(u64& word) : word_(word) {}
  GENESYS_KERNEL void notify() const { word_.fetch_add(1, order::release); }
  GENESYS_KERNEL u32 phase_now() const { return static_cast<u32>(word_.load(order::acquire)); }  // pairs with ring
  GENESYS_KERNEL bool notified(u32 phase_now, u32) const {
    if (this->phase_now() != phase_now) return true;
    pause(500);
    return this->phase_now() != phase_now;
  }

 private:
  atomic<u64, thread_scope::block> word_;
#endif
};

struct block_waiter {
  static constexpr u32 warps_max = 32;
  struct entry {
    u64 notification_word;
    u32 taken;             // 1: by a group of the warp's lanes
    u32 group;             // of cells
    u32 phases;            // the phase that each answer shall have
    u32 completion_slots;  // those that are waited for; the looker takes away what it has rung for
  };
  entry of_warp[warps_max];
  u32 poller;
  u32 opened;
};

// All threads of the block that have not left: they meet, and the room is empty. What `waits` of an area is then.
GENESYS_KERNEL u16 make_block_waiter() {
  block_waiter& waiter = shared<block_waiter>();
  const atomic<u32, thread_scope::block> opened(waiter.opened);
  opened.store(0, order::relaxed);
  sync_block();
  if (opened.exchange(1, order::relaxed) == 0) {  // any of those that are there
    waiter.poller = 0;
    GENESYS_NO_UNROLL
    for (u32 w = 0; w < block_waiter::warps_max; ++w) {
      block_waiter::entry& p = waiter.of_warp[w];
      p.taken = p.group = p.phases = p.completion_slots = 0;
      notification::initialize(p.notification_word);
    }
    fence<thread_scope::block>();
  }
  sync_block();
#if GENESYS_ON_CUDA
  return static_cast<u16>(in_block_waiter | cuda_target::shared_offset(&waiter) / 8);
#else
  return in_block_waiter;
#endif
}
static_assert(sizeof(block_waiter) == 776, "docs/semantics.md says so");
static_assert(alignof(block_waiter) == 8 && 256 * 1024 / 8 <= in_block_waiter, "its place fits beside the bit");

// A group of lanes in the room, with a cell each.
class block_wait {
 public:
  GENESYS_KERNEL block_wait(u32 waiter, u32 completion_slot, u32 phase)
      : waiter_(at(waiter)), completion_slot_(completion_slot), phase_(phase) {}

  // Looks for the others, or is suspended until there is something to look at, or pauses. `done`: this lane has its
  // answer. False: the runtime has ended.
  GENESYS_KERNEL bool wait(const queue_context& a, u32 lanes, bool done, backoff& waiting) {
    if (!polls_) polls_ = vote(lanes, leads(lanes) && try_lock(waiter_.poller)) != 0;
    if (polls_) {
      constexpr u32 warps_at_once = 4;
      const u32 warps = (threads_in_block() + warp_lanes - 1) / warp_lanes;
      GENESYS_NO_UNROLL
      for (u32 first = 0; first < warps; first += warps_at_once) poll<warps_at_once>(a, lanes, first);
      return waiting.wait(a, poller_share);
    }
    if (!enrolled_) enrolled_ = enroll(lanes, done);
    if (!enrolled_) return waiting.wait(a);
    suspend(lanes, done, waiting);
    return !runtime_ended(a);
  }

  // The last of the group go.
  GENESYS_KERNEL void leave(u32 lanes) {
    if (!leads(lanes)) return;
    if (enrolled_) {
      word(own().completion_slots).store(0, order::relaxed);
      word(own().taken).store(0, order::release);  // pairs with take
    }
    if (!polls_) return;
    word(waiter_.poller).store(0, order::release);  // pairs with take
    GENESYS_NO_UNROLL
    for (u32 w = 0; w < block_waiter::warps_max; ++w) {
      block_waiter::entry& p = waiter_.of_warp[w];
      if (word(p.completion_slots).load(order::relaxed) == 0) continue;
      notification(p.notification_word).notify();
      return;
    }
  }

 private:
  static constexpr u32 poller_share = 16;  // of the time waited is the looker's pause

  GENESYS_KERNEL static block_waiter& at([[maybe_unused]] u32 waiter) {
#if GENESYS_ON_CUDA
    return *static_cast<block_waiter*>(cuda_target::at_shared_offset((waiter & (in_block_waiter - 1)) * 8));
#else
    return shared<block_waiter>();
#endif
  }
  GENESYS_KERNEL static atomic<u32, thread_scope::block> word(u32& of) { return atomic<u32, thread_scope::block>(of); }
  GENESYS_KERNEL static bool leads(u32 lanes) { return lane() == lowest_bit(lanes); }
  GENESYS_KERNEL static bool try_lock(u32& lock_word) {
    u32 free = 0;
    return word(lock_word).load(order::relaxed) == 0 && word(lock_word).compare_exchange(free, 1, order::acquire);
  }
  GENESYS_KERNEL block_waiter::entry& own() const { return waiter_.of_warp[warp_rank()]; }
  GENESYS_KERNEL u32 bit() const { return 1u << completion_slot_ % slots_in_group; }

  // Takes the warp's place, if it is free, for the lanes whose cells are of the leader's group.
  GENESYS_KERNEL bool enroll(u32 lanes, bool done) {
    if (vote(lanes, leads(lanes) && try_lock(own().taken)) == 0) return false;
    const u32 group = static_cast<u32>(from_leader(lanes, completion_slot_ / slots_in_group));
    if (leads(lanes)) {
      word(own().group).store(group, order::relaxed);
      word(own().phases).store(0, order::relaxed);
    }
    (void)vote(lanes, true);
    is_sought_ = !done && completion_slot_ / slots_in_group == group;
    if (!is_sought_) return true;
    if (phase_ != 0) word(own().phases).fetch_or(bit(), order::relaxed);
    word(own().completion_slots).fetch_or(bit(), order::release);  // pairs with look_at
    return true;
  }

  // Some warps' places, their cells under way across the link at a time. Relaxed: who is rung for looks itself.
  template <u32 warps>
  GENESYS_KERNEL void poll(const queue_context& a, u32 lanes, u32 first) const {
    const u32 step = count_bits(lanes), rank = count_bits(lanes & ((1u << lane()) - 1));
    u32 sought[warps], news[warps] = {};
    for (u32 k = 0; k < warps; ++k) {
      const bool other = first + k < block_waiter::warps_max && !(enrolled_ && first + k == warp_rank());
      sought[k] =
          other ? word(waiter_.of_warp[first + k].completion_slots).load(order::acquire) : 0;  // pairs with list
    }
    GENESYS_NO_UNROLL
    for (u32 i = rank; i < slots_in_group; i += step) {
      u64 seen[warps];
      for (u32 k = 0; k < warps; ++k) {
        if ((sought[k] >> i & 1) == 0) continue;
        const u32 group = word(waiter_.of_warp[first + k].group).load(order::relaxed);
        seen[k] = global_atomic<u64, thread_scope::system>(a.completion_slots[group * slots_in_group + i])
                      .load(order::relaxed);
      }
      for (u32 k = 0; k < warps; ++k) {
        if ((sought[k] >> i & 1) == 0) continue;
        const u32 phases = word(waiter_.of_warp[first + k].phases).load(order::relaxed);
        if (phase_of(seen[k]) == (phases >> i & 1)) news[k] |= 1u << i;
      }
    }
    for (u32 k = 0; k < warps; ++k) {
      if (news[k] != 0)
        word(waiter_.of_warp[first + k].completion_slots).fetch_and(~news[k], order::release);  // pairs with suspend
      if (vote(lanes, news[k] != 0) != 0 && leads(lanes))
        notification(waiter_.of_warp[first + k].notification_word).notify();
    }
  }

  // Until the bell, or as long again as it has waited. (In slices: while the hardware suspends a lane, lanes of its
  // warp that stand elsewhere may stand still, and one of them may be the looker.)
  GENESYS_KERNEL void suspend(u32 lanes, bool done, backoff& waiting) const {
    constexpr u64 rest_min_ns = 10'000, rest_max_ns = 1'000'000;
    constexpr u32 slice_ns = 20'000;
    const notification own_notification(own().notification_word);
    const u32 phase_now = own_notification.phase_now();
    const u64 begin = clock_ns();
    const u32 left = word(own().completion_slots).load(order::acquire);  // pairs with look_at
    const bool news = is_sought_ && !done && (left & bit()) == 0;
    if (vote(lanes, news) == 0) {
      u64 ns = waiting.waited_ns();
      if (ns < rest_min_ns) ns = rest_min_ns;
      if (ns > rest_max_ns) ns = rest_max_ns;
      while (!own_notification.notified(phase_now, slice_ns) && clock_ns() - begin < ns) {
      }
    }
    waiting.look();
    waiting.add(from_leader(lanes, clock_ns() - begin));
  }

  block_waiter& waiter_;
  u32 completion_slot_, phase_;
  bool enrolled_ = false, polls_ = false;
  bool is_sought_ = false;  // its cell is in the place
};

}  // namespace genesys::detail::queue
