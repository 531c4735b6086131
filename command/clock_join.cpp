// SPDX-License-Identifier: Apache-2.0
#include "clock_join.h"

#include <algorithm>

namespace genesys::command {
namespace {

// Of the device's clock at publishing a request has 19 bits, in units of 1,024 ns.
constexpr int published_bits = 29;
constexpr std::uint32_t unit_ns = 1024;

// The value nearest to 0 that is `value` modulo 2^29.
std::int32_t nearest(std::uint32_t value) {
  constexpr int unused = 32 - published_bits;
  return static_cast<std::int32_t>(value << unused) >> unused;
}

}  // namespace

void clock_join::bounds::add_least(std::int32_t value) {
  if (candidates == candidates_max && value <= least[candidates - 1]) return;
  unsigned at = candidates < candidates_max ? candidates++ : candidates - 1;
  for (; at > 0 && least[at - 1] < value; --at) least[at] = least[at - 1];
  least[at] = value;
}

void clock_join::add(const trace::call_record& call, std::int64_t taken_ns, std::int64_t earlier_completed_ns) {
  if (earlier_completed_ns != 0) {
    const std::uint32_t least = static_cast<std::uint32_t>(earlier_completed_ns) - call.earlier.seen;
    if (!has_anchor_) anchor_ = least, has_anchor_ = true;
    bins_[earlier_completed_ns / bin_ns].add_least(static_cast<std::int32_t>(least - anchor_));
  }
  if (taken_ns == 0 || (call.flags & (trace::flag_dependent | trace::flag_malformed)) != 0) return;
  const std::uint32_t most = static_cast<std::uint32_t>(taken_ns) - call.published * unit_ns;
  if (!has_fastest_ || nearest(most - fastest_) < 0) fastest_ = most, has_fastest_ = true;
  if (!has_anchor_) return;
  std::int32_t& bound = bins_[taken_ns / bin_ns].most;
  bound = std::min(bound, nearest(most - anchor_));
}

void clock_join::settle() {
  std::vector<std::int64_t> errors;
  for (const auto& [bin, of] : bins_) {
    if (of.most == INT32_MAX) continue;
    const auto* const end = of.least + of.candidates;
    const auto* const least = std::find_if(of.least, end, [&](std::int32_t value) { return value <= of.most; });
    if (least == end) continue;
    points_.push_back({bin * bin_ns + bin_ns / 2, (double(*least) + double(of.most)) / 2});
    errors.push_back((std::int64_t{of.most} - *least) / 2);
  }
  is_known_ = !points_.empty();
  if (!is_known_) return;
  std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2), errors.end());
  error_ns_ = errors[errors.size() / 2];
}

std::uint32_t clock_join::shift_at(std::int64_t host_ns) const {
  if (!is_known_) return fastest_;
  const auto after = std::lower_bound(points_.begin(), points_.end(), host_ns,
                                      [](const point& one, std::int64_t at) { return one.at_ns < at; });
  double shift;
  if (after == points_.begin()) {
    shift = after->shift;
  } else if (after == points_.end()) {
    shift = (after - 1)->shift;
  } else {
    const point &a = *(after - 1), &b = *after;
    shift = a.shift + (b.shift - a.shift) * double(host_ns - a.at_ns) / double(b.at_ns - a.at_ns);
  }
  return anchor_ + static_cast<std::uint32_t>(static_cast<std::int32_t>(shift));
}

std::int64_t clock_join::published_ns(std::uint32_t published, std::int64_t near_ns) const {
  if (!has_fastest_) return 0;
  const std::uint32_t there = static_cast<std::uint32_t>(near_ns) - shift_at(near_ns);
  return near_ns - nearest(there - (published * unit_ns + (is_known_ ? unit_ns / 2 : 0)));
}

std::int64_t clock_join::seen_ns(std::uint32_t seen, std::int64_t near_ns) const {
  if (!is_known_) return 0;
  const std::uint32_t there = static_cast<std::uint32_t>(near_ns) - shift_at(near_ns);
  return near_ns + static_cast<std::int32_t>(seen - there);
}

}  // namespace genesys::command
