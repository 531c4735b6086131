// SPDX-License-Identifier: Apache-2.0
// Copies, fills, compares and searches memory for the C library of kernels (posix/string.h). One thread runs each
// function. It takes 16, 8 or 4 bytes at a time where the addresses allow it: a GPU loads only aligned words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genesys/detail/target/target.h"

namespace genesys::detail::libc {

using byte = unsigned char;
// Words that may stand for objects of any type.
using word4 = std::uint32_t __attribute__((may_alias));
using word8 = std::uint64_t __attribute__((may_alias));
struct [[gnu::may_alias]] alignas(16) word16 {
  std::uint64_t low, high;
};

GENESYS_KERNEL std::uintptr_t address_of(const void* at) { return reinterpret_cast<std::uintptr_t>(at); }

// The greatest unit, up to 16 bytes, by which both addresses are aligned after the same number of bytes.
GENESYS_KERNEL unsigned common_unit(const void* a, const void* b) {
  const std::uintptr_t differs = address_of(a) ^ address_of(b);
  return differs % 16 == 0 ? 16 : differs % 8 == 0 ? 8 : differs % 4 == 0 ? 4 : 1;
}

// Copies whole units from the first byte on and returns the number of bytes. Four loads are under way at a time. The
// areas may overlap if `to` is the lower one.
template <class Unit>
GENESYS_KERNEL std::size_t copy_units(byte* to, const byte* from, std::size_t bytes) {
  Unit* t = reinterpret_cast<Unit*>(to);
  const Unit* f = reinterpret_cast<const Unit*>(from);
  const std::size_t units = bytes / sizeof(Unit);
  std::size_t i = 0;
  GENESYS_NO_UNROLL
  for (; i + 4 <= units; i += 4) {
    const Unit a = f[i], b = f[i + 1], c = f[i + 2], d = f[i + 3];
    t[i] = a, t[i + 1] = b, t[i + 2] = c, t[i + 3] = d;
  }
  GENESYS_NO_UNROLL
  for (; i < units; ++i) t[i] = f[i];
  return units * sizeof(Unit);
}

// The same from the last byte on: copies the whole units that end at `bytes`. The areas may overlap if `to` is the
// higher one.
template <class Unit>
GENESYS_KERNEL std::size_t copy_units_back(byte* to, const byte* from, std::size_t bytes) {
  const std::size_t units = bytes / sizeof(Unit);
  Unit* t = reinterpret_cast<Unit*>(to + bytes - units * sizeof(Unit));
  const Unit* f = reinterpret_cast<const Unit*>(from + bytes - units * sizeof(Unit));
  std::size_t i = units;
  GENESYS_NO_UNROLL
  for (; i >= 4; i -= 4) {
    const Unit a = f[i - 1], b = f[i - 2], c = f[i - 3], d = f[i - 4];
    t[i - 1] = a, t[i - 2] = b, t[i - 3] = c, t[i - 4] = d;
  }
  GENESYS_NO_UNROLL
  for (; i > 0; --i) t[i - 1] = f[i - 1];
  return units * sizeof(Unit);
}

GENESYS_KERNEL_OUTLINE inline void copy_bytes(byte* to, const byte* from, std::size_t bytes) {
  if (const unsigned unit = common_unit(to, from); bytes >= 16 && unit > 1) {
    std::size_t done = copy_units<byte>(to, from, -address_of(to) % unit);
    if (unit == 16) done += copy_units<word16>(to + done, from + done, bytes - done);
    if (unit == 8) done += copy_units<word8>(to + done, from + done, bytes - done);
    if (unit == 4) done += copy_units<word4>(to + done, from + done, bytes - done);
    to += done, from += done, bytes -= done;
  }
  copy_units<byte>(to, from, bytes);
}

GENESYS_KERNEL_OUTLINE inline void copy_bytes_back(byte* to, const byte* from, std::size_t bytes) {
  if (const unsigned unit = common_unit(to, from); bytes >= 16 && unit > 1) {
    const std::size_t odd = address_of(to + bytes) % unit;
    copy_units_back<byte>(to + bytes - odd, from + bytes - odd, odd);
    bytes -= odd;
    if (unit == 16) bytes -= copy_units_back<word16>(to, from, bytes);
    if (unit == 8) bytes -= copy_units_back<word8>(to, from, bytes);
    if (unit == 4) bytes -= copy_units_back<word4>(to, from, bytes);
  }
  copy_units_back<byte>(to, from, bytes);
}

GENESYS_KERNEL std::uint64_t repeated(byte value) { return value * 0x0101'0101'0101'0101u; }

GENESYS_KERNEL_OUTLINE inline void fill_bytes(byte* at, byte value, std::size_t bytes) {
  byte* const end = at + bytes;
  if (bytes >= 16) {
    for (; address_of(at) % 16 != 0; ++at) *at = value;
    const word16 whole{repeated(value), repeated(value)};
    GENESYS_NO_UNROLL
    for (; end - at >= 16; at += 16) *reinterpret_cast<word16*>(at) = whole;
  }
  GENESYS_NO_UNROLL
  for (; at < end; ++at) *at = value;
}

// The first place where the areas differ, or `bytes`.
GENESYS_KERNEL_OUTLINE inline std::size_t first_difference(const byte* a, const byte* b, std::size_t bytes) {
  std::size_t i = 0;
  if (bytes >= 16 && common_unit(a, b) >= 8) {
    for (; address_of(a + i) % 8 != 0; ++i)
      if (a[i] != b[i]) return i;
    // The loop after it finds the byte in the word.
    for (; bytes - i >= 8; i += 8)
      if (*reinterpret_cast<const word8*>(a + i) != *reinterpret_cast<const word8*>(b + i)) break;
  }
  while (i < bytes && a[i] == b[i]) ++i;
  return i;
}

// Not 0 if a byte of the word is 0.
GENESYS_KERNEL std::uint64_t zero_bytes(std::uint64_t word) {
  return (word - 0x0101'0101'0101'0101u) & ~word & 0x8080'8080'8080'8080u;
}

// The two functions below read the whole aligned word in which they find the end. That word never crosses a page, but
// the sanitizers would take bytes after the end for an error, or for a race with another thread that writes them.
#if GENESYS_ON_CUDA
#define GENESYS_LIBC_READS_WHOLE_WORDS
#else
#define GENESYS_LIBC_READS_WHOLE_WORDS __attribute__((no_sanitize("address", "thread")))
#endif

// The first byte of this value, or null. The memory may end after that byte.
GENESYS_KERNEL_OUTLINE inline GENESYS_LIBC_READS_WHOLE_WORDS const byte* find_byte(const byte* at, byte value,
                                                                                   std::size_t bytes) {
  if (bytes >= 16) {
    for (; address_of(at) % 8 != 0; ++at, --bytes)
      if (*at == value) return at;
    for (; bytes >= 8; at += 8, bytes -= 8)
      if (zero_bytes(*reinterpret_cast<const word8*>(at) ^ repeated(value)) != 0) break;
  }
  for (; bytes > 0; ++at, --bytes)
    if (*at == value) return at;
  return nullptr;
}

// The length of a string.
GENESYS_KERNEL_OUTLINE inline GENESYS_LIBC_READS_WHOLE_WORDS std::size_t string_length(const char* text) {
  const char* at = text;
  for (; address_of(at) % 8 != 0; ++at)
    if (*at == 0) return static_cast<std::size_t>(at - text);
  while (zero_bytes(*reinterpret_cast<const word8*>(at)) == 0) at += 8;
  while (*at != 0) ++at;
  return static_cast<std::size_t>(at - text);
}

#undef GENESYS_LIBC_READS_WHOLE_WORDS

}  // namespace genesys::detail::libc
