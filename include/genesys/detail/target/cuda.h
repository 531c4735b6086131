// SPDX-License-Identifier: Apache-2.0
// The PTX behind kernel.h, for NVIDIA GPUs only. Included by target.h under nvcc. Every function here runs on the GPU;
// its comment names the lanes that may call it.
#pragma once

#include <cuda_runtime.h>
#include <cstdint>

#include "genesys/detail/target/cuda_atomic.h"

namespace genesys::detail::cuda_target {

// Stores two 8-byte words in one instruction. Each word is whole on its own (PTX guarantees only 8 bytes). Any lane.
__device__ __forceinline__ void store_pair_system(std::uint64_t* to, std::uint64_t first, std::uint64_t second) {
  asm volatile("st.relaxed.sys.global.v2.b64 [%0], {%1, %2};" ::"l"(to), "l"(first), "l"(second) : "memory");
}

__device__ __forceinline__ void load_pair_system(const std::uint64_t* from, std::uint64_t& first,
                                                 std::uint64_t& second) {
  asm volatile("ld.relaxed.sys.global.v2.b64 {%0, %1}, [%2];" : "=l"(first), "=l"(second) : "l"(from) : "memory");
}

// Loads two words that others may write meanwhile. A lane has several such loads in flight. Each word is whole; the
// multiprocessor's cache may give an old one.
__device__ __forceinline__ void load_pair_early(const std::uint64_t* from, std::uint64_t& first,
                                                std::uint64_t& second) {
  asm volatile("ld.weak.global.v2.b64 {%0, %1}, [%2];" : "=l"(first), "=l"(second) : "l"(from) : "memory");
}

// As load_pair_system(), with an acquire.
__device__ __forceinline__ void acquire_pair_system(const std::uint64_t* from, std::uint64_t& first,
                                                    std::uint64_t& second) {
  asm volatile("ld.acquire.sys.global.v2.b64 {%0, %1}, [%2];" : "=l"(first), "=l"(second) : "l"(from) : "memory");
}

// A fence that acquires and releases, of the device or of the system. It is lighter than fence(), which is sequentially
// consistent. Any lane.
__device__ __forceinline__ void fence_acq_rel_device() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
__device__ __forceinline__ void fence_acq_rel_system() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }
// It does not empty the multiprocessor's cache, as an acquire does.
__device__ __forceinline__ void fence_release_system() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.release.sys;" ::: "memory");
#else
  fence_acq_rel_system();
#endif
}

// Nanoseconds on the GPU's own clock; its steps may be as coarse as a microsecond. Any lane.
__device__ __forceinline__ std::uint64_t clock_ns() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// The multiprocessor's cycle counter. Any lane; lanes that call together get the same value.
__device__ __forceinline__ unsigned cycles() {
  unsigned now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now));
  return now;
}

// A barrier of all threads of the block that have not left. Returns whether the predicate of any of them is true, to
// all of them. Unlike with __syncthreads_or(), lanes of a warp may call it at different places of the program: it is
// not the aligned form of the instruction.
__device__ __forceinline__ bool any_in_block(bool predicate) {
  unsigned any;
  asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; barrier.cta.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
               : "=r"(any)
               : "r"(static_cast<unsigned>(predicate))
               : "memory");
  return any != 0;
}

// A number that usually differs between resident warps. The PTX manual lets %warpid change while a warp lives, so this
// may only be a hint where to begin a search, never an owner. Any lane.
__device__ __forceinline__ unsigned warp_hint() {
  unsigned sm, slot;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
  return sm * 64 + slot;
}

__device__ __forceinline__ unsigned multiprocessor_hint() {
  unsigned sm;
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

// The number of the launch in its context (PTX %gridid). The nodes of a graph get theirs when the graph is
// instantiated. Any lane.
__device__ __forceinline__ std::uint64_t launch_number() {
  std::uint64_t number;
  asm("mov.u64 %0, %%gridid;" : "=l"(number));
  return number;
}

// An mbarrier in shared memory; one arrival completes a phase. Any lane.
__device__ __forceinline__ unsigned shared_offset(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void* at_shared_offset(unsigned place) { return __cvta_shared_to_generic(place); }
#if __CUDA_ARCH__ >= 900
__device__ __forceinline__ void make_barrier(void* at) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_offset(at)) : "memory");
}
__device__ __forceinline__ void arrive(void* at) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(shared_offset(at)) : "memory");
}
// Whether the phase of this parity is complete. Suspends the thread until it is, for about `ns` at most.
__device__ __forceinline__ bool is_complete(void* at, unsigned parity, unsigned ns) {
  unsigned complete;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2, %3; selp.u32 %0, 1, 0, p; }"
               : "=r"(complete)
               : "r"(shared_offset(at)), "r"(parity), "r"(ns)
               : "memory");
  return complete != 0;
}
__device__ __forceinline__ bool is_complete(void* at, unsigned parity) {
  unsigned complete;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(complete)
               : "r"(shared_offset(at)), "r"(parity)
               : "memory");
  return complete != 0;
}
#endif

// is_private: local or kernel-parameter memory, which only this thread can address. is_shared: memory that only this
// block can address. Any lane.
__device__ __forceinline__ bool is_private(const void* p) { return __isLocal(p) || __isGridConstant(p); }
__device__ __forceinline__ bool is_shared(const void* p) { return __isShared(p); }

}  // namespace genesys::detail::cuda_target
