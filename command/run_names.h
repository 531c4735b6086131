// SPDX-License-Identifier: Apache-2.0
// The names of runs, as the sections of a recording give them, one after another: the number of a run is used again
// after 2,047 launches. A reader of recordings owns it, and asks as it reads a call.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "printable.h"

namespace genesys::command {

class run_names {
 public:
  // The name of this run from here on; empty: it has none.
  void set(unsigned run, std::string_view name) {
    if (name.empty()) {
      by_run_.erase(run);
    } else {
      by_run_[run] = *texts_.insert(printable(name)).first;
    }
  }
  // Empty: it has none. The text is good as long as this object.
  std::string_view of(unsigned run) const {
    const auto found = by_run_.find(run);
    return found == by_run_.end() ? std::string_view() : found->second;
  }

 private:
  std::set<std::string> texts_;  // each name once; none is removed, because calls refer to it
  std::map<unsigned, std::string_view> by_run_;
};

}  // namespace genesys::command
