// SPDX-License-Identifier: Apache-2.0
// The clock of recordings: the processor's counter, which a thread reads without a call. A recording holds pairs of it
// and CLOCK_MONOTONIC (trace/format.h), by which readers convert. Any thread.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#elif !defined(__aarch64__)
#include <time.h>
#endif

namespace genesys::trace {

// It counts at a constant rate, and alike on all processors (x86-64: constant_tsc, nonstop_tsc of /proc/cpuinfo).
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
