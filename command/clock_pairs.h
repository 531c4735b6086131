// SPDX-License-Identifier: Apache-2.0
// Converts the ticks of a recording to nanoseconds of CLOCK_REALTIME, by the pairs of clocks in it.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/format.h"

namespace genesys::command {

class clock_pairs {
 public:
  // In any order; a pair that is there already is left out.
  void add(const trace::clocks_pair& pair);
  bool empty() const { return all_.empty(); }
  const trace::clocks_pair& front() const { return all_.front(); }
  // By the two pairs around it, or the two nearest. 0 stays 0: not known. There is at least one pair.
  std::int64_t ns_of(std::uint64_t ticks) const;

 private:
  std::vector<trace::clocks_pair> all_;  // by ticks
};

}  // namespace genesys::command
