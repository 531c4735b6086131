// SPDX-License-Identifier: Apache-2.0
// How long something takes: counts on a logarithmic axis, four to each doubling, so a quantile is right to a fifth. Its
// size does not grow. One thread at a time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace genesys::detail::services {

class distribution {
 public:
  void add(std::uint64_t ns) {
    ++bins_[bin_of(ns)];
    ++count_;
    sum_ += ns;
    longest_ = std::max(longest_, ns);
  }
  std::uint64_t count() const { return count_; }
  std::uint64_t longest() const { return longest_; }
  double mean() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }

  // The time that a share (0 to 1) of them does not exceed, in nanoseconds.
  std::uint64_t quantile(double share) const {
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(count_));
    std::uint64_t seen = 0;
    for (unsigned bin = 0; bin < bins; ++bin) {
      seen += bins_[bin];
      if (seen > wanted) return std::min(end_of(bin), longest_);
    }
    return longest_;
  }

 private:
  static constexpr unsigned bins = 256;

  // Two bits behind the highest one.
  static unsigned bin_of(std::uint64_t ns) {
    if (ns < 4) return static_cast<unsigned>(ns);
    const auto log2 = static_cast<unsigned>(std::bit_width(ns)) - 1;
    return 4 * (log2 - 1) + static_cast<unsigned>(ns >> (log2 - 2) & 3);
  }
  static std::uint64_t end_of(unsigned bin) {
    if (bin < 4) return bin;
    const unsigned log2 = bin / 4 + 1;
    return ((std::uint64_t{4} + bin % 4 + 1) << (log2 - 2)) - 1;
  }

  std::array<std::uint64_t, bins> bins_{};
  std::uint64_t count_ = 0, sum_ = 0, longest_ = 0;
};

}  // namespace genesys::detail::services
