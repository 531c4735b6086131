// SPDX-License-Identifier: Apache-2.0
// Small things that the calling side needs besides kernel.h: bits of lane masks, where a lane should look first,
// whether the runtime is still there. Any lane may call them.
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

// The lanes that stand together just now, for votes and shuffles among them. Each lane's own value, which the compiler
// must not take for the same in all lanes that it sees together later: ptxas 13.0 does so with __activemask(), and then
// a group that waits behind a branch for its leader goes on without it, with another group's mask, when both happen to
// be at the same place. (Seen on an H100; the contract tests of tickets hung for it.)
GENESYS_KERNEL u32 lanes_together(const queue_context& a) { return active_lanes() | (a.zero & lane()); }

GENESYS_KERNEL bool is_alone(u32 lanes) { return (lanes & (lanes - 1)) == 0; }

// Votes and shuffles among lanes that stand together. Who stands alone needs none: on a GPU each takes 50 cycles and
// more where the compiler does not know the lanes, and on the CPU device, where lanes always stand alone
// (active_lanes), it would give its turn away.
GENESYS_KERNEL u32 vote(u32 lanes, bool yes) {
  if (!GENESYS_ON_CUDA || is_alone(lanes)) return yes ? lanes : 0;
  return ballot(lanes, yes);
}
template <class T>
GENESYS_KERNEL T from_leader(u32 lanes, T value) {
  if (!GENESYS_ON_CUDA || is_alone(lanes)) return value;
  return shuffle(lanes, value, lowest_bit(lanes));
}

// Differs between warps that run at the same time, most of the time: spreads them over cells and bounce buffers.
GENESYS_KERNEL u32 warp_hint() {
#if GENESYS_ON_CUDA
  return cuda_target::warp_hint();
#else
  return cpu::self().warp_hint;
#endif
}

// Another one each time, likely.
GENESYS_KERNEL u32 any_number() {
#if GENESYS_ON_CUDA
  return cuda_target::cycles();
#else
  return static_cast<u32>(clock_ns());
#endif
}

GENESYS_KERNEL u32 lane_hint() { return warp_hint() * warp_lanes + lane(); }

// Spreads callers over shards: all warps of a multiprocessor share one.
GENESYS_KERNEL u32 queue_hint() {
#if GENESYS_ON_CUDA
  return cuda_target::multiprocessor_hint();
#else
  return cpu::self().warp_hint;
#endif
}

// Of two kernels that run at the same time, or follow each other, each has its own; a graph's node keeps its own each
// time that the graph is launched again.
GENESYS_KERNEL u64 launch_number() {
#if GENESYS_ON_CUDA
  return cuda_target::launch_number();
#else
  return cpu::self().launch;
#endif
}

// The runtime was taken down while this kernel runs: nobody will answer. Pairs with mapper::store, at the runtime's
// end.
GENESYS_KERNEL bool runtime_ended(const queue_context& a) {
  return global_atomic<u32, thread_scope::system>(*a.ended).load(std::memory_order_acquire) != 0;
}

// Waiting for the host, or for another lane. Each pause is a quarter of the time waited so far: what is waited for is
// seen at most that much late, and however many wait, the link is theirs the less the longer they do. (With pauses of
// at most 32 us, 100,000 lanes that wait leave so little of it that calls come to a stand.) All lanes that wait
// together, with the same history.
class backoff {
 public:
  // Pauses, a share of the time waited so far. False: the runtime has ended, nothing will come any more.
  GENESYS_KERNEL bool wait(const queue_context& a, u32 share = 4) {
    constexpr u32 pause_min_ns = 250, pause_max_ns = 1'000'000;
    u64 ns = waited_ns_ / share;
    if (ns < pause_min_ns) ns = pause_min_ns;
    if (ns > pause_max_ns) ns = pause_max_ns;
    pause(static_cast<unsigned>(ns));
    waited_ns_ += ns + look_ns;
    return !runtime_ended(a);
  }

  // The same without a pause, as long as a look takes no longer than if few others looked: else the link is full of
  // looks, and a pause of several of them lets calls through. Whether the runtime has ended is asked now and then.
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
    constexpr u64 now_and_then = 0x3fff;  // one of the steps of look_ns in sixteen
    return (waited_ns_ & now_and_then) >= look_ns || !runtime_ended(a);
  }

  // A look without a pause.
  GENESYS_KERNEL void look() { waited_ns_ += look_ns; }
  // Something else that took time, the same for all lanes.
  GENESYS_KERNEL void add(u64 ns) { waited_ns_ += ns; }
  // About how long it has been.
  GENESYS_KERNEL u64 waited_ns() const { return waited_ns_; }

 private:
  static constexpr u64 look_ns = 1000;
  u64 waited_ns_ = 0;
  [[maybe_unused]] u32 looked_ = 0;  // when, in cycles; 0: not yet
};

}  // namespace genesys::detail::lanes

namespace genesys::detail {
using namespace lanes;
}
