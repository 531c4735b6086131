// SPDX-License-Identifier: Apache-2.0
// The words to search for, in the layout for the device. The host builds the table (word_table.cpp). Every thread of a
// block tests its own bytes with it (search.h): does a word begin here?
//
// One bit rejects most bytes of a file: whether any word begins with this byte and the next one. If one does, a binary
// search looks at the few words with this pair. They are sorted, and none of them begins with another one, so at most
// one can match. With -w a longer word may match where a shorter one does not, so all are needed: each then names the
// longest other word that it begins with.
#pragma once

#include <cstdint>

#include "genesys/kernel.h"

namespace grep {

constexpr unsigned pairs = 256 * 256;  // of a byte and the next byte

struct word_range {
  std::uint32_t first, last;  // words from `first` up to, not including, `last`
};

struct words {
  const std::uint32_t* pair_bits;   // a bit for each pair: a word begins with it; 8 KiB, of which each block has a copy
  const word_range* by_pair;        // for each pair, the words that begin with it
  const std::uint32_t* starts;      // offset of each word in `text`, and the end of the last one
  const unsigned char* text;        // the words, one after another
  const std::uint32_t* beginnings;  // with -w: for each word, the longest other one that it begins with, or no_word
  std::uint32_t longest;            // bytes
  bool every_line;                  // one word is empty: each line matches, and the other words are not used
  bool whole;                       // -w
  bool fold;                        // -i: the words are in small letters, and bytes of files count as such
};
constexpr std::uint32_t no_word = ~std::uint32_t{0};

// Letters, digits and '_': with -w none may be before or behind a match.
GENESYS_KERNEL bool is_word_byte(unsigned char c) {
  const auto small = static_cast<unsigned char>(c | 0x20);
  return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

GENESYS_KERNEL unsigned char byte_at(const words& w, const unsigned char* data, unsigned at) {
  const unsigned char byte = data[at];
  return w.fold && byte >= 'A' && byte <= 'Z' ? static_cast<unsigned char>(byte | 0x20) : byte;
}

// The pair of a byte and the next one. After the last byte the next one counts as 0. No word contains a 0
// (word_table.cpp), so only a word of one byte, which is entered for every second byte, is found there.
GENESYS_KERNEL unsigned pair_at(const words& w, const unsigned char* data, unsigned at, unsigned filled) {
  return byte_at(w, data, at) * 256u + (at + 1 < filled ? byte_at(w, data, at + 1) : 0u);
}

// Compares word number `word` with data[at, filled): 0 if the data begins with the whole word, negative if the word
// sorts before the data, positive if after.
GENESYS_KERNEL int compare_word(const words& w, std::uint32_t word, const unsigned char* data, unsigned at,
                                unsigned filled) {
  const std::uint32_t end = w.starts[word + 1];
  for (std::uint32_t i = w.starts[word]; i < end; ++i, ++at) {
    if (at == filled) return 1;
    const unsigned char byte = byte_at(w, data, at);
    if (w.text[i] != byte) return w.text[i] < byte ? -1 : 1;
  }
  return 0;
}

// With -w: all words that the data begins with are the last one that does not sort after it, or what that begins with.
GENESYS_KERNEL bool whole_word_begins(const words& w, word_range left, const unsigned char* data, unsigned at,
                                      unsigned filled) {
  const std::uint32_t first = left.first;
  while (left.first < left.last) {
    const std::uint32_t middle = (left.first + left.last) / 2;
    if (compare_word(w, middle, data, at, filled) <= 0)
      left.first = middle + 1;
    else
      left.last = middle;
  }
  for (std::uint32_t word = left.first == first ? no_word : left.first - 1; word != no_word;
       word = w.beginnings[word]) {
    const unsigned end = at + w.starts[word + 1] - w.starts[word];
    if (compare_word(w, word, data, at, filled) == 0 && (end >= filled || !is_word_byte(data[end]))) return true;
  }
  return false;
}

// Whether a whole word is at data[at], before data[filled]. `pair_bits`: the block's copy. `behind_word`: whether the
// byte before data[0] is one of a word. Any thread.
GENESYS_KERNEL bool word_begins(const words& w, const std::uint32_t* pair_bits, const unsigned char* data, unsigned at,
                                unsigned filled, bool behind_word) {
  if (w.every_line) return true;
  const unsigned pair = pair_at(w, data, at, filled);
  if ((pair_bits[pair / 32] >> (pair % 32) & 1) == 0) return false;
  word_range left = w.by_pair[pair];
  if (w.whole) {
    const bool is_inside = at > 0 ? is_word_byte(data[at - 1]) : behind_word;
    return !is_inside && whole_word_begins(w, left, data, at, filled);
  }
  while (left.first < left.last) {
    const std::uint32_t middle = (left.first + left.last) / 2;
    const int order = compare_word(w, middle, data, at, filled);
    if (order == 0) return true;
    if (order < 0) {
      left.first = middle + 1;
    } else {
      left.last = middle;
    }
  }
  return false;
}

}  // namespace grep
