// SPDX-License-Identifier: Apache-2.0
// The summaries of a module's functions, made when they are first asked for.
#include <algorithm>

#include "schedule/classify/summary.h"

namespace genesys::schedule {

summaries::summaries(const module& all) : all_(all) {
  for (const function& one : all.functions) {
    if (one.has_body && !with_body_.emplace(one.name, &one).second) with_body_[one.name] = nullptr;  // two of a name
  }
}

const summary* summaries::find(std::string_view name) {
  if (const auto found = done_.find(name); found != done_.end()) return &found->second;
  const auto known = with_body_.find(name);
  const function* one = known == with_body_.end() ? nullptr : known->second;
  if (!one || static_cast<int>(under_way_.size()) >= depth_max) return nullptr;
  if (std::find(under_way_.begin(), under_way_.end(), name) != under_way_.end()) return nullptr;
  under_way_.push_back(one->name);
  summary made = summary_of(*one, *this);
  under_way_.pop_back();
  return &done_.emplace(one->name, std::move(made)).first->second;
}

}  // namespace genesys::schedule
