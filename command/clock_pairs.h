// SPDX-License-Identifier: Apache-2.0
// Converts the ticks of a recording to nanoseconds of CLOCK_REALTIME, by the pairs of clocks in it.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/format.h"

namespace genesys::command {

class clock_pairs {
 public:
  static constexpr std::int64_t latest_ns = std::int64_t{1} << 62;  // in the year 2116
  // In any order; a pair that is there already is left out.
  void add(trace::clocks_pair pair);
  bool empty() const { return all_.empty(); }
  const trace::clocks_pair& front() const { return all_.front(); }
  // By the two pairs around it, or the two nearest. 0 stays 0: not known. There is at least one pair. The result is
  // from 1 to latest_ns, so differences of results do not overflow, whatever a file says.
  std::int64_t ns_of(std::uint64_t ticks) const;

 private:
  std::vector<trace::clocks_pair> all_;  // by ticks
};

}  // namespace genesys::command
