// SPDX-License-Identifier: Apache-2.0
// A task with short kernels that come again and again, beside one of nice 19 with long kernels: how much longer each
// takes than alone, with the rules of the policy and without. The times are those of an H100; the machine is a model.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "machine.h"
#include "schedule/policy/priority_policy.h"

namespace genesys::schedule {
namespace {

constexpr std::uint64_t mb = 1'000'000;
constexpr task_id often = 1, rarely = 2, idle = 3;

true_kernel kernel_of(time_ns run, time_ns block, std::uint64_t bytes, bool abortable = true) {
  true_kernel made;
  made.run = run;
  made.block = block;
  made.told = {.abortable = abortable, .snapshot_bytes = bytes, .times = {run, block, 12'000}};
  return made;
}

// 256 MB changed in place in 100 us, and 23 MB in 70 ms by blocks of 3.3 ms.
const true_kernel short_kernel = kernel_of(100'000, 50'000, 256 * mb);
const true_kernel long_kernel = kernel_of(70'000'000, 3'300'000, 23 * mb);

struct scene {
  true_kernel small = short_kernel, large = long_kernel;
  // From the end of a short kernel until the next one is submitted: always so long, or by chance, on average.
  time_ns pause = 15'000;
  bool is_random = false;
  unsigned large_at_a_time = 2;
  unsigned small_at_a_time = 1;  // submitted together
};

constexpr time_ns warm_up = 200'000'000, length = 400'000'000;

// From the submission of short kernels until they are complete, on average.
double turnaround_us(const policy_options& options, const scene& of) {
  priority_policy policy(options);
  machine_times times;
  times.piece_bytes = 8 << 20;
  times.piece_wait_most = 0.4;
  times.copies_share = true;
  observer nothing;
  machine gpu(policy, times, 1, nothing);
  instance_id next = 1;
  time_ns submitted_at = 0, sum = 0;
  unsigned under_way = 0;
  unsigned completed = 0;
  std::map<instance_id, task_id> task_of;
  const auto submit = [&](task_id task) {
    task_of[next] = task;
    if (task == often) submitted_at = gpu.now();
    under_way += task == often;
    gpu.submit(task, next++, task == often ? of.small : of.large);
  };
  gpu.completes = [&](instance_id id) {
    if (task_of[id] == rarely) {
      submit(rarely);
      return;
    }
    if (--under_way != 0) return;
    if (gpu.now() > warm_up) {
      sum += gpu.now() - submitted_at;
      ++completed;
    }
    std::exponential_distribution<double> pauses(1.0 / static_cast<double>(of.pause));
    const time_ns pause = of.is_random ? static_cast<time_ns>(pauses(gpu.random())) + 1 : of.pause;
    gpu.at(gpu.now() + pause, [&] {
      for (unsigned i = 0; i < of.small_at_a_time; ++i) submit(often);
    });
  };
  gpu.at(1, [&] {
    for (const auto& [task, nice] : {std::pair{often, 0}, {rarely, nice_least}, {idle, -10}})
      gpu.report({.kind = event_kind::task_added, .task = task, .nice = nice});
    for (unsigned i = 0; i < of.large_at_a_time; ++i) submit(rarely);
    submit(often);
  });
  gpu.run(length);
  return completed == 0 ? 1e9 : static_cast<double>(sum) / completed / 1e3;
}

policy_options without_rules() {
  policy_options options;
  options.hold_max = options.undivided_max = options.gap_max = 0;
  return options;
}

// The turnaround beside the other task over that alone, under the same rules: with none of them, with one, with all.
struct slowdown {
  double none = 0, hold = 0, undivided = 0, gap = 0, all = 0;
};
slowdown measure(const char* what, const scene& of) {
  const policy_options all, none = without_rules();
  policy_options hold = none, undivided = none, gap = none;
  hold.hold_max = all.hold_max;
  undivided.undivided_max = all.undivided_max;
  gap.gap_max = all.gap_max;
  scene alone = of;
  alone.large_at_a_time = 0;
  const double none_us = turnaround_us(none, alone), all_us = turnaround_us(all, alone);
  const slowdown seen{turnaround_us(none, of) / none_us, turnaround_us(hold, of) / none_us,
                      turnaround_us(undivided, of) / turnaround_us(undivided, alone), turnaround_us(gap, of) / none_us,
                      turnaround_us(all, of) / all_us};
  std::printf(
      "%-28s alone %6.1f us, all rules %6.1f; times: none %7.2f hold %7.2f undivided %7.2f gap %7.2f all %5.2f\n", what,
      none_us, all_us, seen.none, seen.hold, seen.undivided, seen.gap, seen.all);
  return seen;
}

TEST(PolicyCriticalPath, ShortKernelsBesideLongOnes) {
  const slowdown seen = measure("short", {});
  EXPECT_GT(seen.none, 50);
  EXPECT_LE(seen.hold, 1.15);
  EXPECT_LE(seen.all, 1.15);
}

// A snapshot is worth it here.
TEST(PolicyCriticalPath, LongerKernels) {
  const slowdown seen = measure("1 ms", {.small = kernel_of(1'000'000, 500'000, 256 * mb)});
  EXPECT_GT(seen.none, 10);
  EXPECT_LE(seen.all, 1.15);
}

TEST(PolicyCriticalPath, OthersWriteALot) {
  const slowdown seen = measure("1 ms, others write 4 GB", {.small = kernel_of(1'000'000, 500'000, 256 * mb),
                                                            .large = kernel_of(70'000'000, 3'300'000, 4000 * mb)});
  EXPECT_LE(seen.all, 1.15);
}

TEST(PolicyCriticalPath, OthersCannotBeAborted) {
  const slowdown seen = measure("not abortable", {.large = kernel_of(70'000'000, 3'300'000, 0, false)});
  EXPECT_GT(seen.none, 10);
  EXPECT_LE(seen.all, 1.15);
}

TEST(PolicyCriticalPath, OthersCannotBeAbortedLongerKernels) {
  const slowdown seen = measure("1 ms, not abortable", {.small = kernel_of(1'000'000, 500'000, 256 * mb),
                                                        .large = kernel_of(70'000'000, 3'300'000, 0, false)});
  EXPECT_GT(seen.none, 10);
  EXPECT_LE(seen.all, 1.15);
}

TEST(PolicyCriticalPath, RandomPauses) {
  EXPECT_LE(measure("random pauses", {.is_random = true}).all, 1.15);
  EXPECT_LE(
      measure("random, not abortable", {.large = kernel_of(70'000'000, 3'300'000, 0, false), .is_random = true}).all,
      1.5);
}

TEST(PolicyCriticalPath, LongPauses) {
  EXPECT_LE(measure("pauses of 0.2 ms", {.pause = 200'000}).all, 1.3);
  EXPECT_LE(measure("1 ms, pauses of 0.2 ms", {.small = kernel_of(1'000'000, 500'000, 256 * mb), .pause = 200'000}).all,
            1.15);
}

TEST(PolicyCriticalPath, SeveralKernelsAtATime) {
  EXPECT_LE(measure("4 at a time", {.small_at_a_time = 4}).all, 1.15);
  scene of{.small = kernel_of(1'000'000, 500'000, 256 * mb), .small_at_a_time = 4};
  EXPECT_LE(measure("4 of 1 ms at a time", of).all, 1.15);
  of.large = kernel_of(70'000'000, 3'300'000, 0, false);
  EXPECT_LE(measure("4 of 1 ms, not abortable", of).all, 1.15);
}

TEST(PolicyCriticalPath, OthersWithoutEstimates) {
  scene of;
  of.large.told.times = {};
  EXPECT_LE(measure("times not known", of).all, 1.7);  // one nice value each aging_step, and then a whole run
}

TEST(PolicyCriticalPath, OthersWithOneLongBlock) {
  EXPECT_LE(measure("blocks of 70 ms", {.large = kernel_of(70'000'000, 70'000'000, 23 * mb)}).all, 1.15);
}

TEST(PolicyCriticalPath, OthersWithShortBlocks) {
  EXPECT_LE(measure("blocks of 10 us", {.large = kernel_of(70'000'000, 10'000, 23 * mb)}).all, 1.15);
}

}  // namespace
}  // namespace genesys::schedule
