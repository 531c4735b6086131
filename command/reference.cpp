// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <algorithm>
#include <utility>

#include "generated/reference.h"

namespace genesys::command {
namespace {

// How many letters have to be changed, inserted or deleted.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t before = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = before + (a[i - 1] != b[j - 1]);
      before = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::span<const reference> all_references() { return references; }

std::span<const reference> references_of(std::string_view name) {
  const auto whole = all_references();
  const auto is = [name](const reference& r) { return name == r.base || name == r.name; };
  const auto begin = std::find_if(whole.begin(), whole.end(), is);
  return {begin, std::find_if_not(begin, whole.end(), is)};
}

std::vector<std::string> names_like(std::string_view name) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const reference& r : all_references()) {
    const std::size_t far = distance(name, r.base);
    const bool within = std::string_view(r.base).find(name) != std::string_view::npos;
    if (within || far <= 1 + name.size() / 4) near.emplace_back(far, r.base);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  if (near.size() > 8) near.resize(8);
  std::vector<std::string> names;
  for (auto& [far, one] : near) names.push_back(std::move(one));
  return names;
}

const char* name_of(call_class c) {
  switch (c) {
    case call_class::ready:
      return "ready";
    case call_class::changed:
      return "changed";
    case call_class::hardware:
      return "hardware";
    case call_class::unsupported:
      return "unsupported";
  }
  return "?";
}

}  // namespace genesys::command
