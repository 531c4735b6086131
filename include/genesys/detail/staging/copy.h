// SPDX-License-Identifier: Apache-2.0
// Copies between a user's memory and bounce buffers, by one lane or by many. Both addresses of a copy are equal modulo
// 16 (staging_plan.h), so that the middle part is whole 16-byte words.
#pragma once

#include <cstring>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail::staging {

#if GENESYS_ON_CUDA
struct alignas(16) quad {
  u64 low, high;
};

// Up to 15 bytes in pieces of 8, 4, 2 and 1, so that they take few loads, all in flight together.
class few_bytes {
 public:
  // `ascending`: the bytes end at a multiple of 16, otherwise they begin at one.
  GENESYS_KERNEL few_bytes(u64 from, u32 count, bool ascending) : count_(count), ascending_(ascending) {
    if ((count & 8) != 0) eight_ = *reinterpret_cast<const u64*>(from + at(8));
    if ((count & 4) != 0) four_ = *reinterpret_cast<const u32*>(from + at(4));
    if ((count & 2) != 0) two_ = *reinterpret_cast<const u16*>(from + at(2));
    if ((count & 1) != 0) one_ = *reinterpret_cast<const unsigned char*>(from + at(1));
  }
  GENESYS_KERNEL void store(u64 to) const {
    if ((count_ & 8) != 0) *reinterpret_cast<u64*>(to + at(8)) = eight_;
    if ((count_ & 4) != 0) *reinterpret_cast<u32*>(to + at(4)) = four_;
    if ((count_ & 2) != 0) *reinterpret_cast<u16*>(to + at(2)) = two_;
    if ((count_ & 1) != 0) *reinterpret_cast<unsigned char*>(to + at(1)) = one_;
  }

 private:
  // Where the piece of this size begins: after the smaller ones, or after the larger ones.
  GENESYS_KERNEL u32 at(u32 size) const { return ascending_ ? count_ & (size - 1) : count_ & ~(2 * size - 1); }

  u32 count_;
  bool ascending_;
  u64 eight_ = 0;
  u32 four_ = 0;
  u16 two_ = 0;
  unsigned char one_ = 0;
};
#endif

// This thread's part of a copy that `size` threads make together; each calls it with its own rank. It never uses the
// GPU's non-coherent cache, because Linux may have written the source just before. A load takes over a microsecond
// across the link, so a thread has all loads of a short copy in flight together, and many of a long one.
GENESYS_KERNEL_OUTLINE inline void copy_longer(u64 to, u64 from, u64 bytes, u32 rank, u32 size) {
#if GENESYS_ON_CUDA
  const u64 lead = (16 - (to & 15)) & 15;
  if (lead > bytes) {  // within 16 bytes
    for (u64 i = rank; i < bytes; i += size)
      reinterpret_cast<unsigned char*>(to)[i] = reinterpret_cast<const unsigned char*>(from)[i];
    return;
  }
  const u64 quads = (bytes - lead) / 16, tail = lead + 16 * quads;
  auto* const to_quads = reinterpret_cast<quad*>(to + lead);
  auto* const from_quads = reinterpret_cast<const quad*>(from + lead);
  constexpr u32 at_once = 8, at_the_end = 4;
  u64 i = rank;
  for (; i + u64{size} * (at_once - 1) < quads; i += u64{size} * at_once) {
    quad held[at_once];
#pragma unroll
    for (u32 k = 0; k < at_once; ++k) held[k] = from_quads[i + u64{size} * k];
#pragma unroll
    for (u32 k = 0; k < at_once; ++k) to_quads[i + u64{size} * k] = held[k];
  }
  const few_bytes first(from, rank == 0 ? static_cast<u32>(lead) : 0, true);
  const few_bytes last(from + tail, rank == size - 1 ? static_cast<u32>(bytes - tail) : 0, false);
  GENESYS_NO_UNROLL
  for (; i < quads; i += u64{size} * at_the_end) {
    quad held[at_the_end] = {};
#pragma unroll
    for (u32 k = 0; k < at_the_end; ++k) {
      if (i + u64{size} * k < quads) held[k] = from_quads[i + u64{size} * k];
    }
#pragma unroll
    for (u32 k = 0; k < at_the_end; ++k) {
      if (i + u64{size} * k < quads) to_quads[i + u64{size} * k] = held[k];
    }
  }
  first.store(to);
  last.store(to + tail);
#else
  if (to == 0 || from == 0)
    return;  // never true at run time; keeps GCC from warnings about the null of an optional argument
  const u64 begin = bytes * rank / size, end = bytes * (rank + u64{1}) / size;
  std::memcpy(reinterpret_cast<void*>(to + begin), reinterpret_cast<const void*>(from + begin), end - begin);
#endif
}

