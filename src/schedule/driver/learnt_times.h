// SPDX-License-Identifier: Apache-2.0
// What the driver learns of a kernel's times from its launches, for each kernel, shape of launch, and order of
// magnitude of its arguments: a loop to n takes as long as n says. The driver calls it under its lock. All of it are
// hints.
//
// Block times are measured in the first launches of a kernel and shape, whose code is timed (block_timer.h), and in
// some launches after the run time has changed by more than a factor of 2. Until then, and for kernels that cannot be
// timed, blocks are taken to come in waves of equal length.
#pragma once

#include <map>

#include "schedule/driver/execution.h"

namespace genesys::schedule {

class learnt_times {
 public:
  static constexpr unsigned timed_launches = 3;
  // So many runs are taken to their least: the first launches of a kernel also load its code.
  static constexpr unsigned first_runs = 8;

  // So many orders of magnitude of a kernel and shape have times of their own. All others share theirs.
  static constexpr std::size_t magnitudes_max = 16;

  static constexpr unsigned raiser_runs = 3;
  static constexpr double raiser_cost_max = 0.2;

  struct key {
    kernel_id kernel = 0;
    std::uint64_t blocks = 0, threads = 0;
    std::uint64_t magnitudes = 0;  // of the arguments, see of(); 0: they are not known, or it stands for all others
    auto operator<=>(const key&) const = default;
  };
  static key of(kernel_id kernel, const kernel_launch& what);

  // 0 in what is not known.
  kernel_times operator[](const key& of) const;
  // Whether the next launch should measure its blocks.
  bool wants_blocks(const key& of) const;

  // An undisturbed launch took so long; `at_a_time` blocks run at a time (0: not known).
  void ran(const key& of, time_ns run, std::uint64_t at_a_time);
  // An undisturbed launch with polls took so long, beside the resident raiser or without it.
  void ran_with_polls(const key& of, time_ns run, bool is_beside_raiser);
  // Whether the next launch should have the resident raiser beside it: a few have, then a few have not, and then those
  // that it makes longer by at most raiser_cost_max.
  bool bears_raiser(const key& of) const;

  // From the abort of a launch until the driver learnt of its end. The next launch begins before that: when the blocks
  // have left. The shortest time is nearest to it.
  void left(const key& of, time_ns abort);

  // A launch begins to measure its blocks. Returns how many did so before.
  unsigned timing_begins(const key& of);
  // It does not: it was aborted, or not launched. Another one may.
  void timing_failed(const key& of);
  // It ended whole, and the longest of its sampled blocks took so long.
  void timed(const key& of, time_ns longest_block);

  // From an earlier process: what is not known is taken from it.
  void recall(const key& of, const kernel_times& earlier);
  // Calls `show(key, times)` for each kernel and shape whose blocks were measured in this process.
  template <class function>
  void for_each_measured(function show) const {
    for (const auto& [of, all] : known_) {
      for (const auto& [magnitudes, one] : all) {
        if (one.is_measured && one.runs != 0) show(key{of.kernel, of.blocks, of.threads, magnitudes}, one.times);
      }
    }
  }

 private:
  struct repeated {
    time_ns run = 0;
    unsigned runs = 0;
    void add(time_ns seen);
  };
  struct learnt {
    kernel_times times;
    repeated beside_raiser, without_raiser;  // with polls
    unsigned runs = 0;                       // that were learnt, at most first_runs
    unsigned timings = 0;                    // launches that measured their blocks, or do so
    time_ns run_at_times = 0;                // the run time for which the block time holds; 0: not known yet
    bool is_measured = false;                // times.block is
    bool is_stale = false;                   // the next measurement replaces it
  };
  const learnt* find(const key& of) const;
  learnt& at(const key& of);

  using by_magnitudes = std::map<std::uint64_t, learnt>;
  std::map<key, by_magnitudes> known_;  // by kernel and shape: their magnitudes are 0
};

}  // namespace genesys::schedule
