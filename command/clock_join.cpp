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

void clock_join::bounds::add_least(std::int64_t value) {
  if (candidates == candidates_max && value <= least[candidates - 1]) return;
  unsigned at = candidates < candidates_max ? candidates++ : candidates - 1;
  for (; at > 0 && least[at - 1] < value; --at) least[at] = least[at - 1];
  least[at] = value;
}

// Bounds that are half of 2^29 apart or more come from a shift that was far from the one before.
const std::int64_t* clock_join::bounds::fitting_least() const {
  if (most == INT64_MAX) return nullptr;
  const auto* const end = least + candidates;
  const auto* const found = std::find_if(least, end, [&](std::int64_t value) { return value <= most; });
  return found == end || most - *found >= std::int64_t{1} << (published_bits - 1) ? nullptr : found;
}

// Null: the bin is finished.
clock_join::bounds* clock_join::bin_at(std::int64_t host_ns) {
  const std::int64_t number = host_ns / bin_ns;
  if (number <= finished_) return nullptr;
  if (const auto known = bins_.find(number); known != bins_.end()) return &known->second;
  if (number > newest_) {
    look_at_newest();
    newest_ = number;
  }
  if (bins_.size() == open_bins_max) finish_first_bin();
  return number <= finished_ ? nullptr : &bins_[number];
}

void clock_join::look_at_newest() {
  const auto found = bins_.find(newest_);
  if (found == bins_.end()) return;
  const bounds& of = found->second;
  if (const std::int64_t* const least = of.fitting_least(); least != nullptr) {
    near_ = *least + (of.most - *least) / 2;
  } else if (of.candidates != 0 && of.most != INT64_MAX) {
    near_ = of.least[of.candidates - 1];  // has 32 bits, so it is right after a longer pause than `most` is
  }
}

void clock_join::finish_first_bin() {
  const auto first = bins_.begin();
  finished_ = first->first;
  const bounds& of = first->second;
  if (const std::int64_t* const least = of.fitting_least(); least != nullptr) {
    points_.push_back({finished_ * bin_ns + bin_ns / 2, (double(*least) + double(of.most)) / 2});
    errors_.push_back(static_cast<std::int32_t>((of.most - *least) / 2));
  }
  bins_.erase(first);
}

void clock_join::add(const trace::call_record& call, std::int64_t taken_ns, std::int64_t earlier_completed_ns) {
  const auto near = [this] { return static_cast<std::uint32_t>(near_); };
  if (earlier_completed_ns != 0) {
    const std::uint32_t least = static_cast<std::uint32_t>(earlier_completed_ns) - call.earlier.seen;
    if (!has_anchor_) anchor_ = least, has_anchor_ = true;
    if (bounds* const bin = bin_at(earlier_completed_ns); bin != nullptr)
      bin->add_least(near_ + static_cast<std::int32_t>(least - anchor_ - near()));
  }
  if (taken_ns == 0 || (call.flags & (trace::flag_dependent | trace::flag_malformed)) != 0) return;
  const std::uint32_t most = static_cast<std::uint32_t>(taken_ns) - call.published * unit_ns;
  if (!has_fastest_ || nearest(most - fastest_) < 0) fastest_ = most, has_fastest_ = true;
  if (!has_anchor_) return;
  if (bounds* const bin = bin_at(taken_ns); bin != nullptr)
    bin->most = std::min(bin->most, near_ + nearest(most - anchor_ - near()));
}

void clock_join::settle() {
  while (!bins_.empty()) finish_first_bin();
  is_known_ = !points_.empty();
  if (!is_known_) return;
  const auto middle = errors_.begin() + static_cast<std::ptrdiff_t>(errors_.size() / 2);
  std::nth_element(errors_.begin(), middle, errors_.end());
  error_ns_ = *middle;
  errors_ = {};
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
  return anchor_ + static_cast<std::uint32_t>(static_cast<std::int64_t>(shift));
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
