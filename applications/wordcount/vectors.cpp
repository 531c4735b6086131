// SPDX-License-Identifier: Apache-2.0
// The CPU version with vector instructions: 32 bytes at a time it finds where words begin.
#include <omp.h>

#include <bit>

#include "cpu_team.h"
#include "openmp.h"

#if defined(__x86_64__)
#include <immintrin.h>

namespace wordcount {
namespace {

struct vector_team : cpu_team {
  using cpu_team::cpu_team;
};

// Of each byte: all ones if it is from `least` to `least + span`.
[[gnu::target("avx2")]] inline __m256i is_in(__m256i bytes, char least, char span) {
  const __m256i from = _mm256_sub_epi8(bytes, _mm256_set1_epi8(least));
  return _mm256_cmpeq_epi8(_mm256_min_epu8(from, _mm256_set1_epi8(span)), from);
}

// A bit for each of 32 bytes: whether it is one of a word.
[[gnu::target("avx2")]] inline u32 word_bytes(const unsigned char* at) {
  const __m256i c = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  const __m256i letters = is_in(_mm256_or_si256(c, _mm256_set1_epi8(0x20)), 'a', 25);
  const __m256i others = _mm256_or_si256(is_in(c, '0', 9), _mm256_cmpeq_epi8(c, _mm256_set1_epi8('_')));
  return static_cast<u32>(_mm256_movemask_epi8(_mm256_or_si256(letters, others)));
}

void look_up(vector_team& team, const words& wanted, const unsigned char* data, u32 at, u32 filled) {
  const unsigned pair = pair_of(data[at], at + 1 < filled ? data[at + 1] : 0);
  if ((wanted.pair_bits[pair / 32] >> pair % 32 & 1) == 0) return;
  const u32 word = find_word(wanted, data + at, data + filled);
  if (word != no_word) team.count(word);
}

// Takes the place of worker.h's. The memory behind the piece can be read (cpu_team).
[[gnu::target("avx2")]] void count_piece(vector_team& team, const words& wanted, const unsigned char* data, u32 first,
                                         u32 decided, u32 filled, bool before) {
  if (first == 1) before = is_word_byte(data[0]);
  u32 carry = before ? 1 : 0;
  for (u32 at = first; at < decided; at += 32) {
    u32 is_word = word_bytes(data + at);
    if (decided - at < 32) is_word &= (1u << (decided - at)) - 1;
    u32 begins = is_word & ~(is_word << 1 | carry);
    carry = is_word >> 31;
    for (; begins != 0; begins &= begins - 1)
      look_up(team, wanted, data, at + static_cast<u32>(std::countr_zero(begins)), filled);
  }
}

}  // namespace

bool count_by_vectors(const words& wanted, const work& all, unsigned threads) {
  if (!__builtin_cpu_supports("avx2")) return false;
#pragma omp parallel num_threads(threads != 0 ? static_cast <int>(threads) : omp_get_num_procs())
  {
    vector_team team(wanted, all);
    count_files(team, wanted, all);
  }
  return true;
}

}  // namespace wordcount
#else
namespace wordcount {
bool count_by_vectors(const words&, const work&, unsigned) { return false; }
}  // namespace wordcount
#endif
