// SPDX-License-Identifier: Apache-2.0
// Fetches a cache line that the caller soon writes, so that no other core has it then. (GCC's __builtin_prefetch
// fetches it to be read, unless the compiler may use PREFETCHW. Every x86-64 processor accepts that instruction.)
#pragma once

namespace genesys::trace {

[[gnu::always_inline]] inline void prefetch_to_write(const void* line) {
#if defined(__x86_64__)
  asm volatile("prefetchw (%0)" : : "r"(line));
#else
  __builtin_prefetch(line, 1);
#endif
}

}  // namespace genesys::trace
