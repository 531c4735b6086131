// SPDX-License-Identifier: Apache-2.0
// Makes of a list of words the table that the device searches by (words.h). Host only, called once by main.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "words.h"

namespace grep {

// More would leave too little of a chunk for new bytes (search.h).
constexpr std::size_t word_bytes_max = 16 * 1024;

// The parts of `words`, in host memory.
struct word_table {
  std::vector<std::uint32_t> pair_bits;
  std::vector<word_range> by_pair;
  std::vector<std::uint32_t> starts;
  std::string text;
  std::uint32_t longest = 0;
  bool every_line = false;
};

word_table make_word_table(std::vector<std::string> words);

}  // namespace grep
