// SPDX-License-Identifier: Apache-2.0
// The clock of recordings: the processor's counter, which costs a worker a third of clock_gettime(2). A recording holds
// pairs of it and CLOCK_MONOTONIC (trace/format.h), by which readers convert. Any thread.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#elif !defined(__aarch64__)
#include <time.h>
#endif

namespace genesys::trace {

// Invariant in all processors that run CUDA 13 (x86-64: constant_tsc, nonstop_tsc), and the same on all of them.
inline std::uint64_t ticks_now() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  std::uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
#endif
}

}  // namespace genesys::trace
