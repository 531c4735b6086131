// SPDX-License-Identifier: Apache-2.0
// What the upper layers need of lanes besides kernel.h: bits of lane masks, votes, hints where a lane begins its
// search, backoff, the end of the runtime. Any lane may call these functions.
#pragma once

#include "genesys/detail/wire/protocol.h"
#include "genesys/kernel.h"

namespace genesys::detail::lanes {

using order = std::memory_order;

GENESYS_KERNEL u32 lowest_bit(u64 mask) {
#if GENESYS_ON_CUDA
  return static_cast<u32>(__ffsll(static_cast<long long>(mask)) - 1);
#else
  return static_cast<u32>(__builtin_ctzll(mask));
#endif
}

GENESYS_KERNEL u32 count_bits(u32 mask) {
#if GENESYS_ON_CUDA
  return static_cast<u32>(__popc(mask));
#else
  return static_cast<u32>(__builtin_popcount(mask));
#endif
}

// The lanes that the block has in this warp, whether they have left or not.
GENESYS_KERNEL u32 lanes_of_warp() {
  const u32 rest = threads_in_block() - warp_rank() * warp_lanes;
  return rest >= warp_lanes ? ~u32{0} : (1u << rest) - 1;
}

// The lanes that run together now, for votes and shuffles among them. The mask is or-ed with a zero that the compiler
// does not know. Otherwise the compiler keeps one value for the warp, and not one for each lane
// (docs/notes/006-registers-and-inlining.md).
GENESYS_KERNEL u32 lanes_together(const queue_context& a) { return active_lanes() | (a.zero & lane()); }

GENESYS_KERNEL bool is_alone(u32 lanes) { return (lanes & (lanes - 1)) == 0; }

// Votes and shuffles among lanes that run together. A single lane returns at once. On a GPU a vote or a shuffle takes
// 50 cycles or more if the compiler does not know the lanes. On the CPU device a lane is always alone (active_lanes),
// and a vote would yield.
GENESYS_KERNEL u32 vote(u32 lanes, bool yes) {
  if (!GENESYS_ON_CUDA || is_alone(lanes)) return yes ? lanes : 0;
  return ballot(lanes, yes);
}
template <class T>
GENESYS_KERNEL T from_leader(u32 lanes, T value) {
  if (!GENESYS_ON_CUDA || is_alone(lanes)) return value;
  return shuffle(lanes, value, lowest_bit(lanes));
}

// Usually differs between warps that run at the same time: spreads them over completion slots and buffers.
GENESYS_KERNEL u32 warp_hint() {
#if GENESYS_ON_CUDA
  return cuda_target::warp_hint();
#else
  return cpu::self().warp_hint;
#endif
}

// A number that usually differs at each call.
GENESYS_KERNEL u32 any_number() {
#if GENESYS_ON_CUDA
  return cuda_target::cycles();
#else
  return static_cast<u32>(clock_ns());
#endif
}

// The multiprocessor's cycle counter; 0 on the CPU device.
GENESYS_KERNEL u32 cycles() {
#if GENESYS_ON_CUDA
  return cuda_target::cycles();
#else
  return 0;
#endif
}

GENESYS_KERNEL u32 lane_hint() { return warp_hint() * warp_lanes + lane(); }

// Spreads multiprocessors over queues. A grid's first blocks seem to go to one multiprocessor of each pair, of even
// number (docs/notes/002-reserving-a-slot.md); they too get all queues.
GENESYS_KERNEL constexpr u32 spread_multiprocessor(u32 number) { return number >> 1 | (number & 1) << 8; }

// Spreads lanes over queues: all warps of a multiprocessor use one.
GENESYS_KERNEL u32 queue_hint() {
#if GENESYS_ON_CUDA
  return spread_multiprocessor(cuda_target::multiprocessor_hint());
#else
  return cpu::self().warp_hint;
#endif
}

// Differs between kernels that run at the same time or one after another. A graph's node has the same number in each
// launch of the graph.
GENESYS_KERNEL u64 launch_number() {
#if GENESYS_ON_CUDA
  return cuda_target::launch_number();
#else
  return cpu::self().launch;
#endif
}

// Whether the runtime has ended while this kernel runs, so that no worker serves it. Pairs with mapper::store in
// core::leave_to_kernels (src/host/core_end.cpp).
GENESYS_KERNEL bool runtime_ended(const queue_context& a) {
  return global_atomic<u32, thread_scope::system>(*a.ended).load(std::memory_order_acquire) != 0;
}

// Waits for the host or for another lane, with growing pauses: each is a part of the time waited so far, one in `part`.
// So a lane sees an event at most that much late, and many waiting lanes load the link less and less
// (docs/notes/007-how-a-lane-waits.md). All lanes that wait together have the same history.
class backoff {
 public:
  // Pauses. False: the runtime has ended.
  GENESYS_KERNEL bool wait(const queue_context& a, u32 part = 4) {
    constexpr u32 pause_min_ns = 250, pause_max_ns = 1'000'000;
    u64 ns = waited_ns_ / part;
    if (ns < pause_min_ns) ns = pause_min_ns;
    if (ns > pause_max_ns) ns = pause_max_ns;
    pause(static_cast<unsigned>(ns));
    waited_ns_ += ns + look_ns;
    return !runtime_ended(a);
  }

  // The same without a pause, as long as a look is fast. If a look is slow, the link is full of looks, and a pause lets
  // calls through. Checks only in some looks whether the runtime has ended.
  GENESYS_KERNEL bool spin(const queue_context& a) {
#if GENESYS_ON_CUDA
    constexpr u32 full_cycles = 8000, pause_max_ns = 100'000;
    const u32 took = cuda_target::cycles() - looked_;
    if (looked_ != 0 && took > full_cycles) pause(took < pause_max_ns / 2 ? 2 * took : pause_max_ns);
    looked_ = cuda_target::cycles() | 1;
#else
    pause();
#endif
    waited_ns_ += look_ns;
    constexpr u64 now_and_then = 0x3fff;  // one of sixteen steps of look_ns checks for the end
    return (waited_ns_ & now_and_then) >= look_ns || !runtime_ended(a);
  }

  // Counts a look without a pause.
  GENESYS_KERNEL void look() { waited_ns_ += look_ns; }
  // Counts other time that has passed, the same for all lanes.
  GENESYS_KERNEL void add(u64 ns) { waited_ns_ += ns; }
  // About how long the lane has waited.
  GENESYS_KERNEL u64 waited_ns() const { return waited_ns_; }

 private:
  static constexpr u64 look_ns = 1000;
  u64 waited_ns_ = 0;
  [[maybe_unused]] u32 looked_ = 0;  // time of the last look, in cycles; 0: none yet
};

}  // namespace genesys::detail::lanes

namespace genesys::detail {
using namespace lanes;
}
