// SPDX-License-Identifier: Apache-2.0
#include "histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace genesys::command {
namespace {

// "1.25 us"
std::string shown(double ns) {
  static constexpr const char* units[] = {"ns", "us", "ms", "s"};
  unsigned unit = 0;
  for (; unit < 3 && ns >= 999.5; ++unit) ns /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", ns, units[unit]);
  return text;
}

}  // namespace

void histogram::add(std::int64_t ns) {
  const double at = std::log10(static_cast<double>(std::max<std::int64_t>(ns, 1))) * bins_of_decade;
  ++bins_[std::min(static_cast<std::size_t>(at), bins_.size() - 1)];
  ++count_;
  longest_ns_ = std::max(longest_ns_, ns);
}

double histogram::ns_of(double bin) { return std::pow(10.0, bin / bins_of_decade); }

double histogram::quantile(double share) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    so_far += bins_[i];
    if (so_far >= wanted && so_far != 0)
      return std::min(ns_of(static_cast<double>(i) + 0.5), static_cast<double>(longest_ns_));
  }
  return 0;
}

// Of the bins, up to a factor.
std::vector<double> histogram::density() const {
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < bins_.size(); ++i) mean += static_cast<double>(i) * static_cast<double>(bins_[i]);
  mean /= static_cast<double>(count_);
  for (std::size_t i = 0; i < bins_.size(); ++i)
    square += std::pow(static_cast<double>(i) - mean, 2) * static_cast<double>(bins_[i]);
  const double deviation = std::sqrt(square / static_cast<double>(count_));
  const double quartiles = (std::log10(quantile(0.75)) - std::log10(quantile(0.25))) * bins_of_decade / 1.34;
  const double spread = quartiles > 0 ? std::min(deviation, quartiles) : deviation;
  // At least a bin and a half: a bin is the resolution of the times.
  const double width = std::max(1.5, 0.9 * spread * std::pow(static_cast<double>(count_), -0.2));
  const auto reach = static_cast<std::ptrdiff_t>(4 * width) + 1;
  std::vector<double> smooth(bins_.size());
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    if (bins_[i] == 0) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    for (std::ptrdiff_t j = std::max<std::ptrdiff_t>(0, at - reach);
         j <= std::min(at + reach, static_cast<std::ptrdiff_t>(bins_.size()) - 1); ++j) {
      const double apart = static_cast<double>(j - at) / width;
      smooth[static_cast<std::size_t>(j)] += static_cast<double>(bins_[i]) * std::exp(-apart * apart / 2);
    }
  }
  return smooth;
}

std::vector<histogram::mode> histogram::modes() const {
  if (count_ == 0) return {};
  constexpr double least_prominence = 0.05;
  const std::vector<double> smooth = density();
  const double highest = *std::max_element(smooth.begin(), smooth.end());
  std::vector<std::size_t> peaks;
  for (std::size_t i = 0; i < smooth.size(); ++i) {
    const double before = i == 0 ? 0 : smooth[i - 1], after = i + 1 == smooth.size() ? 0 : smooth[i + 1];
    if (smooth[i] <= before || smooth[i] < after) continue;
    // Down to the lowest point on each side before a higher peak.
    double left = smooth[i], right = smooth[i];
    for (std::size_t j = i; j-- > 0 && smooth[j] <= smooth[i];) left = std::min(left, smooth[j]);
    for (std::size_t j = i + 1; j < smooth.size() && smooth[j] <= smooth[i]; ++j) right = std::min(right, smooth[j]);
    if (smooth[i] - std::max(left, right) >= least_prominence * highest) peaks.push_back(i);
  }
  std::vector<mode> all;
  for (std::size_t p = 0; p < peaks.size(); ++p) {
    const std::size_t begin = p == 0 ? 0 : (peaks[p - 1] + peaks[p]) / 2;
    const std::size_t end = p + 1 == peaks.size() ? bins_.size() : (peaks[p] + peaks[p + 1]) / 2;
    std::uint64_t calls = 0;
    for (std::size_t i = begin; i < end; ++i) calls += bins_[i];
    all.push_back(
        {ns_of(static_cast<double>(peaks[p]) + 0.5), static_cast<double>(calls) / static_cast<double>(count_)});
  }
  return all;
}

void histogram::print(std::ostream& to, const std::string& name, unsigned columns) const {
  constexpr unsigned bins_of_line = bins_of_decade / 8, label = 22;
  to << name << ": " << count_ << " calls\n";
  if (count_ == 0) return;
  const double tail_ns = quantile(0.99);
  std::vector<std::uint64_t> lines(bins_.size() / bins_of_line);
  std::uint64_t tail = 0;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    if (ns_of(static_cast<double>(i)) > tail_ns)
      tail += bins_[i];
    else
      lines[i / bins_of_line] += bins_[i];
  }
  const auto used = [](std::uint64_t calls) { return calls != 0; };
  const auto first = std::find_if(lines.begin(), lines.end(), used);
  const auto last = std::find_if(lines.rbegin(), lines.rend(), used).base();
  const std::uint64_t most = *std::max_element(lines.begin(), lines.end());
  const unsigned width = columns > label + 20 ? columns - label - 12 : 20;
  for (auto line = first; line < last; ++line) {
    const double from = static_cast<double>((line - lines.begin()) * bins_of_line);
    char text[64];
    std::snprintf(text, sizeof text, "%9s - %-9s ", shown(ns_of(from)).c_str(),
                  shown(ns_of(from + bins_of_line)).c_str());
    const auto stars = static_cast<std::size_t>(
        std::llround(static_cast<double>(*line) * width / static_cast<double>(std::max<std::uint64_t>(most, 1))));
    to << text << std::string(stars, '#') << (*line != 0 && stars == 0 ? "." : "") << " " << *line << "\n";
  }
  if (tail != 0) to << "     tail: " << tail << " calls beyond " << shown(tail_ns) << "\n";
  to << "     p50 " << shown(quantile(0.5)) << ", p90 " << shown(quantile(0.9)) << ", p99 " << shown(tail_ns)
     << ", p99.9 " << shown(quantile(0.999)) << ", max " << shown(static_cast<double>(longest_ns_)) << "\n";
  const std::vector<mode> found = modes();
  to << "     " << found.size() << (found.size() == 1 ? " mode:" : " modes:");
  for (const mode& one : found) {
    char text[64];
    std::snprintf(text, sizeof text, " %s (%.0f %%)", shown(one.ns).c_str(), 100 * one.share);
    to << text;
  }
  to << "\n\n";
}

}  // namespace genesys::command
