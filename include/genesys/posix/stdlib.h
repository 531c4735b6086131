// SPDX-License-Identifier: Apache-2.0
// Functions of <stdlib.h> for kernels: integers, sorting and searching, pseudo-random numbers. Any thread may call any
// function, alone.
#pragma once

#include <stdlib.h>

#include <concepts>
#include <type_traits>

#include "genesys/posix/detail/sort.h"

namespace genesys::posix {

// --- Integers

GENESYS_KERNEL int abs(int of) { return of < 0 ? -of : of; }
GENESYS_KERNEL long labs(long of) { return of < 0 ? -of : of; }
GENESYS_KERNEL long long llabs(long long of) { return of < 0 ? -of : of; }

GENESYS_KERNEL div_t div(int numerator, int denominator) { return {numerator / denominator, numerator % denominator}; }
GENESYS_KERNEL ldiv_t ldiv(long numerator, long denominator) {
  return {numerator / denominator, numerator % denominator};
}
GENESYS_KERNEL lldiv_t lldiv(long long numerator, long long denominator) {
  return {numerator / denominator, numerator % denominator};
}

// --- Sorting and searching
//
// A comparison is marked GENESYS_KERNEL, and a pointer to it must be taken in the kernel. The forms that take any
// callable need no pointer. The order of equal elements is open, as POSIX says; glibc
// often keeps it.

template <class Compare>
concept compares_elements = requires(Compare& compare, const void* a) {
  { compare(a, a) } -> std::convertible_to<int>;
};

// Sorts `count` elements of `size` bytes. The result of compare(a, b) is below 0 if `a` comes first.
GENESYS_KERNEL_OUTLINE inline void qsort(void* base, size_t count, size_t size,
                                         int (*compare)(const void*, const void*)) {
  detail::libc::heap_sort(static_cast<unsigned char*>(base), count, size, compare);
}

template <compares_elements Compare>
GENESYS_KERNEL void qsort(void* base, size_t count, size_t size, Compare compare) {
  detail::libc::heap_sort(static_cast<unsigned char*>(base), count, size, compare);
}

// The same; `with` is the last argument of each comparison.
GENESYS_KERNEL_OUTLINE inline void qsort_r(void* base, size_t count, size_t size,
                                           int (*compare)(const void*, const void*, void*), void* with) {
  auto both = [=](const void* a, const void* b) { return compare(a, b, with); };
  detail::libc::heap_sort(static_cast<unsigned char*>(base), count, size, both);
}

// An element that equals `key` in a sorted array, or null.
template <compares_elements Compare>
GENESYS_KERNEL void* bsearch(const void* key, const void* base, size_t count, size_t size, Compare compare) {
  const auto* from = static_cast<const unsigned char*>(base);
  while (count > 0) {
    const auto* middle = from + count / 2 * size;
    const int order = compare(key, middle);
    if (order == 0) return const_cast<unsigned char*>(middle);
    if (order > 0) from = middle + size, --count;
    count /= 2;
  }
  return nullptr;
}

GENESYS_KERNEL_OUTLINE inline void* bsearch(const void* key, const void* base, size_t count, size_t size,
                                            int (*compare)(const void*, const void*)) {
  return bsearch<int (*)(const void*, const void*)>(key, base, count, size, compare);
}

// --- Pseudo-random numbers

// 0 to RAND_MAX, the same sequence as glibc's. `*seed` is the state: each thread needs its own.
GENESYS_KERNEL int rand_r(unsigned* seed) {
  unsigned next = *seed, result = 0;
  const unsigned masks[] = {2047, 1023, 1023};
  for (const unsigned mask : masks) {
    next = next * 1103515245 + 12345;
    result = result << 10 ^ (next >> 16 & mask);
  }
  *seed = next;
  return static_cast<int>(result);
}

}  // namespace genesys::posix