// The same, inlined for up to four quads a thread. A thread with at most one quad has a shorter way: a multiprocessor
// needs eight cycles for each instruction of 1,024 threads.
GENESYS_KERNEL void copy_part(u64 to, u64 from, u64 bytes, u32 rank, u32 size) {
#if GENESYS_ON_CUDA
  constexpr u32 quads_max = 4;
  if (((to | bytes) & 15) == 0 && bytes <= u64{16} * quads_max * size) {
    const u32 quads = static_cast<u32>(bytes) / 16;
    auto* const to_quads = reinterpret_cast<quad*>(to);
    auto* const from_quads = reinterpret_cast<const quad*>(from);
    if (quads <= size) {
      if (rank < quads) to_quads[rank] = from_quads[rank];
      return;
    }
    quad held[quads_max] = {};
#pragma unroll
    for (u32 k = 0; k < quads_max; ++k) {
      if (rank + size * k < quads) held[k] = from_quads[rank + size * k];
    }
#pragma unroll
    for (u32 k = 0; k < quads_max; ++k) {
      if (rank + size * k < quads) to_quads[rank + size * k] = held[k];
    }
    return;
  }
#endif
  copy_longer(to, from, bytes, rank, size);
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

// Loads `bytes` bytes, at most 8 for each word, into words. Bytes after them are 0.
template <u32 count>
GENESYS_KERNEL void load_words(u64 address, u64 bytes, u64 (&words)[count]) {
#if GENESYS_ON_CUDA
  const bool aligned = (address & 7) == 0;
#pragma unroll
  for (u32 j = 0; j < count; ++j) {
    const u64 left = bytes > 8 * j ? bytes - 8 * j : 0;
    const u32 here = left < 8 ? static_cast<u32>(left) : 8;
    u64 word = 0;
    if (here == 8 && aligned) {
      word = *reinterpret_cast<const volatile u64*>(address + 8 * j);
    } else {
      const auto* const from = reinterpret_cast<const volatile unsigned char*>(address + 8 * j);
      GENESYS_NO_UNROLL
      for (u32 i = 0; i < here; ++i) word |= u64{from[i]} << 8 * i;
    }
    words[j] = word;
  }
#else
  for (u64& word : words) word = 0;
  std::memcpy(words, reinterpret_cast<const void*>(address), bytes);
#endif
}

// Stores the low `bytes` bytes of a number, at most 8, to `address`, which need not be aligned.
GENESYS_KERNEL void store_number(u64 address, u64 value, u32 bytes) {
#if GENESYS_ON_CUDA
  if (bytes == 8 && (address & 7) == 0) {
    *reinterpret_cast<volatile u64*>(address) = value;
    return;
  }
  if (bytes == 4 && (address & 3) == 0) {
    *reinterpret_cast<volatile u32*>(address) = static_cast<u32>(value);
    return;
  }
  auto* const to = reinterpret_cast<volatile unsigned char*>(address);
  GENESYS_NO_UNROLL
  for (u32 i = 0; i < bytes; ++i) to[i] = static_cast<unsigned char>(value >> 8 * i);
#else
  std::memcpy(reinterpret_cast<void*>(address), &value, bytes);  // the object there has a type of its own
#endif
}

// The number of bytes before the first NUL, or `most` if there is none among the first `most` bytes.
GENESYS_KERNEL_OUTLINE inline u64 string_length(u64 address, u64 most) {
  const char* text = reinterpret_cast<const char*>(address);
  u64 n = 0;
  while (n < most && text[n] != 0) ++n;
  return n;
}

}  // namespace genesys::detail::staging
