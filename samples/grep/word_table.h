// SPDX-License-Identifier: Apache-2.0
// Builds the table of words for the device (words.h). Host only; main calls it once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "words.h"

namespace grep {

// A longer word would leave too little of a piece for new bytes (search.h).
constexpr std::size_t word_bytes_max = 16 * 1024;

// The parts of `words`, in host memory.
struct word_table {
  std::vector<std::uint32_t> pair_bits;
  std::vector<word_range> by_pair;
  std::vector<std::uint32_t> starts;
  std::string text;
  std::vector<std::uint32_t> beginnings;  // with -w
  std::uint32_t longest = 0;
  bool every_line = false;
  bool whole = false, fold = false;
};

// `whole`: -w. `fold`: -i; then the words are in small letters.
word_table make_word_table(std::vector<std::string> words, bool whole, bool fold);

}  // namespace grep
