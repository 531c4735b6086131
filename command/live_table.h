// SPDX-License-Identifier: Apache-2.0
// What the screen of `genesys trace --live` shows, without the screen: rows of calls and of kernels since the last
// refresh, and the calls that are in flight.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "histogram.h"
#include "recording.h"

namespace genesys::command {

// A call that is in flight, as the control socket says.
struct waiting_call {
  std::string state;  // "in Linux", "parked", ...
  double age_s;
  unsigned block, warp, scope, run;
  std::string kernel, name;
  std::string text;                // "read(fd=3, buf=..., count=16)"
  std::vector<std::string> paths;  // of its descriptors: "3=/tmp/x"
  // "read(3</tmp/x>) in Linux, sort_lines": in so many columns, with the ends of long paths.
  std::string shown(std::size_t columns) const;
};
// Lines of the reply to "waiting"; a line that is no such call is left out.
std::vector<waiting_call> waiting_calls(const std::string& reply);

class live_table {
 public:
  struct row {
    std::string name;
    double calls_s, errors_s;
    double median_us, p99_us, longest_us;  // in Linux
    double share;                          // of the time in Linux of all
  };
  enum class order { time, calls, errors, longest, name };
  static constexpr const char* order_names[] = {"time", "calls", "errors", "longest", "name"};

  // `kernel`: the name of the call's run.
  void add(const recorded_call& call, const std::string& name, const std::string& kernel);
  // Ends the interval, which took so long. Rows that the filter does not occur in are left out.
  void refresh(double seconds);
  std::vector<row> by_call(order by, const std::string& filter) const { return sorted(calls_, by, filter); }
  std::vector<row> by_kernel(order by, const std::string& filter) const { return sorted(kernels_, by, filter); }
  double calls_s() const { return calls_s_; }
  std::uint64_t calls() const { return all_; }

 private:
  struct sums {
    std::uint64_t calls = 0, errors = 0;
    std::int64_t ns = 0, longest_ns = 0;
    histogram times;
  };
  static std::vector<row> rows(const std::map<std::string, sums>& of, double seconds);
  static std::vector<row> sorted(std::vector<row> rows, order by, const std::string& filter);

  std::map<std::string, sums> call_sums_, kernel_sums_;  // of the interval that is under way
  std::vector<row> calls_, kernels_;                     // of the last one
  double calls_s_ = 0;
  std::uint64_t all_ = 0;
};

}  // namespace genesys::command
