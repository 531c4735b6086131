// SPDX-License-Identifier: Apache-2.0
// Assertions: invariants of the protocol, checked while the program runs. They are on in the presets debug, asan, tsan
// and fuzz, and with the CMake option GENESYS_ASSERTIONS. If they are off, they evaluate nothing and leave no
// instruction. For both sides and both devices, any thread or lane. Depends only on the device.
//
//   GENESYS_ASSERT(before < blocks, "J4: a block passes a call record once");
//
// The host's own assertions check only the host's private memory: what a kernel can write must not end the process.
#pragma once

#include "genesys/detail/target/target.h"

#ifndef GENESYS_ASSERTIONS
#define GENESYS_ASSERTIONS 0
#endif

#if GENESYS_ASSERTIONS
#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace genesys::detail {

// On the CPU device: false in programs whose kernels break the rules on purpose (tests/attack), so that these kernels
// go on. The host's own assertions are not affected.
inline std::atomic<bool> kernels_assert{true};

// Prints file and line, the invariant and the thread. Then the kernel traps, which ends its CUDA context, or the
// process aborts.
GENESYS_KERNEL_OUTLINE inline void assertion_failed(const char* file, int line, const char* invariant) {
#if GENESYS_ON_CUDA
  printf("genesys: assertion failed at %s:%d: %s: thread (%u,%u,%u) of block (%u,%u,%u)\n", file, line, invariant,
         threadIdx.x, threadIdx.y, threadIdx.z, blockIdx.x, blockIdx.y, blockIdx.z);
  __trap();
#else
  if (cpu::inside_kernel()) {
    if (!kernels_assert.load(std::memory_order_relaxed)) return;
    const auto &t = cpu::self().thread_index, &b = cpu::self().block_index;
    std::fprintf(stderr, "genesys: assertion failed at %s:%d: %s: thread (%u,%u,%u) of block (%u,%u,%u)\n", file, line,
                 invariant, t.x, t.y, t.z, b.x, b.y, b.z);
  } else {
    std::fprintf(stderr, "genesys: assertion failed at %s:%d: %s\n", file, line, invariant);
  }
  std::abort();
#endif
}

}  // namespace genesys::detail

#define GENESYS_ASSERT(condition, invariant) \
  ((condition) ? void(0) : ::genesys::detail::assertion_failed(__FILE__, __LINE__, invariant))
#else
#define GENESYS_ASSERT(condition, invariant) static_cast<void>(sizeof(!(condition)))
#endif
