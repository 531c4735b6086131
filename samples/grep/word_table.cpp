// SPDX-License-Identifier: Apache-2.0
#include "word_table.h"

#include <algorithm>
#include <string_view>

namespace grep {
namespace {

// The words that are needed, sorted by bytes. A word with a NUL cannot match, because a NUL ends a line (as for GNU
// grep). If one word begins with another, only the shorter is needed: it is found wherever the longer is.
std::vector<std::string> words_needed(std::vector<std::string> words, bool whole) {
  std::erase_if(words, [](const std::string& word) { return word.find('\0') != std::string::npos; });
  std::sort(words.begin(), words.end());
  if (whole) {
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
  }
  std::vector<std::string> needed;
  for (std::string& word : words) {
    if (needed.empty() || !word.starts_with(needed.back())) needed.push_back(std::move(word));
  }
  return needed;
}

unsigned byte_of(const std::string& word, std::size_t at) { return static_cast<unsigned char>(word[at]); }

}  // namespace

word_table make_word_table(std::vector<std::string> words, bool whole, bool fold) {
  const std::vector<std::string> needed = words_needed(std::move(words), whole);
  word_table table;
  table.whole = whole;
  table.fold = fold;
  table.pair_bits.assign(pairs / 32, 0);
  table.by_pair.assign(pairs, {0, 0});
  table.starts.push_back(0);
  table.every_line = !needed.empty() && needed.front().empty();
  if (table.every_line) return table;
  for (std::uint32_t i = 0; i < needed.size(); ++i) {
    const std::string& word = needed[i];
    if (whole) {  // the words that this one begins with are sorted before it: the one before it, or what that begins
                  // with
      std::uint32_t begins = i == 0 ? no_word : i - 1;
      while (begins != no_word && !needed[i].starts_with(needed[begins])) begins = table.beginnings[begins];
      table.beginnings.push_back(begins);
    }
    // A word of one byte is entered for every second byte. Without -w no other needed word begins with it.
    const unsigned first = byte_of(word, 0) * 256 + (word.size() == 1 ? 0 : byte_of(word, 1));
    const unsigned last = word.size() == 1 ? first + 255 : first;
    for (unsigned pair = first; pair <= last; ++pair) {
      table.pair_bits[pair / 32] |= 1u << (pair % 32);
      if (table.by_pair[pair].last == 0) table.by_pair[pair].first = i;
      table.by_pair[pair].last = i + 1;
    }
    table.text += word;
    table.starts.push_back(static_cast<std::uint32_t>(table.text.size()));
    table.longest = std::max(table.longest, static_cast<std::uint32_t>(word.size()));
  }
  return table;
}

}  // namespace grep
