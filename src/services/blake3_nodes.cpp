// SPDX-License-Identifier: Apache-2.0
// Nodes of BLAKE3's tree, several at a time (blake3_nodes.h): word i of a vector belongs to node i.
#include "services/blake3_nodes.h"

#include <algorithm>

namespace genesys::services::detail {
namespace {

// GCC's and clang's vectors. A function that gets AVX-512 or AVX2 by its attribute inlines all that it calls.
using vector_16 [[gnu::vector_size(64)]] = u32;
using vector_8 [[gnu::vector_size(32)]] = u32;
using vector_4 [[gnu::vector_size(16)]] = u32;

template <class V>
[[gnu::always_inline]] inline void make_together(const blake3_node* nodes, u32 blocks) {
  constexpr u32 lanes = sizeof(V) / sizeof(u32);
  V value[8], counters[2];
  for (u32 i = 0; i < 8; ++i) value[i] = V{} + blake3_initial(i);
  for (u32 lane = 0; lane < lanes; ++lane) {
    counters[0][lane] = static_cast<u32>(nodes[lane].counter);
    counters[1][lane] = static_cast<u32>(nodes[lane].counter >> 32);
  }
  for (u32 number = 0; number < blocks; ++number) {
    u32 words[16][lanes], flags[lanes];
    for (u32 lane = 0; lane < lanes; ++lane) {
      const blake3_node& node = nodes[lane];
      u32 block[16];
      std::memcpy(block, node.from + number * 64, sizeof block);
      for (u32 i = 0; i < 16; ++i) words[i][lane] = block[i];
      flags[lane] = node.flags | (number == 0 ? node.first_flags : 0) | (number + 1 == blocks ? node.last_flags : 0);
    }
    V block[16], v[16] = {};
    std::memcpy(block, words, sizeof block);
    for (u32 i = 0; i < 8; ++i) v[i] = value[i];
    for (u32 i = 0; i < 4; ++i) v[8 + i] = V{} + blake3_initial(i);
    v[12] = counters[0], v[13] = counters[1], v[14] = V{} + 64u;
    std::memcpy(&v[15], flags, sizeof flags);
    blake3_rounds(v, block);
    for (u32 i = 0; i < 8; ++i) value[i] = v[i] ^ v[8 + i];
  }
  for (u32 lane = 0; lane < lanes; ++lane) {
    for (u32 i = 0; i < 8; ++i) nodes[lane].to->words[i] = value[i][lane];
  }
}

using maker = void (*)(const blake3_node*, u32);
struct choice {
  maker make;
  u32 lanes;
};

#if defined(__x86_64__)
[[gnu::flatten, gnu::target("avx512f,avx512vl,avx512bw")]] void make_16(const blake3_node* nodes, u32 blocks) {
  make_together<vector_16>(nodes, blocks);
}
[[gnu::flatten, gnu::target("avx2")]] void make_8(const blake3_node* nodes, u32 blocks) {
  make_together<vector_8>(nodes, blocks);
}
#endif
[[gnu::flatten]] void make_4(const blake3_node* nodes, u32 blocks) { make_together<vector_4>(nodes, blocks); }

choice of_this_cpu() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) return {make_16, 16};
  if (__builtin_cpu_supports("avx2")) return {make_8, 8};
#endif
  return {make_4, 4};
}

}  // namespace

void blake3_make(const blake3_node* nodes, u64 count, u32 blocks) {
  static const choice chosen = of_this_cpu();
  for (; count >= chosen.lanes; count -= chosen.lanes, nodes += chosen.lanes) chosen.make(nodes, blocks);
  if (count == 0) return;
  // The last ones, with copies of the last node beside them.
  blake3_value ignored;
  blake3_node filled[16];
  for (u32 i = 0; i < chosen.lanes; ++i) {
    filled[i] = nodes[std::min<u64>(i, count - 1)];
    if (i >= count) filled[i].to = &ignored;
  }
  chosen.make(filled, blocks);
}

}  // namespace genesys::services::detail
