// SPDX-License-Identifier: Apache-2.0
// The portable vocabulary of a kernel, whole: who am I, barrier, votes and shuffles, shared memory, atomics, pause,
// clock. A kernel that uses nothing else besides genesys::os runs on a CUDA GPU and on the CPU device from one source.
// Every function runs in a kernel; each says which lanes must call it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "genesys/detail/target.h"

namespace genesys {

// Extents of a block or a grid, and places in them, in threads or blocks.
struct dim {
  unsigned x = 1, y = 1, z = 1;
};

constexpr unsigned warp_lanes = 32;

// --- Who am I. Any thread may call these.

GENESYS_KERNEL dim thread_index() {
#if GENESYS_ON_CUDA
  return {threadIdx.x, threadIdx.y, threadIdx.z};
#else
  const auto& at = detail::cpu::self().thread_index;
  return {at.x, at.y, at.z};
#endif
}

GENESYS_KERNEL dim block_index() {
#if GENESYS_ON_CUDA
  return {blockIdx.x, blockIdx.y, blockIdx.z};
#else
  const auto& at = detail::cpu::self().block_index;
  return {at.x, at.y, at.z};
#endif
}

GENESYS_KERNEL dim block_size() {
#if GENESYS_ON_CUDA
  return {blockDim.x, blockDim.y, blockDim.z};
#else
  const auto& size = detail::cpu::self().block_dims;
  return {size.x, size.y, size.z};
#endif
}

GENESYS_KERNEL dim grid_size() {
#if GENESYS_ON_CUDA
  return {gridDim.x, gridDim.y, gridDim.z};
#else
  const auto& size = detail::cpu::self().grid_dims;
  return {size.x, size.y, size.z};
#endif
}

// The thread's place in its block, counted along x, then y, then z.
GENESYS_KERNEL unsigned thread_rank() {
#if GENESYS_ON_CUDA
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
#else
  return detail::cpu::self().thread_rank;
#endif
}

// The block's place in the grid, counted along x, then y, then z.
GENESYS_KERNEL unsigned block_rank() {
#if GENESYS_ON_CUDA
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
#else
  return detail::cpu::self().block_rank;
#endif
}

GENESYS_KERNEL unsigned threads_in_block() {
  const dim size = block_size();
  return size.x * size.y * size.z;
}

GENESYS_KERNEL unsigned blocks_in_grid() {
  const dim size = grid_size();
  return size.x * size.y * size.z;
}

// The thread's place in its warp, 0 to 31, and its warp's place in the block.
GENESYS_KERNEL unsigned lane() { return thread_rank() % warp_lanes; }
GENESYS_KERNEL unsigned warp_rank() { return thread_rank() / warp_lanes; }

// --- Barriers, votes, shuffles.

// Waits for all threads of the block that have not left; what they wrote before is visible to all of them after. All of
// these threads must call it.
GENESYS_KERNEL void sync_block() {
#if GENESYS_ON_CUDA
  __syncthreads();
#else
  detail::cpu::sync_block();
#endif
}

// The same, and says in how many of them `predicate` held.
GENESYS_KERNEL int sync_block_count(bool predicate) {
#if GENESYS_ON_CUDA
  return __syncthreads_count(predicate);
#else
  return detail::cpu::sync_block_count(predicate);
#endif
}

// The lanes that run together with this one just now, one bit a lane. A hint: on the CPU device it is the lane alone.
GENESYS_KERNEL unsigned active_lanes() {
#if GENESYS_ON_CUDA
  return __activemask();
#else
  return detail::cpu::active_lanes();
#endif
}

// Waits for the named lanes and makes their writes visible to each other. All lanes named must call it, with the same
// mask.
GENESYS_KERNEL void sync_warp(unsigned lanes = 0xffffffffu) {
#if GENESYS_ON_CUDA
  __syncwarp(lanes);
#else
  detail::cpu::sync_warp(lanes);
#endif
}

// One bit for each named lane in which `predicate` holds. All lanes named must call it, with the same mask.
GENESYS_KERNEL unsigned ballot(unsigned lanes, bool predicate) {
#if GENESYS_ON_CUDA
  return __ballot_sync(lanes, predicate);
#else
  return detail::cpu::ballot(lanes, predicate);
#endif
}

// The value that lane `source` passed. All lanes named must call it, with the same mask; `source` must be one of them.
template <class T>
GENESYS_KERNEL T shuffle(unsigned lanes, T value, unsigned source) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t), "shuffle moves at most 8 bytes");
#if GENESYS_ON_CUDA
  return __shfl_sync(lanes, value, static_cast<int>(source));
#else
  return static_cast<T>(detail::cpu::shuffle(lanes, static_cast<std::uint64_t>(value), source));
#endif
}

// --- Shared memory.

// The block's own object of type T, one for each pair (T, Tag); not initialised. Any thread; the same address in all of
// them.
template <class T, class Tag = T>
GENESYS_KERNEL T& shared() {
#if GENESYS_ON_CUDA
  __shared__ alignas(T) unsigned char bytes[sizeof(T)];
  return *reinterpret_cast<T*>(bytes);
#else
  static const char tag = 0;
  return *static_cast<T*>(detail::cpu::shared_static(&tag, sizeof(T)));
#endif
}

