// SPDX-License-Identifier: Apache-2.0
// Figures 12, 13 and 14 of the paper: how much longer programs take beside others. Each time is divided by that of the
// same launches alone in an ordinary stream.
#include <algorithm>
#include <future>

#include "schedule/figures.h"
#include "schedule/m_bench.h"

namespace schedule_bench {
namespace {

struct others {
  const char* name;
  unsigned tasks;
  double kernel_ms;
};
// Figure 12 has one and two tasks, Figure 13 two lengths of the kernel.
constexpr others beside_what[] = {
    {"1x70", 1, m_bench_mean_ms}, {"2x70", 2, m_bench_mean_ms}, {"1x609", 1, m_bench_longest_ms}};

// Without the scheduler each launch waits for a whole kernel of each other task. So a program makes as many launches as
// there is time for.
std::size_t launches_for(const program& one, const others& with, double limit_s) {
  const double each_s = with.kernel_ms * with.tasks / 1e3;
  return static_cast<std::size_t>(std::clamp(limit_s / each_s, 1.0, static_cast<double>(one.launches())));
}

void beside_unmodified(bench& all, const others& with, unsigned turns) {
  const double limit_s = all.quick() ? 0.1 : 0.25;
  plain_stream in;
  std::map<std::string, double> alone_s;
  for (const std::string& name : chosen()) {
    const program& one = prepared(name);
    const std::size_t count = launches_for(one, with, limit_s);
    const auto [rounds] = bench::by_turns(3, [&] { one.run_plain(count, in); });
    alone_s[name] = measure::median(measure::each_us(rounds, 1)) / 1e6;
  }
  std::vector<std::unique_ptr<m_bench_stream>> running_beside;
  for (unsigned i = 0; i < with.tasks; ++i) running_beside.push_back(std::make_unique<m_bench_stream>(turns));
  wait_us(2e3 * with.kernel_ms);
  for (const std::string& name : chosen()) {
    const program& one = prepared(name);
    const std::size_t count = launches_for(one, with, limit_s);
    numbers ratios;
    for (unsigned round = 0; round < (all.quick() || with.kernel_ms > m_bench_mean_ms ? 1 : 2); ++round) {
      ratios.push_back(measure::timed([&] { one.run_plain(count, in); }).seconds / alone_s[name]);
    }
    all.keep("beside_unmodified_" + name + "_" + with.name, "ratio", ratios);
  }
}

// A more important task is registered before M-Bench begins, so that snapshots of it are taken; and one for the
// program.
void beside_scheduled(bench& all, const others& with, unsigned turns, std::map<std::string, double>& worst) {
  genesys::scheduler& of = common().all;
  for (const std::string& name : chosen()) (void)prepared(name);
  const genesys::task registered = of.add_task(-20);
  std::vector<std::unique_ptr<m_bench_task>> running_beside;
  for (unsigned i = 0; i < with.tasks; ++i) running_beside.push_back(std::make_unique<m_bench_task>(of, turns));
  wait_us(2e3 * with.kernel_ms);
  for (const std::string& name : chosen()) {
    const program& one = prepared(name);
    for (const int nice : {0, -20}) {
      const genesys::task as = of.add_task(nice), important = of.add_task(nice == 0 ? -10 : -20);
      const auto [rounds] = bench::by_turns(all.quick() ? 1 : 3, [&] { one.run(as, genesys::rerun::as_classified); });
      const numbers ratios = measure::scaled(measure::each_us(rounds, 1), 1e-6 / one.alone_s);
      const std::string kind = nice == 0 ? "common" : "emergency";
      all.keep("beside_" + kind + "_" + name + "_" + with.name, "ratio", ratios);
      worst[kind] = std::max(worst[kind], measure::median(ratios));
    }
  }
}

// Runs all at the same time. Seconds until each has ended.
numbers at_once(const std::vector<std::function<void()>>& each) {
  std::atomic<unsigned> ready{0};
  std::vector<std::future<double>> ends;
  for (const auto& one : each) {
    ends.push_back(std::async(std::launch::async, [&ready, &each, &one] {
      ++ready;
      while (ready < each.size()) {
      }
      return measure::timed(one).seconds;
    }));
  }
  numbers seconds;
  for (auto& end : ends) seconds.push_back(end.get());
  return seconds;
}

}  // namespace

void beside(bench& all) {
  std::map<std::string, double> worst;
  for (const others& with : beside_what) {
    const unsigned turns = turns_for(with.kernel_ms);
    beside_unmodified(all, with, turns);
    beside_scheduled(all, with, turns, worst);
  }
  for (const auto& [kind, ratio] : worst) all.keep("beside_" + kind + "_worst", "ratio", ratio);
}

void three(bench& all) {
  shared& of = common();
  for (const std::string& name : chosen()) {
    const program& first = prepared(name);
    const auto second = workloads::make(of.all, of.code, name), third = workloads::make(of.all, of.code, name);
    const std::array<const workloads::workload*, 3> each{first.work.get(), second.get(), third.get()};
    const std::array<int, 3> nices{-10, 0, 10};
    std::array<genesys::task, 3> tasks;
    std::array<plain_stream, 3> streams;
    std::vector<std::function<void()>> scheduled, unmodified;
    for (std::size_t i = 0; i < 3; ++i) {
      tasks[i] = of.all.add_task(nices[i]);
      scheduled.push_back([&, i] {
        for (unsigned time = 0; time < first.times; ++time) {
          for (const auto& launch : each[i]->launches) launch(tasks[i], genesys::rerun::as_classified);
        }
        tasks[i].wait();
      });
      unmodified.push_back([&, i] {
        for (unsigned time = 0; time < first.times; ++time) {
          for (const auto& launch : each[i]->plain) launch(streams[i].get());
        }
        streams[i].wait();
      });
    }
    std::array<numbers, 3> ratios;
    numbers plain_ratios, totals;
    for (unsigned round = 0; round < (all.quick() ? 1 : 3); ++round) {
      const numbers plain_s = at_once(unmodified), seconds = at_once(scheduled);
      for (std::size_t i = 0; i < 3; ++i) ratios[i].push_back(seconds[i] / first.alone_s);
      const double slowest_s = *std::max_element(plain_s.begin(), plain_s.end());
      for (const double one : plain_s) plain_ratios.push_back(one / first.alone_s);
      totals.push_back(*std::max_element(seconds.begin(), seconds.end()) / slowest_s);
    }
    all.keep("three_high_" + name, "ratio", ratios[0]);
    all.keep("three_middle_" + name, "ratio", ratios[1]);
    all.keep("three_low_" + name, "ratio", ratios[2]);
    all.keep("three_unmodified_" + name, "ratio", plain_ratios);
    all.keep("three_total_" + name, "ratio", totals);
  }
}

}  // namespace schedule_bench
