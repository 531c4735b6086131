// SPDX-License-Identifier: Apache-2.0
// Builds the table of words (words.h). Host only; main calls it once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "words.h"

namespace wordcount {

struct word_table {
  std::vector<std::uint32_t> pair_bits, slots, starts;
  std::vector<unsigned char> text;
  std::uint32_t longest = 0;

  // Of the table itself, for the CPU.
  words view() const;
};

// Throws std::runtime_error: a word is empty, too long, there twice, or has a byte that no word has.
word_table make_word_table(const std::vector<std::string>& words);

}  // namespace wordcount
