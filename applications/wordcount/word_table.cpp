// SPDX-License-Identifier: Apache-2.0
#include "word_table.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace wordcount {
namespace {

void check(const std::string& word) {
  const auto is_right = [](char c) { return is_word_byte(static_cast<unsigned char>(c)); };
  if (word.empty() || !std::ranges::all_of(word, is_right))
    throw std::runtime_error("'" + word + "' is no word: letters, digits and underscores make words");
  if (word.size() > longest_max)
    throw std::runtime_error("a word has " + std::to_string(word.size()) + " bytes; at most " +
                             std::to_string(longest_max) + " can be counted");
}

// Behind a word of one byte there may be any byte that is none of a word's.
void set_pairs(std::vector<std::uint32_t>& bits, const std::string& word) {
  const auto first = static_cast<unsigned char>(word[0]);
  for (unsigned second = 0; second < 256; ++second) {
    const auto c = static_cast<unsigned char>(second);
    const bool may_follow = word.size() == 1 ? !is_word_byte(c) : c == static_cast<unsigned char>(word[1]);
    const unsigned pair = pair_of(first, c);
    if (may_follow) bits[pair / 32] |= 1u << pair % 32;
  }
}

}  // namespace

word_table make_word_table(const std::vector<std::string>& words) {
  word_table made;
  made.pair_bits.resize(pairs / 32);
  made.slots.resize(std::bit_ceil(words.size() * 4 + 1), no_word);
  for (const std::string& word : words) {
    check(word);
    const auto number = static_cast<std::uint32_t>(made.starts.size());
    made.starts.push_back(static_cast<std::uint32_t>(made.text.size()));
    made.text.insert(made.text.end(), word.begin(), word.end());
    made.longest = std::max(made.longest, static_cast<std::uint32_t>(word.size()));
    set_pairs(made.pair_bits, word);
    std::uint32_t slot = hash_begin;
    for (const char c : word) slot = hash_on(slot, static_cast<unsigned char>(c));
    for (slot &= made.slots.size() - 1; made.slots[slot] != no_word; slot = (slot + 1) & (made.slots.size() - 1)) {
      if (words[made.slots[slot]] == word) throw std::runtime_error("'" + word + "' is there twice");
    }
    made.slots[slot] = number;
  }
  made.starts.push_back(static_cast<std::uint32_t>(made.text.size()));
  return made;
}

words word_table::view() const {
  return {pair_bits.data(),
          slots.data(),
          starts.data(),
          text.data(),
          static_cast<std::uint32_t>(slots.size()) - 1,
          static_cast<std::uint32_t>(starts.size()) - 1,
          longest};
}

}  // namespace wordcount
