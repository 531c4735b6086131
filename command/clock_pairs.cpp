// SPDX-License-Identifier: Apache-2.0
#include "clock_pairs.h"

#include <algorithm>

namespace genesys::command {

void clock_pairs::add(const trace::clocks_pair& pair) {
  const auto at =
      std::lower_bound(all_.begin(), all_.end(), pair, [](const auto& a, const auto& b) { return a.ticks < b.ticks; });
  if (at == all_.end() || at->ticks != pair.ticks) all_.insert(at, pair);  // ns_of() divides by the difference
}

std::int64_t clock_pairs::ns_of(std::uint64_t ticks) const {
  if (ticks == 0) return 0;
  if (all_.size() == 1) return static_cast<std::int64_t>(all_[0].realtime_ns);  // a recording that was cut off
  const auto after = std::upper_bound(all_.begin() + 1, all_.end() - 1, ticks,
                                      [](std::uint64_t at, const auto& pair) { return at < pair.ticks; });
  const trace::clocks_pair &a = *(after - 1), &b = *after;
  const double rate = static_cast<double>(b.monotonic_ns - a.monotonic_ns) / static_cast<double>(b.ticks - a.ticks);
  return static_cast<std::int64_t>(a.realtime_ns) +
         static_cast<std::int64_t>(rate * static_cast<double>(static_cast<std::int64_t>(ticks - a.ticks)));
}

}  // namespace genesys::command
