// SPDX-License-Identifier: Apache-2.0
// The words to count, and how a word in a text is found among them. The host builds the table (word_table.cpp). Device
// and CPU versions use the same functions.
//
// A word is a longest run of letters, digits and underscores of ASCII, as for `grep -w`. Two bits reject most of a
// text's words: whether a wanted word begins with these two bytes. The others are looked up in a hash table.
#pragma once

#include <cstdint>

#include "genesys/kernel.h"

namespace wordcount {

constexpr unsigned pairs = 256 * 256;  // of a word's first byte and the next one, which may be behind its end
constexpr unsigned longest_max = 1024;
constexpr std::uint32_t no_word = ~std::uint32_t{0};

struct words {
  const std::uint32_t* pair_bits;  // a bit for each pair: a wanted word may begin with it
  const std::uint32_t* slots;      // of the hash table: the number of a word, or no_word
  const std::uint32_t* starts;     // offset of each word in `text`, and the end of the last one
  const unsigned char* text;       // the words, one after another
  std::uint32_t slot_mask;         // number of slots - 1
  std::uint32_t count;
  std::uint32_t longest;  // bytes
};

GENESYS_KERNEL bool is_word_byte(unsigned char c) {
  return (c | 32u) - 'a' < 26u || unsigned{c} - '0' < 10u || c == '_';
}

GENESYS_KERNEL unsigned pair_of(unsigned char first, unsigned char second) { return first * 256u + second; }

// FNV-1a, a byte at a time.
constexpr std::uint32_t hash_begin = 2166136261u;
GENESYS_KERNEL std::uint32_t hash_on(std::uint32_t hash, unsigned char c) { return (hash ^ c) * 16777619u; }

GENESYS_KERNEL bool is_equal(const words& of, std::uint32_t word, const unsigned char* at, unsigned length) {
  const std::uint32_t begin = of.starts[word];
  if (of.starts[word + 1] - begin != length) return false;
  for (unsigned i = 0; i < length; ++i)
    if (of.text[begin + i] != at[i]) return false;
  return true;
}

// The number of the wanted word that is the whole word at `at`, or no_word. `longest` + 1 bytes can be read there, or
// as many as there are before `end`.
GENESYS_KERNEL std::uint32_t find_word(const words& of, const unsigned char* at, const unsigned char* end) {
  std::uint32_t hash = hash_begin;
  unsigned length = 0;
  while (at + length < end && is_word_byte(at[length])) {
    if (length == of.longest) return no_word;
    hash = hash_on(hash, at[length++]);
  }
  for (std::uint32_t slot = hash;; ++slot) {
    const std::uint32_t word = of.slots[slot & of.slot_mask];
    if (word == no_word || is_equal(of, word, at, length)) return word;
  }
}

// Whether a word begins at data[at] that may be wanted. `before`: whether data[-1] is a byte of a word.
GENESYS_KERNEL bool may_begin(const std::uint32_t* pair_bits, const unsigned char* data, unsigned at, unsigned filled,
                              bool before) {
  if (!is_word_byte(data[at]) || (at == 0 ? before : is_word_byte(data[at - 1]))) return false;
  const unsigned pair = pair_of(data[at], at + 1 < filled ? data[at + 1] : 0);
  return (pair_bits[pair / 32] >> pair % 32 & 1) != 0;
}

}  // namespace wordcount
