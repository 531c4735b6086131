// SPDX-License-Identifier: Apache-2.0
// Figure 15 of the paper: the turnaround of one kernel of nice 19, by its length and by the pauses of a more important
// M-Bench, whose kernels take 70 ms. A kernel that does not end within a limit gives no point: the share that ended is
// kept.
#include "schedule/figures.h"
#include "schedule/m_bench.h"

namespace schedule_bench {
namespace {

struct way {
  const char* name;
  std::uint64_t aging_step_us;
  double limit_s;
};

// Negative: it did not end within the limit.
double turnaround_s(genesys::scheduler& of, unsigned turns, unsigned long_turns, double pause_ms, double limit_s) {
  const genesys::task low = of.add_task(19), high = of.add_task(-10);
  auto* const data = static_cast<float*>(of.allocate(m_bench_count * sizeof(float)));
  auto* const other = static_cast<float*>(of.allocate(m_bench_count * sizeof(float)));
  const auto begin = measure::clock::now();
  const genesys::launched end = launch_m_bench(low, data, m_bench_count, turns);
  double ended_s = -1;
  while (ended_s < 0 && measure::seconds_since(begin) < limit_s) {
    const genesys::launched one = launch_m_bench(high, other, m_bench_count, long_turns);
    const auto look = [&] {
      if (ended_s < 0 && end.is_done()) ended_s = measure::seconds_since(begin);
    };
    while (!one.is_done()) look();
    const auto pause = measure::clock::now();
    while (ended_s < 0 && measure::seconds_since(pause) * 1e3 < pause_ms) look();
  }
  low.wait();
  high.wait();
  of.free(other);
  of.free(data);
  return ended_s;
}

}  // namespace

void starving(bench& all) {
  const numbers lengths_ms = all.quick() ? numbers{4, 64} : numbers{1, 4, 16, 64};
  const numbers pauses_ms = all.quick() ? numbers{4, 64, 256} : numbers{1, 4, 16, 64, 256};
  const unsigned long_turns = turns_for(m_bench_mean_ms);
  for (const way& how : {way{"starving", 0, all.quick() ? 0.4 : 1.0}, way{"aging", 10'000, all.quick() ? 3.0 : 8.0}}) {
    genesys::scheduler of({.aging_step_us = how.aging_step_us});
    unsigned ended = 0, tried = 0;
    for (const double length_ms : lengths_ms) {
      const unsigned turns = turns_for(length_ms);
      const genesys::task once = of.add_task(0);
      auto* const data = static_cast<float*>(of.allocate(m_bench_count * sizeof(float)));
      double alone_s = 0;
      for (int i = 0; i < 3; ++i) {
        alone_s = measure::timed([&] { launch_m_bench(once, data, m_bench_count, turns).wait(); }).seconds;
      }
      of.free(data);
      char line[32];
      std::snprintf(line, sizeof line, "kernel of %g ms", length_ms);
      for (const double pause_ms : pauses_ms) {
        const double seconds = turnaround_s(of, turns, long_turns, pause_ms, how.limit_s);
        ++tried;
        if (seconds < 0) continue;
        ++ended;
        all.keep_at(how.name, line, "ms", pause_ms, "ratio", {seconds / alone_s});
      }
    }
    all.keep(std::string(how.name) + "_ended", "share", static_cast<double>(ended) / tried);
  }
}

}  // namespace schedule_bench
