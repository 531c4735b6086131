// SPDX-License-Identifier: Apache-2.0
// What every bench needs: its options, rounds of several works by turns, and figures with their spread, as a table and
// as JSON. A bench is
//
//   int main(int argc, char** argv) {
//     measure::bench all("name", "What it measures, in a sentence.");
//     all.option("--calls", calls, "calls a round");
//     all.part("latency", "blocking getppid from one thread, against a ping-pong", latency);   // void latency(bench&)
//     return all.main(argc, argv);
//   }
//
// and each part measures and keeps:
//
//   const auto [floor, call] = all.by_turns(7, [&] { ping_pong(calls); }, [&] { ask(calls); });
//   const auto floor_us = measure::each_us(floor, calls), call_us = measure::each_us(call, calls);
//   all.keep("ping_pong", "us", floor_us);
//   all.keep("getppid", "us", call_us);
//   all.keep("getppid_to_ping_pong", "ratio", measure::ratios(call_us, floor_us));
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "genesys/genesys.h"

namespace measure {

using clock = std::chrono::steady_clock;
using numbers = std::vector<double>;  // the value of a figure in each round

double seconds_since(clock::time_point begin);
double median(numbers of);
// The value below which `share` (0 to 1) of the numbers lie.
double quantile(numbers of, double share);

// The cost of one run of a work.
struct cost {
  double seconds;  // wall clock
  double user_s;   // CPU time of all threads of this process
  double system_s;
};
cost timed(const std::function<void()>& what);

using costs = std::vector<cost>;  // of each round
// For `count` calls in each round: microseconds for each, and millions in a second; for `bytes`: gigabytes in a second.
numbers each_us(const costs& rounds, double count);
numbers millions_per_second(const costs& rounds, double count);
numbers gigabytes_per_second(const costs& rounds, double bytes);
// How many cores this process used in each round, in user space and in Linux.
numbers user_cores(const costs& rounds);
numbers system_cores(const costs& rounds);
// Round by round, because works of one round meet the same state of the machine.
numbers ratios(const numbers& of, const numbers& to);
numbers scaled(numbers of, double by);

class bench {
 public:
  bench(std::string name, std::string about);
  ~bench();
  bench(const bench&) = delete;
  bench& operator=(const bench&) = delete;

  // --- Before main().
  void option(const char* flag, unsigned& into, const char* what);
  void option(const char* flag, std::string& into, const char* what);
  // Adds a part. Parts run in this order; `--only NAME` chooses some.
  void part(const char* name, const char* what, std::function<void(bench&)> run);
  // Parses the options, runs the parts, prints, and writes the file of --json. Returns the program's exit status: 0, 1
  // (failed), 2 (wrong usage).
  int main(int argc, char** argv);

  // --- In parts.
  bool quick() const;  // whether a part does less: seconds, not minutes
  bool on_gpu();
  // As the options say (--device, --workers, --queues); a part may change its copy.
  genesys::options runtime_options() const;
  // The runtime of all parts that need no options of their own; constructed at the first call.
  genesys::runtime& runtime();

  // Runs each work in turn, `rounds` times, after one round that does not count.
  template <class... F>
  static std::array<costs, sizeof...(F)> by_turns(unsigned rounds, const F&... each) {
    std::array<costs, sizeof...(F)> all;
    (timed(each), ...);
    for (unsigned round = 0; round < rounds; ++round) {
      std::size_t which = 0;
      (all[which++].push_back(timed(each)), ...);
    }
    return all;
  }

  // Prints and keeps a figure. ./dev bench --quick compares figures of unit "ratio" with the stored ones, because these
  // depend less on the machine.
  void keep(const std::string& name, const char* unit, const numbers& rounds);
  void keep(const std::string& name, const char* unit, double value) { keep(name, unit, numbers{value}); }
  // Keeps a point of the line `line` of the plot `plot`: at `x`, in x_unit. All points of a plot have the same units.
  void keep_at(const std::string& plot, const std::string& line, const char* x_unit, double x, const char* unit,
               const numbers& rounds);
  // Keeps every value of a distribution: printed as quantiles, kept as these and as counts in bins of 2 %.
  void keep_each(const std::string& name, const char* unit, numbers values);

 private:
  struct parts;
  std::unique_ptr<parts> in_;
};

// The bench cannot go on. main() prints the text and returns 1.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace measure
