// SPDX-License-Identifier: Apache-2.0
// Progress under a load that never ends: tasks that submit their next kernel as soon as one is complete.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "checker.h"
#include "driven.h"
#include "schedule/policy/priority_policy.h"

namespace genesys::schedule {
namespace {

struct endless_task {
  task_id id;
  int nice;
  true_kernel kernel;
  std::uint64_t completed = 0;
};

struct endless_run {
  std::vector<endless_task> tasks;
  std::map<std::string, unsigned> violations;
  time_ns longest_as_oldest = 0, longest_kernel = 0;
};

true_kernel kernel_of(time_ns run, bool idempotent, bool abortable) {
  true_kernel made;
  made.run = run;
  made.block = run / 4;
  made.told = {
      .idempotent = idempotent, .abortable = abortable, .snapshot_bytes = 1 << 20, .times = {run, run / 4, 12'000}};
  return made;
}

endless_run run_endless(std::vector<endless_task> tasks, const policy_options& options, time_ns length,
                        std::uint64_t seed) {
  priority_policy policy(options);
  const machine_times times;
  checker seen(options, times, false);
  machine gpu(policy, times, seed, seen);
  seen.watch(gpu);
  std::map<instance_id, task_id> task_of;
  instance_id next = 1;
  const auto submit = [&](endless_task& of) {
    const instance_id id = next++;
    task_of[id] = of.id;
    seen.knows(id, of.id, of.kernel);
    gpu.submit(of.id, id, of.kernel);
  };
  gpu.completes = [&](instance_id id) {
    endless_task& of = tasks[task_of[id] - 1];
    ++of.completed;
    submit(of);
  };
  for (endless_task& each : tasks) {
    gpu.at(each.id, [&, to = &each] {
      gpu.report({.kind = event_kind::task_added, .task = to->id, .nice = to->nice});
      for (int i = 0; i < 3; ++i) submit(*to);  // so the task is never without an instance
    });
  }
  gpu.run(length);
  endless_run result{tasks, seen.violations(), seen.longest_as_oldest()};
  for (const endless_task& each : tasks) result.longest_kernel = std::max(result.longest_kernel, each.kernel.run);
  return result;
}

std::vector<endless_task> random_tasks(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto from_to = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
  std::vector<endless_task> made;
  for (int i = from_to(2, 5); i > 0; --i) {
    made.push_back({static_cast<task_id>(made.size() + 1), from_to(nice_most, nice_least),
                    kernel_of(static_cast<time_ns>(from_to(10, 1000)) * 1000, from_to(0, 1) == 1, from_to(0, 3) != 0)});
  }
  return made;
}

policy_options with_aging() {
  policy_options options;
  options.aging_step = 200'000;
  options.aborts_max = 3;
  return options;
}

// The bound of docs/schedule-policy.md.
time_ns progress_bound(const endless_run& run, const policy_options& options) {
  const machine_times times;
  const time_ns delay = times.drop_most + 2 * (times.event_most + times.action_most) + 50'000;
  const time_ns once = run.longest_kernel + delay;
  return static_cast<time_ns>(nice_least - nice_most + 1) * std::max(options.aging_step, once) +
         (options.aborts_max + 1) * once + 2 * run.tasks.size() * options.launches_max * once;
}

TEST(PolicyAging, EveryTaskProgresses) {
  const policy_options options = with_aging();
  double nearest = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const endless_run run = run_endless(random_tasks(seed), options, 200'000'000, seed);
    EXPECT_TRUE(run.violations.empty()) << "seed " << seed << ": " << run.violations.begin()->first;
    for (const endless_task& each : run.tasks) EXPECT_GT(each.completed, 0u) << "seed " << seed;
    const time_ns bound = progress_bound(run, options);
    EXPECT_LE(run.longest_as_oldest, bound) << "seed " << seed;
    nearest = std::max(nearest, static_cast<double>(run.longest_as_oldest) / static_cast<double>(bound));
  }
  std::printf("longest time as the oldest instance: %.2f of the bound\n", nearest);
}

// A task of nice 19 with long kernels beside one of nice 0 with short ones that always has work.
TEST(PolicyAging, TakesABoundedShare) {
  const time_ns length = 4'000'000'000;
  for (const int nice : {nice_least, 9, 1}) {
    policy_options options = with_aging();
    options.aborts_max = 0;
    const endless_run run = run_endless(
        {{1, 0, kernel_of(100'000, true, true)}, {2, nice, kernel_of(2'000'000, true, true)}}, options, length, 1);
    const double share = static_cast<double>(run.tasks[1].completed * run.tasks[1].kernel.run) / length;
    std::printf("nice %d beside nice 0: %.3f of the GPU\n", nice, share);
    EXPECT_LE(share, 1.1 / (nice + 1));
    EXPECT_GE(share, 0.5 / (nice + 2));
  }
}

TEST(PolicyAging, WithoutItATaskStarves) {
  policy_options options = with_aging();
  options.aging_step = 0;
  options.aborts_max = 0;
  std::uint64_t starved = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    for (const endless_task& each : run_endless(random_tasks(seed), options, 200'000'000, seed).tasks)
      starved += each.completed == 0;
  }
  EXPECT_GT(starved, 0u);
}

// The limit of aborts alone, without the time, is enough for a kernel that is aborted again and again.
TEST(PolicyAging, AbortsAreLimited) {
  const auto completed = [](unsigned aborts_max) {
    policy_options options;
    options.aging_step = 0;
    options.aborts_max = aborts_max;
    options.wait_max = 0;
    priority_policy policy(options);
    const machine_times times;
    checker seen(options, times, false);
    machine gpu(policy, times, 1, seen);
    seen.watch(gpu);
    bool is_complete = false;
    gpu.completes = [&](instance_id id) { is_complete = is_complete || id == 1; };
    const true_kernel large = kernel_of(1'000'000, false, true), small = kernel_of(10'000, true, true);
    gpu.at(1, [&] {
      gpu.report({.kind = event_kind::task_added, .task = 1, .nice = 10});
      gpu.report({.kind = event_kind::task_added, .task = 2, .nice = 0});
      seen.knows(1, 1, large);
      gpu.submit(1, 1, large);
    });
    for (instance_id id = 2; id < 200; ++id) {  // one every 0.4 ms
      seen.knows(id, 2, small);
      gpu.at(id * 400'000, [&gpu, id, small] { gpu.submit(2, id, small); });
    }
    gpu.run(199 * 400'000);
    EXPECT_TRUE(seen.violations().empty()) << seen.first();
    return is_complete;
  };
  EXPECT_TRUE(completed(4));
  EXPECT_FALSE(completed(0));
}

// Aborted launches that ran for some microseconds do not show that the kernel is short: it takes the GPU for a whole
// run only after a time without progress.
TEST(PolicyAging, UnknownRunsAreNotTakenForShort) {
  driven by;
  const kernel_facts unknown{.idempotent = true, .abortable = true};
  by.submit(1, 1, unknown);
  instance_id next = 2;
  for (unsigned attempt = 1; attempt <= 40; ++attempt) {
    by.tell(event_kind::started, 1, attempt);
    EXPECT_EQ(by.submit(2, next, unknown), "raise_abort 1, launch " + std::to_string(next)) << attempt;
    by.tell(event_kind::aborted, 1, attempt);
    by.pass(200'000);  // its time to launch the next one
    EXPECT_EQ(by.tell(event_kind::finished, next), "launch 1, complete " + std::to_string(next));
    by.pass(200'000);
    ++next;
  }
}

}  // namespace
}  // namespace genesys::schedule
