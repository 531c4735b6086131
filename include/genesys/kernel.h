// SPDX-License-Identifier: Apache-2.0
// The portable functions of a kernel: indices, barriers, votes and shuffles, shared memory, atomics, pause, clock. A
// kernel that uses only these and genesys::os runs on a CUDA GPU and on the CPU device from one source. Every function
// runs in a kernel; each comment says which lanes must call it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "genesys/detail/target/target.h"

namespace genesys {

// The extent of a block or a grid, or an index in it, in threads or blocks.
struct dim {
  unsigned x = 1, y = 1, z = 1;
};

constexpr unsigned warp_lanes = 32;

// --- Indices and sizes. Any thread may call these functions, alone.

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

// The thread's index in its block as one number: x counts fastest, then y, then z.
GENESYS_KERNEL unsigned thread_rank() {
#if GENESYS_ON_CUDA
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
#else
  return detail::cpu::self().thread_rank;
#endif
}

// The block's index in the grid as one number: x counts fastest, then y, then z.
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

// lane(): the thread's index in its warp, 0 to 31. warp_rank(): the warp's index in its block.
GENESYS_KERNEL unsigned lane() { return thread_rank() % warp_lanes; }
GENESYS_KERNEL unsigned warp_rank() { return thread_rank() / warp_lanes; }

// --- Barriers, votes, shuffles.

// Waits for all threads of the block that have not left the kernel. What any of them wrote before the barrier is
// visible to all of them after it. All of these threads must call it.
GENESYS_KERNEL void sync_block() {
#if GENESYS_ON_CUDA
  __syncthreads();
#else
  detail::cpu::sync_block();
#endif
}

// The same barrier. Returns the number of threads whose `predicate` is true, to all of them.
GENESYS_KERNEL int sync_block_count(bool predicate) {
#if GENESYS_ON_CUDA
  return __syncthreads_count(predicate);
#else
  return detail::cpu::sync_block_count(predicate);
#endif
}

// The lanes that run together with this lane now, one bit for each lane. Only a hint: the set may change at any time,
// and on the CPU device it is this lane alone. Any lane may call it.
GENESYS_KERNEL unsigned active_lanes() {
#if GENESYS_ON_CUDA
  return __activemask();
#else
  return detail::cpu::active_lanes();
#endif
}

// Waits for the lanes in the mask `lanes`, and makes their writes visible to each other. All lanes of the mask must
// call it, with the same mask.
GENESYS_KERNEL void sync_warp(unsigned lanes = 0xffffffffu) {
#if GENESYS_ON_CUDA
  __syncwarp(lanes);
#else
  detail::cpu::sync_warp(lanes);
#endif
}

// Returns one bit for each lane of the mask whose `predicate` is true. All lanes of the mask must call it, with the
// same mask. It orders no memory.
GENESYS_KERNEL unsigned ballot(unsigned lanes, bool predicate) {
#if GENESYS_ON_CUDA
  return __ballot_sync(lanes, predicate);
#else
  return detail::cpu::ballot(lanes, predicate);
#endif
}

// Returns the value that lane `source` passed. All lanes of the mask must call it, with the same mask and the same
// `source`, which must be in the mask. T is an integer of at most 8 bytes. It orders no memory.
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

// Returns the block's object of type T in shared memory, one for each pair (T, Tag). It is not initialised, and lives
// as long as the block. One of 16 bytes or more is 16-byte aligned, so that calls copy it by whole words. Any thread
// may call it; all threads of the block get the same address.
template <class T, class Tag = T>
GENESYS_KERNEL T& shared() {
#if GENESYS_ON_CUDA
  __shared__ alignas(T) alignas(sizeof(T) < 16 ? 1 : 16) unsigned char bytes[sizeof(T)];
  return *reinterpret_cast<T*>(bytes);
#else
  static const char tag = 0;
  return *static_cast<T*>(detail::cpu::shared_static(&tag, sizeof(T)));
#endif
}

// Returns the dynamic shared memory of the block, launch_config::shared_bytes long and 16-byte aligned. Any thread may
// call it.
GENESYS_KERNEL void* dynamic_shared() {
#if GENESYS_ON_CUDA
  extern __shared__ uint4 genesys_dynamic_shared[];
  return genesys_dynamic_shared;
#else
  return detail::cpu::dynamic_shared();
#endif
}

// --- Waiting and time.

// Lets other threads run. Every loop that waits for another thread needs it. On a GPU it suspends the lane for about
// `ns` nanoseconds, at most 1 ms. On the CPU device it ignores `ns` and lets each other thread of the OS thread run
// once. Any lane may call it.
GENESYS_KERNEL void pause(unsigned ns = 32) {
#if GENESYS_ON_CUDA
  __nanosleep(ns);
#else
  (void)ns;
  detail::cpu::pause();
#endif
}

// Nanoseconds since a fixed moment, for differences. A GPU's clock may have steps of 1 us. Any lane may call it.
GENESYS_KERNEL std::uint64_t clock_ns() {
#if GENESYS_ON_CUDA
  return detail::cuda_target::clock_ns();
#else
  return detail::cpu::clock_ns();
#endif
}

// --- Atomics.

// Which threads an atomic operation orders: those of the block, of the device, or of the device and the CPU.
enum class thread_scope { block, device, system };

// The memory that holds the object. `global`: device memory or host memory, for which a GPU has faster instructions.
// `any`: global or shared memory.
enum class memory { any, global };

// An atomic view of an ordinary object of 4 or 8 bytes, like std::atomic_ref, with a thread scope. If the scope is
// `system` and the CPU takes part, both sides must be able to address the object. Any lane may call the methods.
template <class T, thread_scope R = thread_scope::device, memory M = memory::any>
class atomic {
 public:
  using order = std::memory_order;
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "4 or 8 bytes");

