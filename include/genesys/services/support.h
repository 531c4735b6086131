// SPDX-License-Identifier: Apache-2.0
// What the services that come with genesys share: their shared memory, 16 bytes at a time, and tiles of many inputs.
// All threads of a block run these functions in a service, unless a comment says otherwise.
//
// The input of a service is usually pinned memory, which the GPU reads over the link. A lane that walks through an
// input of its own would load a few bytes from each of 32 distant lines. So a warp loads a *tile*: 128 bytes of each
// of 32 inputs, each line whole, into shared memory. Then each lane works on its own row of the tile.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "genesys/service.h"
#include "genesys/service_buffer.h"
#include "genesys/service_member.h"

#if GENESYS_ON_CUDA
#define GENESYS_UNROLL _Pragma("unroll")
#else
#define GENESYS_UNROLL
#endif

// Rounds of a hash, whose words are registers only if the loop is unrolled. GCC needs to be told, too.
#if defined(__OPTIMIZE__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define GENESYS_UNROLL_ROUNDS _Pragma("GCC unroll 64")
#else
#define GENESYS_UNROLL_ROUNDS GENESYS_UNROLL
#endif

namespace genesys::services {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 whole_warp = 0xffffffffu;

// All services of this folder use the same shared memory, because a block runs one request at a time: a kernel with
// all of them has this once.
constexpr u32 scratch_bytes = 40u << 10;
struct alignas(16) scratch_memory {
  u8 bytes[scratch_bytes];
};
template <class T>
GENESYS_KERNEL T& scratch() {
  static_assert(sizeof(T) <= scratch_bytes && alignof(T) <= 16);
  return *static_cast<T*>(static_cast<void*>(shared<scratch_memory>().bytes));
}

// How many warps of the block work, if shared memory has space for `most`.
GENESYS_KERNEL u32 working_warps(u32 most) {
  const u32 all = threads_in_block() / warp_lanes;
  return all < most ? all : most;
}

// Pieces of `piece` bytes in `bytes`; the last one may be shorter. No byte at all is one empty piece.
GENESYS_KERNEL u64 pieces_of(u64 bytes, u64 piece) { return bytes == 0 ? 1 : (bytes - 1) / piece + 1; }
GENESYS_KERNEL u64 bytes_of_piece(u64 bytes, u64 piece, u64 number) {
  const u64 left = bytes - number * piece;
  return left < piece ? left : piece;
}
// Whether `count` results of `each` bytes fit `bytes`.
GENESYS_KERNEL bool fits(u64 count, u64 each, u64 bytes) { return count <= bytes / each; }
// Whether the address may be read or written in units of `unit` bytes. A null pointer is right for no bytes only.
GENESYS_KERNEL bool is_usable(const void* data, u64 bytes, u64 unit) {
  return (data != nullptr || bytes == 0) && reinterpret_cast<std::uintptr_t>(data) % unit == 0;
}

GENESYS_KERNEL u32 rotate_right(u32 value, u32 by) {
#if GENESYS_ON_CUDA
  return __funnelshift_r(value, value, by);
#else
  return value >> by | value << ((32 - by) & 31);
#endif
}
GENESYS_KERNEL u32 reversed_bytes(u32 value) {
#if GENESYS_ON_CUDA
  return __byte_perm(value, 0, 0x0123);
#else
  return __builtin_bswap32(value);
#endif
}

// The number of the lowest bit of a mask that is not 0.
GENESYS_KERNEL u32 lowest_bit(u32 mask) {
#if GENESYS_ON_CUDA
  return static_cast<u32>(__ffs(static_cast<int>(mask)) - 1);
#else
  return static_cast<u32>(__builtin_ctz(mask));
#endif
}
// How many of a word's highest bits are 0; 32 of 0.
GENESYS_KERNEL u32 leading_zeros(u32 word) {
#if GENESYS_ON_CUDA
  return static_cast<u32>(__clz(static_cast<int>(word)));
#else
  return word == 0 ? 32 : static_cast<u32>(__builtin_clz(word));
#endif
}
// The low word of high:low, shifted right by less than 32 bits.
GENESYS_KERNEL u32 shifted_right(u32 low, u32 high, u32 by) {
#if GENESYS_ON_CUDA
  return __funnelshift_r(low, high, by);
#else
  return static_cast<u32>((low | u64{high} << 32) >> by);
#endif
}

struct alignas(16) u32x4 {
  u32 w[4];
};

// Loads 16 bytes. Of the address it knows nothing, and of the memory only that `bytes` may be read; the others are 0.
GENESYS_KERNEL u32x4 load_16(const u8* from, u64 bytes) {
  u32x4 value{{0, 0, 0, 0}};
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  if (bytes >= 16 && address % 16 == 0) {
    value = *static_cast<const u32x4*>(static_cast<const void*>(from));
  } else if (bytes >= 16 && address % 4 == 0) {
    GENESYS_UNROLL
    for (u32 i = 0; i < 4; ++i) value.w[i] = static_cast<const u32*>(static_cast<const void*>(from))[i];
  } else {
    GENESYS_UNROLL
    for (u32 i = 0; i < 16; ++i) {
      if (i < bytes) value.w[i / 4] |= static_cast<u32>(from[i]) << (i % 4 * 8);
    }
  }
  return value;
}

// 128 bytes of each of 32 inputs: a row for each lane. Lanes that read their rows, and lanes that write one row
// together, use different banks, because a row's 16-byte columns are exchanged by its number.
struct alignas(16) warp_tile {
  static constexpr u32 row_bytes = 128, columns = row_bytes / 16;
  u32x4 rows[warp_lanes][columns];

  GENESYS_KERNEL u32x4& at(u32 row, u32 column) { return rows[row][column ^ (row % columns)]; }
  GENESYS_KERNEL u8& byte(u32 row, u32 number) {
    return static_cast<u8*>(static_cast<void*>(&at(row, number / 16)))[number % 16];
  }
};
static_assert(sizeof(warp_tile) == 4096);

struct input_row {
  const u8* from;
  u64 bytes;  // that may be read from there
};

// Loads a tile. `row_of(row)` is an input_row, the same in all lanes. All lanes of the warp call it. They see the whole
// tile afterwards, and have ended with the tile before.
template <class F>
GENESYS_KERNEL void load_tile(warp_tile& tile, const F& row_of) {
  constexpr u32 rows_at_once = warp_lanes / warp_tile::columns, steps = warp_lanes / rows_at_once;
  const u32 column = lane() % warp_tile::columns, first = lane() / warp_tile::columns;
  u32x4 loaded[steps];  // all loads are under way together
  GENESYS_UNROLL
  for (u32 i = 0; i < steps; ++i) {
    const input_row row = row_of(i * rows_at_once + first);
    const u64 at = u64{column} * 16;
    loaded[i] = row.bytes > at ? load_16(row.from + at, row.bytes - at) : u32x4{{0, 0, 0, 0}};
  }
  sync_warp();
  GENESYS_UNROLL
  for (u32 i = 0; i < steps; ++i) tile.at(i * rows_at_once + first, column) = loaded[i];
  sync_warp();
}

// Stores a digest of 8 words. Digests are aligned to 8 bytes.
GENESYS_KERNEL void store_digest(void* digests, u64 number, const u32 (&words)[8]) {
  u64* const to = static_cast<u64*>(digests) + number * 4;
  GENESYS_UNROLL
  for (u32 i = 0; i < 4; ++i) to[i] = words[2 * i] | u64{words[2 * i + 1]} << 32;
}

}  // namespace genesys::services
