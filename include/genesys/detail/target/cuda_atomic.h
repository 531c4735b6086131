// SPDX-License-Identifier: Apache-2.0
// Atomic operations of a GPU, as PTX defines them: each with an order and a scope. This replaces <cuda/atomic>, for
// which nvcc takes as long as for all of genesys. Included by cuda.h; any lane may call these functions.
//
// The mapping of C++'s orders is that of Lustig, Sahasrabuddhe, Giroux (ASPLOS 2019, table 1): sequential consistency
// is fence.sc before an acquire, or before a relaxed store.
#pragma once

#include <cstdint>

namespace genesys::detail::cuda_target {

enum class ptx_scope { cta, gpu, sys };
enum class ptx_memory { any, global };

// The values of std::memory_order, as the standard library under nvcc numbers them.
enum class ptx_order { relaxed, consume, acquire, release, acq_rel, seq_cst };

#define GENESYS_FENCE(scope) asm volatile("fence.sc." scope ";" ::: "memory")
#define GENESYS_LOAD(order, scope, bits, letter) \
  GENESYS_IN_SPACE("ld." order "." scope, ".b" bits " %0, [%1];", "=" letter(value) : "l"(address) : "memory")
#define GENESYS_STORE(order, scope, bits, letter) \
  GENESYS_IN_SPACE("st." order "." scope, ".b" bits " [%0], %1;", : "l"(address), letter(value) : "memory")
#define GENESYS_CHANGE(order, scope, op, letter)                                        \
  GENESYS_IN_SPACE("atom." order "." scope, "." op " %0, [%1], %2;", "=" letter(before) \
                   : "l"(address), letter(value)                                        \
                   : "memory")
#define GENESYS_SWAP(order, scope, bits, letter)                                                   \
  GENESYS_IN_SPACE("atom." order "." scope, ".cas.b" bits " %0, [%1], %2, %3;", "=" letter(before) \
                   : "l"(address), letter(expected), letter(desired)                               \
                   : "memory")
// The compiler implements an atomic operation on any memory as one on global memory and, if that fails, one on shared
// memory. It waits for the first one at once, so that no two are in flight together.
#define GENESYS_IN_SPACE(front, back, ...)            \
  if constexpr (m == ptx_memory::global) {            \
    asm volatile(front ".global" back : __VA_ARGS__); \
  } else {                                            \
    asm volatile(front back : __VA_ARGS__);           \
  }

// `o` is a constant after inlining, so that only one branch is left.
#define GENESYS_BY_ORDER(what, scope, bits, letter) \
  switch (o) {                                      \
    case ptx_order::relaxed:                        \
      what("relaxed", scope, bits, letter);         \
      break;                                        \
    case ptx_order::release:                        \
      what("release", scope, bits, letter);         \
      break;                                        \
    case ptx_order::acq_rel:                        \
      what("acq_rel", scope, bits, letter);         \
      break;                                        \
    case ptx_order::seq_cst:                        \
      GENESYS_FENCE(scope);                         \
      [[fallthrough]];                              \
    default:                                        \
      what("acquire", scope, bits, letter);         \
  }
#define GENESYS_BY_LOAD_ORDER(what, scope, bits, letter) \
  if (o == ptx_order::seq_cst) GENESYS_FENCE(scope);     \
  if (o == ptx_order::relaxed) {                         \
    what("relaxed", scope, bits, letter);                \
  } else {                                               \
    what("acquire", scope, bits, letter);                \
  }
#define GENESYS_BY_STORE_ORDER(what, scope, bits, letter) \
  if (o == ptx_order::seq_cst) GENESYS_FENCE(scope);      \
  if (o == ptx_order::release) {                          \
    what("release", scope, bits, letter);                 \
  } else {                                                \
    what("relaxed", scope, bits, letter);                 \
  }
#define GENESYS_BY_SCOPE(by_order, what, bits, letter) \
  if constexpr (s == ptx_scope::cta) {                 \
    by_order(what, "cta", bits, letter)                \
  } else if constexpr (s == ptx_scope::gpu) {          \
    by_order(what, "gpu", bits, letter)                \
  } else {                                             \
    by_order(what, "sys", bits, letter)                \
  }

template <ptx_memory m>
__device__ __forceinline__ std::uint64_t address_in(const void* at) {
  if constexpr (m == ptx_memory::global) return __cvta_generic_to_global(at);
  return reinterpret_cast<std::uint64_t>(at);
}

#define GENESYS_ATOMICS(word, bits, letter)                                                              \
  template <ptx_scope s, ptx_memory m>                                                                   \
  __device__ __forceinline__ word load(const word* at, ptx_order o) {                                    \
    const std::uint64_t address = address_in<m>(at);                                                     \
    word value;                                                                                          \
    GENESYS_BY_SCOPE(GENESYS_BY_LOAD_ORDER, GENESYS_LOAD, bits, letter)                                  \
    return value;                                                                                        \
  }                                                                                                      \
  template <ptx_scope s, ptx_memory m>                                                                   \
  __device__ __forceinline__ void store(word* at, word value, ptx_order o) {                             \
    const std::uint64_t address = address_in<m>(at);                                                     \
    GENESYS_BY_SCOPE(GENESYS_BY_STORE_ORDER, GENESYS_STORE, bits, letter)                                \
  }                                                                                                      \
  template <ptx_scope s, ptx_memory m>                                                                   \
  __device__ __forceinline__ word compare_exchange(word* at, word expected, word desired, ptx_order o) { \
    const std::uint64_t address = address_in<m>(at);                                                     \
    word before;                                                                                         \
    GENESYS_BY_SCOPE(GENESYS_BY_ORDER, GENESYS_SWAP, bits, letter)                                       \
    return before;                                                                                       \
  }                                                                                                      \
  GENESYS_ATOMIC_CHANGE(exchange, word, "exch.b" bits, letter)                                           \
  GENESYS_ATOMIC_CHANGE(fetch_add, word, "add.u" bits, letter)                                           \
  GENESYS_ATOMIC_CHANGE(fetch_or, word, "or.b" bits, letter)                                             \
  GENESYS_ATOMIC_CHANGE(fetch_and, word, "and.b" bits, letter)                                           \
  GENESYS_ATOMIC_CHANGE(fetch_xor, word, "xor.b" bits, letter)                                           \
  GENESYS_ATOMIC_CHANGE(fetch_max, word, "max.u" bits, letter)                                           \
  GENESYS_ATOMIC_CHANGE(fetch_max_signed, word, "max.s" bits, letter)

#define GENESYS_ATOMIC_CHANGE(name, word, op, letter)                       \
  template <ptx_scope s, ptx_memory m>                                      \
  __device__ __forceinline__ word name(word* at, word value, ptx_order o) { \
    const std::uint64_t address = address_in<m>(at);                        \
    word before;                                                            \
    GENESYS_BY_SCOPE(GENESYS_BY_ORDER, GENESYS_CHANGE, op, letter)          \
    return before;                                                          \
  }

GENESYS_ATOMICS(std::uint32_t, "32", "r")
GENESYS_ATOMICS(std::uint64_t, "64", "l")

#undef GENESYS_ATOMIC_CHANGE
#undef GENESYS_ATOMICS
#undef GENESYS_BY_SCOPE
#undef GENESYS_BY_STORE_ORDER
#undef GENESYS_BY_LOAD_ORDER
#undef GENESYS_BY_ORDER
#undef GENESYS_SWAP
#undef GENESYS_CHANGE
#undef GENESYS_STORE
#undef GENESYS_LOAD
#undef GENESYS_IN_SPACE
#undef GENESYS_FENCE

}  // namespace genesys::detail::cuda_target
