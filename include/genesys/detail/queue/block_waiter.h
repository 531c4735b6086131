// SPDX-License-Identifier: Apache-2.0
// A block waiter: shared memory of a block whose kernel has made a genesys::suspended. Of the groups of lanes that wait
// at it for completions, one polls across the link for all, the *poller*. The hardware suspends the others until the
// poller notifies them. Called by wait_in_block_waiter (wait.h): all lanes of a group together, with the same mask.
//
// Shared memory holds only a hint; the completion slot is authoritative. Every suspension ends by itself. So a missed
// notification costs time, and a needless one costs one look. No lane depends on another one: lanes may come divergent,
// at any time, and leave the kernel at any time.
//
//   entry    of a warp: the completion slots that a group of its lanes waits for, all of one completion group, and a
//            notification. If two groups of a warp wait, only one gets the entry; the other pauses instead.
//   poller   1 while a group polls for all. When its lanes have their own completions, the group clears it and notifies
//            another group.
#pragma once

#include "genesys/detail/lanes/lanes.h"
#include "genesys/detail/wire/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail::queue {

// An event that one lane signals and many wait for. On a GPU it is an mbarrier: notify() completes its phase.
class notification {
 public:
#if GENESYS_ON_CUDA && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  GENESYS_KERNEL static void initialize(u64& word) { cuda_target::make_barrier(&word); }
  GENESYS_KERNEL explicit notification(u64& word) : word_(&word) {}
  GENESYS_KERNEL void notify() const { cuda_target::arrive(word_); }
  // The phase to pass to notified(); loaded before the lane looks for its completion.
  GENESYS_KERNEL u32 phase_now() const { return cuda_target::is_complete(word_, 0) ? 1 : 0; }
  // Whether notify() was called since phase_now() returned this phase. Waits about `ns` for it.
  GENESYS_KERNEL bool notified(u32 phase_now, u32 ns) const { return cuda_target::is_complete(word_, phase_now, ns); }

 private:
  u64* word_;
#else
  GENESYS_KERNEL static void initialize(u64& word) { atomic<u64, thread_scope::block>(word).store(0, order::relaxed); }
  GENESYS_KERNEL explicit notification(u64& word) : word_(word) {}
  GENESYS_KERNEL void notify() const { word_.fetch_add(1, order::release); }
  GENESYS_KERNEL u32 phase_now() const { return static_cast<u32>(word_.load(order::acquire)); }  // pairs with notify
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
    u32 group;             // completion group
    u32 phases;            // the phase that each completion will have
    u32 completion_slots;  // a bit for each slot waited for; the poller clears it before it notifies
  };
  entry of_warp[warps_max];
  u32 poller;
  u32 opened;
};

// Called by all threads of the block that have not left. They meet, and the block waiter is empty. Returns `waits` of a
// device context for it.
GENESYS_KERNEL u16 make_block_waiter() {
  block_waiter& waiter = shared<block_waiter>();
  const atomic<u32, thread_scope::block> opened(waiter.opened);
  opened.store(0, order::relaxed);
  sync_block();
  if (opened.exchange(1, order::relaxed) == 0) {  // one thread initialises; any may
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

// A group of lanes at the block waiter, with a completion slot each.
class block_wait {
 public:
  GENESYS_KERNEL block_wait(u32 waiter, u32 completion_slot, u32 phase)
      : waiter_(at(waiter)), completion_slot_(completion_slot), phase_(phase) {}

  // Polls for all, or is suspended until it is notified, or pauses. `done`: this lane has its completion. False: the
  // runtime has ended.
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

  // The last lanes of the group leave.
  GENESYS_KERNEL void leave(u32 lanes) {
    if (!leads(lanes)) return;
    if (enrolled_) {
      word(own().completion_slots).store(0, order::relaxed);
      word(own().taken).store(0, order::release);  // pairs with try_lock
    }
    if (!polls_) return;
    word(waiter_.poller).store(0, order::release);  // pairs with try_lock
    GENESYS_NO_UNROLL
    for (u32 w = 0; w < block_waiter::warps_max; ++w) {
      block_waiter::entry& p = waiter_.of_warp[w];
      if (word(p.completion_slots).load(order::relaxed) == 0) continue;
      notification(p.notification_word).notify();
      return;
    }
  }

 private:
  static constexpr u32 poller_share = 16;  // the poller pauses for this share of the time waited

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

  // Takes the warp's entry, if it is free, for the lanes whose completion slots are of the leader's completion group.
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
    word(own().completion_slots).fetch_or(bit(), order::release);  // pairs with poll
    return true;
  }

  // Polls the entries of `warps` warps, with the loads of their completion slots in flight together. Relaxed: a
  // notified lane looks at its completion slot itself.
  template <u32 warps>
  GENESYS_KERNEL void poll(const queue_context& a, u32 lanes, u32 first) const {
    const u32 step = count_bits(lanes), rank = count_bits(lanes & ((1u << lane()) - 1));
    u32 sought[warps], news[warps] = {};
    for (u32 k = 0; k < warps; ++k) {
      const bool other = first + k < block_waiter::warps_max && !(enrolled_ && first + k == warp_rank());
      sought[k] =
          other ? word(waiter_.of_warp[first + k].completion_slots).load(order::acquire) : 0;  // pairs with enroll
    }
    GENESYS_NO_UNROLL
    for (u32 i = rank; i < slots_in_group; i += step) {
      u64 seen[warps];
      for (u32 k = 0; k < warps; ++k) {
        if ((sought[k] >> i & 1) == 0) continue;
        const u32 group = word(waiter_.of_warp[first + k].group).load(order::relaxed);
        seen[k] = global_atomic<u64, thread_scope::system>(a.completion_slots[group * slots_in_group + i].word)
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

  // Suspends the lanes until they are notified, or as long again as they have waited. It suspends in slices: meanwhile
  // the hardware may also stop lanes of the same warp that are elsewhere, and one of them may be the poller.
  GENESYS_KERNEL void suspend(u32 lanes, bool done, backoff& waiting) const {
    constexpr u64 rest_min_ns = 10'000, rest_max_ns = 1'000'000;
    constexpr u32 slice_ns = 20'000;
    const notification own_notification(own().notification_word);
    const u32 phase_now = own_notification.phase_now();
    const u64 begin = clock_ns();
    const u32 left = word(own().completion_slots).load(order::acquire);  // pairs with poll
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
  bool is_sought_ = false;  // the warp's entry holds its completion slot
};

}  // namespace genesys::detail::queue