// The block's shared memory asked for at the launch (launch_config::shared_bytes), 16-byte aligned.
GENESYS_KERNEL void* dynamic_shared() {
#if GENESYS_ON_CUDA
  extern __shared__ uint4 genesys_dynamic_shared[];
  return genesys_dynamic_shared;
#else
  return detail::cpu::dynamic_shared();
#endif
}

// --- Waiting and time.

// Lets others run: belongs in every loop that waits for another thread. About `ns` nanoseconds on a GPU (at most 1 ms
// there), one turn of the others on the CPU device.
GENESYS_KERNEL void pause(unsigned ns = 32) {
#if GENESYS_ON_CUDA
  __nanosleep(ns);
#else
  (void)ns;
  detail::cpu::pause();
#endif
}

// Nanoseconds since some fixed moment; meant for differences.
GENESYS_KERNEL std::uint64_t clock_ns() {
#if GENESYS_ON_CUDA
  return detail::cuda_target::clock_ns();
#else
  return detail::cpu::clock_ns();
#endif
}

// --- Atomics.

// How far an atomic operation reaches: the block, the device, or the device and the CPU.
enum class reach { block, device, system };

// An atomic view of an ordinary object of 4 or 8 bytes, as std::atomic_ref is, with the reach named. The object must
// live in memory that both sides can address where reach is system and the CPU takes part.
template <class T, reach R = reach::device>
class atomic {
 public:
  using order = std::memory_order;
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "4 or 8 bytes");

  GENESYS_KERNEL explicit atomic(T& object) : object_(&object) {}

#if GENESYS_ON_CUDA
#define GENESYS_ATOMIC(cuda_call, std_call) return ref().cuda_call
#else
#define GENESYS_ATOMIC(cuda_call, std_call) return std::atomic_ref<T>(*object_).std_call
#endif
#define GENESYS_ORDER(o) detail::cuda_target::order_of(static_cast<int>(o))

  GENESYS_KERNEL T load(order o = order::seq_cst) const { GENESYS_ATOMIC(load(GENESYS_ORDER(o)), load(o)); }
  GENESYS_KERNEL void store(T v, order o = order::seq_cst) const {
    GENESYS_ATOMIC(store(v, GENESYS_ORDER(o)), store(v, o));
  }
  GENESYS_KERNEL T exchange(T v, order o = order::seq_cst) const {
    GENESYS_ATOMIC(exchange(v, GENESYS_ORDER(o)), exchange(v, o));
  }
  GENESYS_KERNEL T fetch_add(T v, order o = order::seq_cst) const {
    GENESYS_ATOMIC(fetch_add(v, GENESYS_ORDER(o)), fetch_add(v, o));
  }
  GENESYS_KERNEL T fetch_sub(T v, order o = order::seq_cst) const {
    GENESYS_ATOMIC(fetch_sub(v, GENESYS_ORDER(o)), fetch_sub(v, o));
  }
  GENESYS_KERNEL T fetch_or(T v, order o = order::seq_cst) const {
    GENESYS_ATOMIC(fetch_or(v, GENESYS_ORDER(o)), fetch_or(v, o));
  }
  GENESYS_KERNEL T fetch_and(T v, order o = order::seq_cst) const {
    GENESYS_ATOMIC(fetch_and(v, GENESYS_ORDER(o)), fetch_and(v, o));
  }
  GENESYS_KERNEL T fetch_xor(T v, order o = order::seq_cst) const {
    GENESYS_ATOMIC(fetch_xor(v, GENESYS_ORDER(o)), fetch_xor(v, o));
  }
  // Puts `desired` if the object holds `expected`; else loads what it holds into `expected`. Never fails without cause.
  GENESYS_KERNEL bool compare_exchange(T& expected, T desired, order o = order::seq_cst) const {
    GENESYS_ATOMIC(compare_exchange_strong(expected, desired, GENESYS_ORDER(o)),
                   compare_exchange_strong(expected, desired, o));
  }
  // Raises the object to `v` if it is lower; the value before.
  GENESYS_KERNEL T fetch_max(T v, order o = order::seq_cst) const {
#if GENESYS_ON_CUDA
    return ref().fetch_max(v, GENESYS_ORDER(o));
#else
    T seen = std::atomic_ref<T>(*object_).load(order::relaxed);
    while (seen < v && !std::atomic_ref<T>(*object_).compare_exchange_weak(seen, v, o, order::relaxed)) {
    }
    return seen;
#endif
  }

#undef GENESYS_ATOMIC
#undef GENESYS_ORDER

 private:
#if defined(__CUDACC__)
  static constexpr cuda::thread_scope scope = R == reach::block    ? cuda::thread_scope_block
                                              : R == reach::device ? cuda::thread_scope_device
                                                                   : cuda::thread_scope_system;
  __device__ __forceinline__ cuda::atomic_ref<T, scope> ref() const { return cuda::atomic_ref<T, scope>(*object_); }
#endif
  T* object_;
};

// Makes what this thread wrote, and what it has seen others write, visible to whoever sees a later write of it, as far
// as R reaches; and the other way round for reads. Any thread.
template <reach R = reach::device>
GENESYS_KERNEL void fence() {
#if GENESYS_ON_CUDA
  if constexpr (R == reach::block) __threadfence_block();
  if constexpr (R == reach::device) __threadfence();
  if constexpr (R == reach::system) __threadfence_system();
#elif defined(__SANITIZE_THREAD__)
  static std::atomic<int> all_fences{0};  // ThreadSanitizer knows no fences; one order for all of them it understands
  all_fences.fetch_add(0, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace genesys
