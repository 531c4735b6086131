// SPDX-License-Identifier: Apache-2.0
// The words that are searched for, as the device sees them, and the one question asked of them: does a word begin here?
// Built by the host (word_table.cpp), asked by every thread of a block for its own bytes (search.h).
//
// Most bytes of a file are turned down by one bit: is there a word that begins with this byte and the next one? Only
// where there is, the few words that do are looked at. They are sorted, and none of them begins with another one (a
// longer word cannot match where its shorter beginning does not), so a binary search finds the one that can match.
#pragma once

#include <cstdint>

#include "genesys/kernel.h"

namespace grep {

constexpr unsigned pairs = 256 * 256;  // of a byte and the byte behind it

struct word_range {
  std::uint32_t first, last;  // words from `first` up to, not including, `last`
};

struct words {
  const std::uint32_t* pair_bits;  // a bit for each pair: some word begins with it; 8 KiB, so each block takes a copy
  const word_range* by_pair;       // for each pair, the words that begin with it
  const std::uint32_t* starts;     // where each word begins in `text`, and at last where the last one ends
  const unsigned char* text;       // the words, one behind the other
  std::uint32_t longest;           // bytes
  bool every_line;                 // an empty word is among them: each line matches, the rest does not matter
};

// One byte and the next. Behind the last byte stands a 0: no word holds one (see word_table.cpp), so only a word of one
// byte, which goes with any second byte, is found there.
GENESYS_KERNEL unsigned pair_at(const unsigned char* data, unsigned at, unsigned filled) {
  return data[at] * 256u + (at + 1 < filled ? data[at + 1] : 0u);
}

// How word number `word` compares with what stands in data[at, filled): 0 if it stands there whole, negative if it
// would be sorted before it, positive if after it.
GENESYS_KERNEL int compare_word(const words& w, std::uint32_t word, const unsigned char* data, unsigned at,
                                unsigned filled) {
  const std::uint32_t end = w.starts[word + 1];
  for (std::uint32_t i = w.starts[word]; i < end; ++i, ++at) {
    if (at == filled) return 1;
    if (w.text[i] != data[at]) return w.text[i] < data[at] ? -1 : 1;
  }
  return 0;
}

// Does a word stand at data[at], whole before data[filled]? `pair_bits` is the block's copy. Any thread.
GENESYS_KERNEL bool word_begins(const words& w, const std::uint32_t* pair_bits, const unsigned char* data, unsigned at,
                                unsigned filled) {
  if (w.every_line) return true;
  const unsigned pair = pair_at(data, at, filled);
  if ((pair_bits[pair / 32] >> (pair % 32) & 1) == 0) return false;
  word_range left = w.by_pair[pair];
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
