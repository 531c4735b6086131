// SPDX-License-Identifier: Apache-2.0
// The sort behind qsort() of posix/stdlib.h: a heapsort. It needs no memory and no recursion. For n elements it makes
// about n * log2(n) comparisons, at most twice as many, and fewer exchanges, in whatever order the elements come.
#pragma once

#include <cstddef>

#include "genesys/posix/detail/bytes.h"

namespace genesys::detail::libc {

template <class Unit>
GENESYS_KERNEL void exchange_units(byte* a, byte* b, std::size_t bytes) {
  Unit *x = reinterpret_cast<Unit*>(a), *y = reinterpret_cast<Unit*>(b);
  GENESYS_NO_UNROLL
  for (std::size_t i = 0; i < bytes / sizeof(Unit); ++i) {
    const Unit kept = x[i];
    x[i] = y[i], y[i] = kept;
  }
}

GENESYS_KERNEL_OUTLINE inline void exchange_bytes(byte* a, byte* b, std::size_t bytes) {
  const std::uintptr_t all = address_of(a) | address_of(b) | bytes;
  if (all % 8 == 0)
    exchange_units<word8>(a, b, bytes);
  else if (all % 4 == 0)
    exchange_units<word4>(a, b, bytes);
  else
    exchange_units<byte>(a, b, bytes);
}

// Moves the element `root` down the heap of `count` elements until no child is greater. The path of the greater
// children is followed to its end first, and then back up to the element's place: most elements belong far down, so
// that costs one comparison a level and a few more.
template <class Compare>
GENESYS_KERNEL void sift_down(byte* base, std::size_t root, std::size_t count, std::size_t size, Compare& compare) {
  std::size_t at = root;
  while (2 * at + 1 < count) {
    const std::size_t left = 2 * at + 1, right = left + 1;
    at = right < count && compare(base + left * size, base + right * size) < 0 ? right : left;
  }
  while (at != root && compare(base + root * size, base + at * size) > 0) at = (at - 1) / 2;
  unsigned levels = 0;
  for (std::size_t above = at; above != root; above = (above - 1) / 2) ++levels;
  std::size_t hole = root;
  while (levels-- > 0) {
    const std::size_t next = ((at + 1) >> levels) - 1;  // the ancestor of `at`, `levels` above it
    exchange_bytes(base + hole * size, base + next * size, size);
    hole = next;
  }
}

template <class Compare>
GENESYS_KERNEL void heap_sort(byte* base, std::size_t count, std::size_t size, Compare& compare) {
  GENESYS_NO_UNROLL
  for (std::size_t root = count / 2; root > 0; --root) sift_down(base, root - 1, count, size, compare);
  GENESYS_NO_UNROLL
  for (std::size_t last = count; last > 1; --last) {
    exchange_bytes(base, base + (last - 1) * size, size);
    sift_down(base, 0, last - 1, size, compare);
  }
}

}  // namespace genesys::detail::libc