  GENESYS_KERNEL explicit atomic(T& object) : object_(&object) {}

  GENESYS_KERNEL T load(order o = order::seq_cst) const {
#if GENESYS_ON_CUDA
    return as_object(detail::cuda_target::load<scope, space>(word(), ptx(o)));
#else
    return host().load(o);
#endif
  }
  GENESYS_KERNEL void store(T v, order o = order::seq_cst) const {
#if GENESYS_ON_CUDA
    detail::cuda_target::store<scope, space>(word(), as_word(v), ptx(o));
#else
    host().store(v, o);
#endif
  }
  // Stores `desired` if the object holds `expected`; otherwise loads the object's value into `expected`. It does not
  // fail spuriously.
  GENESYS_KERNEL bool compare_exchange(T& expected, T desired, order o = order::seq_cst) const {
#if GENESYS_ON_CUDA
    const word_type wanted = as_word(expected);
    const word_type before =
        detail::cuda_target::compare_exchange<scope, space>(word(), wanted, as_word(desired), ptx(o));
    if (before != wanted) expected = as_object(before);
    return before == wanted;
#else
    return host().compare_exchange_strong(expected, desired, o);
#endif
  }

#if GENESYS_ON_CUDA
#define GENESYS_ATOMIC(name) as_object(detail::cuda_target::name<scope, space>(word(), as_word(v), ptx(o)))
#else
#define GENESYS_ATOMIC(name) host().name(v, o)
#endif
  // Each returns the value before the operation.
  GENESYS_KERNEL T exchange(T v, order o = order::seq_cst) const { return GENESYS_ATOMIC(exchange); }
  GENESYS_KERNEL T fetch_add(T v, order o = order::seq_cst) const { return whole_number(), GENESYS_ATOMIC(fetch_add); }
  GENESYS_KERNEL T fetch_sub(T v, order o = order::seq_cst) const { return fetch_add(static_cast<T>(0 - v), o); }
  GENESYS_KERNEL T fetch_or(T v, order o = order::seq_cst) const { return whole_number(), GENESYS_ATOMIC(fetch_or); }
  GENESYS_KERNEL T fetch_and(T v, order o = order::seq_cst) const { return whole_number(), GENESYS_ATOMIC(fetch_and); }
  GENESYS_KERNEL T fetch_xor(T v, order o = order::seq_cst) const { return whole_number(), GENESYS_ATOMIC(fetch_xor); }
  // Raises the object to `v` if it is lower.
  GENESYS_KERNEL T fetch_max(T v, order o = order::seq_cst) const {
    whole_number();
#if GENESYS_ON_CUDA
    if constexpr (std::is_signed_v<T>) return GENESYS_ATOMIC(fetch_max_signed);
    return GENESYS_ATOMIC(fetch_max);
#else
    T seen = host().load(order::relaxed);
    while (seen < v && !host().compare_exchange_weak(seen, v, o, order::relaxed)) {
    }
    return seen;
#endif
  }
#undef GENESYS_ATOMIC

 private:
  using word_type = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  GENESYS_KERNEL static constexpr void whole_number() { static_assert(std::is_integral_v<T>, "of integers only"); }
#if defined(__CUDACC__)
  static constexpr auto scope = R == thread_scope::block    ? detail::cuda_target::ptx_scope::cta
                                : R == thread_scope::device ? detail::cuda_target::ptx_scope::gpu
                                                            : detail::cuda_target::ptx_scope::sys;
  static constexpr auto space =
      M == memory::global ? detail::cuda_target::ptx_memory::global : detail::cuda_target::ptx_memory::any;
  __device__ __forceinline__ word_type* word() const {
    return const_cast<word_type*>(reinterpret_cast<const volatile word_type*>(object_));
  }
  __device__ __forceinline__ static word_type as_word(T v) { return __builtin_bit_cast(word_type, v); }
  __device__ __forceinline__ static T as_object(word_type w) { return __builtin_bit_cast(T, w); }
  __device__ __forceinline__ static constexpr detail::cuda_target::ptx_order ptx(order o) {
    return static_cast<detail::cuda_target::ptx_order>(static_cast<int>(o));
  }
#endif
  GENESYS_KERNEL std::atomic_ref<T> host() const { return std::atomic_ref<T>(*object_); }
  T* object_;
};

namespace detail {
template <class T, thread_scope R = thread_scope::device>
using global_atomic = atomic<T, R, memory::global>;
}  // namespace detail

// A sequentially consistent fence among the threads of the thread scope R. What this thread wrote or saw before the
// fence is visible to a thread that sees a write of this thread after the fence. Any lane may call it.
template <thread_scope R = thread_scope::device>
GENESYS_KERNEL void fence() {
#if GENESYS_ON_CUDA
  if constexpr (R == thread_scope::block) __threadfence_block();
  if constexpr (R == thread_scope::device) __threadfence();
  if constexpr (R == thread_scope::system) __threadfence_system();
#elif defined(__SANITIZE_THREAD__)
  static std::atomic<int> all_fences{0};  // ThreadSanitizer knows no fences; this atomic orders them all
  all_fences.fetch_add(0, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace genesys
