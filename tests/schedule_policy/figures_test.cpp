// SPDX-License-Identifier: Apache-2.0
// Figures 12, 13 and 15 of the paper in the simulated machine, with the numbers of its Tables 2 and 3: a check that the
// policy does on the paper's machine what the paper reports, and no substitute for a measurement on a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "broken_policy.h"
#include "machine.h"
#include "schedule/policy/priority_policy.h"

namespace genesys::schedule {
namespace {

struct program {
  const char* name;
  unsigned kernels;
  double snapshot_mb, kernel_ms, turnaround_s;
  int idempotent_of_2;  // how many of two kernels are idempotent
};
constexpr program programs[] = {
    {"NN", 1, 60.00, 10.38, 0.68, 2},   {"BP", 2, 6.79, 15.74, 0.39, 0},     {"PF", 5, 38.84, 609.0, 3.50, 2},
    {"BFS", 24, 21.94, 4.57, 0.91, 0},  {"KM", 38, 67.60, 115.01, 8.40, 2},  {"3D", 100, 24.00, 10.78, 11.82, 2},
    {"LUD", 190, 4.15, 2.35, 10.18, 0}, {"NW", 255, 32.47, 0.29, 0.67, 0},   {"GE", 510, 0.50, 0.26, 0.40, 1},
    {"MC", 3913, 1.76, 0.13, 8.63, 2},  {"CFD", 14004, 7.24, 5.53, 99.99, 2}};

constexpr double copy_bytes_per_ns = 3.1;  // the paper: a snapshot of NW takes 36 times as long as its kernel

true_kernel kernel_of(double ms, double mb, bool idempotent, bool abortable) {
  true_kernel made;
  made.run = static_cast<time_ns>(ms * 1e6);
  made.block = std::min<time_ns>(made.run, 190'000);  // Figure 16: blocks take up to that
  made.told = {.idempotent = idempotent,
               .abortable = abortable,
               .snapshot_bytes = static_cast<std::uint64_t>(mb * 1e6),
               .times = {made.run, made.block, 16'000}};  // Figure 16: aborts take up to that
  return made;
}

// Task 1 is a program that computes on the CPU before each kernel; tasks 2 and up submit one kernel after the other.
double turnaround_s(policy& under_test, const program& of, int nice, unsigned disturbers, double disturber_ms,
                    bool abortable) {
  machine_times times;
  times.copy_bytes_per_ns = copy_bytes_per_ns;
  times.action_most = 10'000;
  times.piece_bytes = 5 << 20;
  observer nothing;
  machine gpu(under_test, times, 1, nothing);
  const double gpu_s = of.kernels * of.kernel_ms / 1e3;
  const auto cpu_ns = static_cast<time_ns>(std::max(0.0, of.turnaround_s - gpu_s) / of.kernels * 1e9);
  instance_id next = 1;
  unsigned finished = 0;
  time_ns end = 0;
  std::map<instance_id, task_id> task_of;
  const auto submit = [&](task_id task) {
    task_of[next] = task;
    const bool idempotent = task == 1 && static_cast<int>(finished % 2) < of.idempotent_of_2;
    gpu.submit(task, next++,
               task == 1 ? kernel_of(of.kernel_ms, of.snapshot_mb, idempotent, abortable)
                         : kernel_of(disturber_ms, 23, false, abortable));
  };
  gpu.completes = [&](instance_id id) {
    const task_id task = task_of[id];
    if (task != 1) {
      if (finished < of.kernels) submit(task);
    } else if (++finished < of.kernels) {
      gpu.at(gpu.now() + cpu_ns, [&] { submit(1); });
    } else {
      end = gpu.now();
    }
  };
  gpu.at(1, [&] {
    gpu.report({.kind = event_kind::task_added, .task = 1, .nice = nice});
    for (task_id task = 2; task < 2 + disturbers; ++task) {
      gpu.report({.kind = event_kind::task_added, .task = task, .nice = nice_least});
      submit(task);
    }
    // It snapshots only if a more important task is there.
    gpu.report({.kind = event_kind::task_added, .task = 100, .nice = nice_emergency});
  });
  gpu.at(1 + cpu_ns, [&] { submit(1); });
  gpu.run(never - 1);
  return static_cast<double>(end) / 1e9;
}

policy_options of_paper() {
  policy_options options;
  options.copy_bytes_per_ns = copy_bytes_per_ns;
  options.launches_max = 1;
  return options;
}

policy_options figures_without_aging() {
  policy_options options = of_paper();
  options.aging_step = 0;
  options.aborts_max = 0;
  return options;
}

void expect_figure(unsigned disturbers, double disturber_ms) {
  std::printf("%u M-Bench of %.0f ms: turnaround over alone: without preemption, common, emergency\n", disturbers,
              disturber_ms);
  for (const program& each : programs) {
    // Each kernel in its order, whoever is more important, and none is aborted.
    broken_policy plain(fault::never_preempts, figures_without_aging());
    priority_policy common(of_paper()), emergency(of_paper());
    const double alone = std::max(each.turnaround_s, each.kernels * each.kernel_ms / 1e3);
    const double in_order = turnaround_s(plain, each, 0, disturbers, disturber_ms, false) / alone;
    const double as_common = turnaround_s(common, each, 0, disturbers, disturber_ms, true) / alone;
    const double as_emergency = turnaround_s(emergency, each, nice_emergency, disturbers, disturber_ms, true) / alone;
    std::printf("  %-4s %8.2f %6.2f %6.2f\n", each.name, in_order, as_common, as_emergency);
    EXPECT_LE(as_emergency, 1.15) << each.name;
    if (std::string(each.name) == "NW") {
      EXPECT_NEAR(as_common, 5.1, 0.5);
    } else {
      EXPECT_LE(as_common, 1.28) << each.name;
    }
    if (std::string(each.name) == "GE") {
      EXPECT_GT(in_order, 50);
    }
  }
}

TEST(PolicyFigures, Figure12OneTask) { expect_figure(1, 70); }
TEST(PolicyFigures, Figure12TwoTasks) { expect_figure(2, 70); }
TEST(PolicyFigures, Figure13LongKernels) { expect_figure(1, 609); }

// Turnaround over alone of a task of nice 19 with ten kernels, beside kernels of 70 ms and nice 0 in an interval.
double lowest_turnaround(const policy_options& options, double kernel_ms, double interval_ms) {
  priority_policy policy(options);
  machine_times times;
  times.copy_bytes_per_ns = copy_bytes_per_ns;
  observer nothing;
  machine gpu(policy, times, 1, nothing);
  constexpr unsigned kernels = 10;
  unsigned finished = 0;
  instance_id next = 1, running_high = 0;
  time_ns end = never;
  const true_kernel low = kernel_of(kernel_ms, 23, true, true), high = kernel_of(70, 23, true, true);
  std::map<instance_id, bool> is_low;
  const auto submit = [&](bool lower) {
    is_low[next] = lower;
    gpu.submit(lower ? 1 : 2, next, lower ? low : high);
    return next++;
  };
  std::function<void()> tick = [&] {
    if (end != never) return;
    if (running_high == 0) running_high = submit(false);
    gpu.at(gpu.now() + static_cast<time_ns>(interval_ms * 1e6), tick);
  };
  gpu.completes = [&](instance_id id) {
    if (id == running_high) running_high = 0;
    if (!is_low[id]) return;
    if (++finished == kernels) {
      end = gpu.now();
    } else {
      submit(true);
    }
  };
  gpu.at(1, [&] {
    gpu.report({.kind = event_kind::task_added, .task = 1, .nice = nice_least});
    gpu.report({.kind = event_kind::task_added, .task = 2, .nice = 0});
    tick();
    submit(true);
  });
  const double alone_ns = kernels * kernel_ms * 1e6;
  gpu.run(static_cast<time_ns>(1e11 + 100 * alone_ns));
  return end == never ? -1 : static_cast<double>(end) / alone_ns;
}

TEST(PolicyFigures, Figure15LowestFinishesAtEveryInterval) {
  bool starves = false;
  std::printf("kernel ms, interval ms: with aging, without (-1: never)\n");
  for (const double kernel_ms : {4.0, 16.0, 32.0, 70.0, 256.0}) {
    for (const double interval_ms : {4.0, 16.0, 70.0, 128.0, 512.0}) {
      const double aging = lowest_turnaround(of_paper(), kernel_ms, interval_ms);
      const double none = lowest_turnaround(figures_without_aging(), kernel_ms, interval_ms);
      std::printf("  %4.0f %4.0f %8.1f %8.1f\n", kernel_ms, interval_ms, aging, none);
      EXPECT_GT(aging, 0) << kernel_ms << " ms, interval " << interval_ms;
      starves = starves || none < 0;
    }
  }
  EXPECT_TRUE(starves);  // without aging, as in the paper
}

}  // namespace
}  // namespace genesys::schedule
