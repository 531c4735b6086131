// SPDX-License-Identifier: Apache-2.0
// Copies between a user's memory and bounce buffers, by one lane or by many. Both addresses of a copy are equal modulo
// 16 (staging_plan.h), so that the middle part is whole 16-byte words.
#pragma once

#include <cstring>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail::staging {

// This thread's part of a copy that `size` threads make together; each calls it with its own rank. It never uses the
// GPU's non-coherent cache, because Linux may have written the source just before.
GENESYS_KERNEL_OUTLINE inline void copy_part(u64 to, u64 from, u64 bytes, u32 rank, u32 size) {
#if GENESYS_ON_CUDA
  struct alignas(16) quad {
    u64 low, high;
  };
  const u64 lead = (16 - (to & 15)) & 15;
  const u64 head = lead < bytes ? lead : bytes;
  auto* to_bytes = reinterpret_cast<unsigned char*>(to);
  auto* from_bytes = reinterpret_cast<const unsigned char*>(from);
  for (u64 i = rank; i < head; i += size) to_bytes[i] = from_bytes[i];
  auto* to_quads = reinterpret_cast<quad*>(to + head);
  auto* from_quads = reinterpret_cast<const quad*>(from + head);
  const u64 quads = (bytes - head) / 16;
  constexpr u32 at_once = 8;  // loads in flight in each lane, since one takes over a microsecond across the link
  u64 i = rank;
  for (; i + u64{size} * (at_once - 1) < quads; i += u64{size} * at_once) {
    quad held[at_once];
#pragma unroll
    for (u32 k = 0; k < at_once; ++k) held[k] = from_quads[i + u64{size} * k];
#pragma unroll
    for (u32 k = 0; k < at_once; ++k) to_quads[i + u64{size} * k] = held[k];
  }
  for (; i < quads; i += size) to_quads[i] = from_quads[i];
  for (u64 k = head + quads * 16 + rank; k < bytes; k += size) to_bytes[k] = from_bytes[k];
#else
  if (to == 0 || from == 0)
    return;  // never true at run time; keeps GCC from warnings about the null of an optional argument
  const u64 begin = bytes * rank / size, end = bytes * (rank + u64{1}) / size;
  std::memcpy(reinterpret_cast<void*>(to + begin), reinterpret_cast<const void*>(from + begin), end - begin);
#endif
}

// Loads a number of `bytes` bytes, 4 or 8, from `address`, which need not be aligned. It does not use the non-coherent
// cache.
GENESYS_KERNEL u64 load_number(u64 address, u32 bytes) {
  if (bytes == 8 && (address & 7) == 0) return *reinterpret_cast<const volatile u64*>(address);
  const auto* from = reinterpret_cast<const volatile unsigned char*>(address);
  u64 value = 0;
  for (u32 i = 0; i < bytes; ++i) value |= u64{from[i]} << 8 * i;
  return value;
}

// The number of bytes before the first NUL, or `most` if there is none among the first `most` bytes.
GENESYS_KERNEL_OUTLINE inline u64 string_length(u64 address, u64 most) {
  const char* text = reinterpret_cast<const char*>(address);
  u64 n = 0;
  while (n < most && text[n] != 0) ++n;
  return n;
}

}  // namespace genesys::detail::staging
