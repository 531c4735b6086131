// SPDX-License-Identifier: Apache-2.0
#include "clock_pairs.h"

#include <algorithm>

namespace genesys::command {

void clock_pairs::add(trace::clocks_pair pair) {
  pair.realtime_ns = std::min<std::uint64_t>(pair.realtime_ns, latest_ns);
  const auto at =
      std::lower_bound(all_.begin(), all_.end(), pair, [](const auto& a, const auto& b) { return a.ticks < b.ticks; });
  if (at == all_.end() || at->ticks != pair.ticks) all_.insert(at, pair);  // ns_of() divides by the difference
}

std::int64_t clock_pairs::ns_of(std::uint64_t ticks) const {
  if (ticks == 0) return 0;
  constexpr double apart_max_ns = static_cast<double>(latest_ns) / 2;  // of a damaged file it may be any number
  std::int64_t ns = static_cast<std::int64_t>(all_[0].realtime_ns);
  if (all_.size() > 1) {  // otherwise the recording was cut off
    const auto after = std::upper_bound(all_.begin() + 1, all_.end() - 1, ticks,
                                        [](std::uint64_t at, const auto& pair) { return at < pair.ticks; });
    const trace::clocks_pair &a = *(after - 1), &b = *after;
    const double rate = static_cast<double>(b.monotonic_ns - a.monotonic_ns) / static_cast<double>(b.ticks - a.ticks);
    const double since_ns = rate * static_cast<double>(static_cast<std::int64_t>(ticks - a.ticks));
    ns = static_cast<std::int64_t>(a.realtime_ns) +
         static_cast<std::int64_t>(std::clamp(since_ns, -apart_max_ns, apart_max_ns));
  }
  return std::clamp<std::int64_t>(ns, 1, latest_ns);
}

}  // namespace genesys::command
