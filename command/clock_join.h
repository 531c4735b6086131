// SPDX-License-Identifier: Apache-2.0
// Joins the clocks of device and host by what must be true: a request is published before it is taken, and a completion
// is written before it is seen. In each bin of 10 ms these bound the shift between the clocks from both sides; the
// middle is taken, and half the distance is the error. Between bins the shift is interpolated, since the clocks drift.
// The device's times are known modulo 2^29 or 2^32 ns, so a bound is the one nearest to the shift of the bins before.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "trace/record.h"

namespace genesys::command {

class clock_join {
 public:
  // A call of the recording, with its times on the host's clock in ns (0: not known), nearly in order: what comes after
  // calls in open_bins_max later bins is left out. Then settle().
  void add(const trace::call_record& call, std::int64_t taken_ns, std::int64_t earlier_completed_ns);
  void settle();

  // A time of the device, on the host's clock: the low 19 bits of its units of 1,024 ns; or its low 32 bits in ns.
  // `near_ns`: a time of the host within 0.2 s, or 2 s, of it. Without an error (below), published_ns counts the
  // fastest call as not queued at all, and seen_ns is 0.
  std::int64_t published_ns(std::uint32_t published, std::int64_t near_ns) const;
  std::int64_t seen_ns(std::uint32_t seen, std::int64_t near_ns) const;

  // The median of the bins' errors; -1: no recorded call says when its completion was seen.
  std::int64_t error_ns() const { return error_ns_; }
  bool is_known() const { return is_known_; }

 private:
  static constexpr std::int64_t bin_ns = 10'000'000;
  static constexpr std::size_t candidates_max = 8, open_bins_max = 1024;
  // Of host's time minus device's, relative to anchor_, in ns.
  struct bounds {
    std::int64_t most = INT64_MAX;
    // The largest, largest first: a stamp that came late to the host gives too much.
    std::int64_t least[candidates_max];
    unsigned candidates = 0;
    void add_least(std::int64_t value);
    // The largest candidate that `most` allows; null: the bounds do not fit each other, or one is missing.
    const std::int64_t* fitting_least() const;
  };
  bounds* bin_at(std::int64_t host_ns);
  void look_at_newest();
  void finish_first_bin();
  std::uint32_t shift_at(std::int64_t host_ns) const;

  std::map<std::int64_t, bounds> bins_;  // that may still get bounds, by number
  std::int64_t newest_ = INT64_MIN;      // the highest number so far
  std::int64_t finished_ = INT64_MIN;    // of bins up to this one, points_ has what is known
  std::int64_t near_ = 0;                // the shift of the bins before, relative to anchor_
  struct point {
    std::int64_t at_ns;
    double shift;  // relative to anchor_
  };
  std::vector<point> points_;
  std::vector<std::int32_t> errors_;  // of points_
  std::uint32_t anchor_ = 0;
  bool has_anchor_ = false, is_known_ = false;
  std::int64_t error_ns_ = -1;
  // Of calls whose published time alone is known: the smallest, modulo 2^29.
  std::uint32_t fastest_ = 0;
  bool has_fastest_ = false;
};

}  // namespace genesys::command
