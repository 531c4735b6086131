// SPDX-License-Identifier: Apache-2.0
#include "schedule/ptx/ptx_names.h"

namespace genesys::schedule {

bool names::open() {
  if (open_.size() > scopes_max) return false;
  one_scope inner;
  inner.parent = open_.empty() ? -1 : open_.back();
  scopes_.push_back(std::move(inner));
  open_.push_back(static_cast<int>(scopes_.size()) - 1);
  return true;
}

bool names::close() {
  if (open_.size() < 2) return false;
  open_.pop_back();
  return true;
}

void names::forget_scopes() {
  scopes_.resize(1);
  open_.resize(1);
}

int names::declare(variable one) {
  one.is_module_wide = open_.size() == 1;
  const int index = static_cast<int>(all_.variables.size());
  scopes_[scope()].variables[one.name] = index;
  all_.variables.push_back(one);
  return index;
}

bool names::declare_range(const variable& first, std::uint64_t count) {
  auto& ranges = scopes_[scope()].ranges;
  if (ranges.size() == ranges_max) return false;
  ranges.push_back({first, count});
  return true;
}

int names::find(std::string_view name) {
  for (int at = scope(); at >= 0; at = scopes_[at].parent) {
    one_scope& here = scopes_[at];
    if (const auto found = here.variables.find(name); found != here.variables.end()) return found->second;
    for (const range& one : here.ranges) {
      if (!name.starts_with(one.first.name) || name.size() == one.first.name.size()) continue;
      const std::string_view digits = name.substr(one.first.name.size());
      if (digits.size() > 18 || digits.find_first_not_of("0123456789") != digits.npos) continue;
      std::uint64_t number = 0;
      for (char digit : digits) number = number * 10 + static_cast<unsigned>(digit - '0');
      if (number >= one.count) continue;
      variable made = one.first;
      made.name = name;
      const int index = static_cast<int>(all_.variables.size());
      here.variables[name] = index;
      all_.variables.push_back(made);
      return index;
    }
  }
  return no_variable;
}

int names::find_label(std::string_view name, int scope) const {
  for (int at = scope; at >= 0; at = scopes_[at].parent) {
    if (const auto found = scopes_[at].labels.find(name); found != scopes_[at].labels.end()) return found->second;
  }
  return -1;
}

const std::vector<std::string_view>* names::find_list(std::string_view name, int scope) const {
  for (int at = scope; at >= 0; at = scopes_[at].parent) {
    if (const auto found = scopes_[at].lists.find(name); found != scopes_[at].lists.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace genesys::schedule
