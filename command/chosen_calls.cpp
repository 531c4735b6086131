// SPDX-License-Identifier: Apache-2.0
#include "chosen_calls.h"

#include <algorithm>
#include <stdexcept>

#include "reference.h"

namespace genesys::command {

chosen_calls::chosen_calls(std::string asked) {
  if (asked.empty()) return;
  const bool others = asked[0] == '!';
  if (others) asked.erase(0, 1);
  std::set<std::string> names;
  for (std::size_t begin = 0; begin <= asked.size();) {
    const std::size_t end = std::min(asked.find(',', begin), asked.size());
    add(asked.substr(begin, end - begin), names);
    begin = end + 1;
  }
  names_.emplace(std::move(names));
  others_ = others;
}

void chosen_calls::add(const std::string& word, std::set<std::string>& names) {
  const auto count = names.size();
  for (const reference& one : all_references()) {
    if (word[0] == '%' ? word.substr(1) == one.domain : word == one.base || word == one.name) names.insert(one.base);
  }
  if (names.size() != count || names.count(word) != 0) return;
  if (word[0] != '%') throw std::runtime_error("-e: Linux 6.18 has no call '" + word + "'");
  std::set<std::string> domains;
  for (const reference& one : all_references()) domains.insert(one.domain);
  std::string text;
  for (const std::string& domain : domains) text += " %" + domain;
  throw std::runtime_error("-e: there is no class '" + word + "':" + text);
}

}  // namespace genesys::command
