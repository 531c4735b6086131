// SPDX-License-Identifier: Apache-2.0
// How long a call takes, as a histogram on a logarithmic axis for a terminal, with percentiles and modes. It keeps
// counts, not calls, so its memory does not grow with a recording.
//
// Modes are the local maxima of a kernel density estimate of log10 of the times, with a Gaussian kernel and Silverman's
// bandwidth (Silverman, Density Estimation, 1986, equation 3.31), whose prominence is at least a twentieth of the
// highest. The tail is what lies beyond the 99th percentile.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace genesys::command {

class histogram {
 public:
  void add(std::int64_t ns);
  std::uint64_t count() const { return count_; }

  // The time that a share (0 to 1) of the calls does not exceed, in nanoseconds, to the width of a bin.
  double quantile(double share) const;
  struct mode {
    double ns;
    double share;  // of the calls that lie nearer to this mode than to another, on the logarithmic axis
  };
  std::vector<mode> modes() const;
  // At most `columns` wide.
  void print(std::ostream& to, const std::string& name, unsigned columns) const;

 private:
  static constexpr unsigned bins_of_decade = 96, decades = 12;  // from 1 ns to 1,000 s
  static double ns_of(double bin);
  std::vector<double> density() const;

  std::array<std::uint64_t, bins_of_decade * decades> bins_{};
  std::uint64_t count_ = 0;
  std::int64_t longest_ns_ = 0;
};

}  // namespace genesys::command
