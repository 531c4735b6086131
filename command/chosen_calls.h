// SPDX-License-Identifier: Apache-2.0
// The calls that `-e` of `genesys trace` names: names and %domains, with commas; `!` in front: all others.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace genesys::command {

class chosen_calls {
 public:
  // Empty: all calls. Throws std::runtime_error: no such call, no such domain.
  explicit chosen_calls(std::string asked);

  bool has(const std::string& name) const { return !names_ || (names_->count(name) != 0) != others_; }

 private:
  static void add(const std::string& word, std::set<std::string>& names);

  std::optional<std::set<std::string>> names_;  // none: all calls
  bool others_ = false;
};

}  // namespace genesys::command
