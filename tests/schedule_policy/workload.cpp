// SPDX-License-Identifier: Apache-2.0
#include "workload.h"

#include <algorithm>
#include <cmath>
#include <exception>

namespace genesys::schedule {
namespace {

struct dice {
  std::mt19937_64 random;

  bool chance(double probability) { return std::bernoulli_distribution(probability)(random); }
  std::uint64_t from_to(std::uint64_t least, std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
  }
  // As many small values as large ones, by order of magnitude.
  std::uint64_t log_from_to(double least, double most) {
    return static_cast<std::uint64_t>(
        std::exp(std::uniform_real_distribution<double>(std::log(least), std::log(most))(random)));
  }
  time_ns estimate(time_ns truth) {
    if (chance(0.2)) return 0;
    return static_cast<time_ns>(static_cast<double>(truth) * std::uniform_real_distribution<double>(0.5, 2)(random));
  }
};

true_kernel random_kernel(dice& by, kernel_id id) {
  true_kernel made;
  made.run = by.log_from_to(5e3, 2e6);
  made.block = by.chance(0.3) ? made.run : made.run / by.from_to(2, 100);
  made.told.kernel = id;
  made.told.idempotent = by.chance(0.5);
  made.told.abortable = by.chance(0.75);
  made.told.snapshot_bytes = by.log_from_to(4096, 1e9);
  made.told.times = {by.estimate(made.run), by.estimate(made.block), by.from_to(4'000, 15'000)};
  if (made.told.abortable && by.chance(0.2)) {
    made.revised = made.told;
    made.told.abortable = false;
    made.told.leaves_space = true;
  }
  return made;
}

}  // namespace

time_ns workload::work() const {
  time_ns sum = 0;
  for (const submission& each : submissions) sum += each.kernel.run;
  return sum;
}

workload random_workload(std::uint64_t seed, bool with_emergency) {
  dice by{std::mt19937_64(seed)};
  workload made;
  instance_id next = 1;
  const int values[] = {nice_emergency, nice_most, -10, 0, 0, 1, 10, nice_least};
  const time_ns length = by.log_from_to(5e4, 1e7);
  const std::uint64_t tasks = by.from_to(2, 6);
  for (task_id task = 1; task <= tasks; ++task) {
    const int nice = values[by.from_to(with_emergency ? 0 : 1, std::size(values) - 1)];
    const time_ns added = by.chance(0.7) ? 1 : by.from_to(1, length);
    made.tasks.push_back({task, nice, added});
    std::vector<true_kernel> kernels;
    for (std::uint64_t i = by.from_to(1, 3); i > 0; --i)
      kernels.push_back(random_kernel(by, task * 10 + static_cast<kernel_id>(i)));
    time_ns when = by.from_to(added, added + length);
    for (std::uint64_t i = by.from_to(1, 12); i > 0; --i) {
      made.submissions.push_back({task, next++, when, kernels[by.from_to(0, kernels.size() - 1)]});
      workload::submission& last = made.submissions.back();
      if (last.kernel.told.leaves_space && by.chance(0.7)) last.revised_at = when + by.from_to(0, length / 2);
      if (by.chance(0.6)) when += by.from_to(0, length / 4);
    }
  }
  return made;
}

simulated simulate(policy& under_test, const workload& load, const policy_options& options, bool checks_inversion,
                   std::uint64_t seed) {
  machine_times times;
  times.copy_bytes_per_ns = options.copy_bytes_per_ns;
  times.piece_wait_most = 0.4;
  times.copies_share = true;
  checker seen(options, times, checks_inversion);
  machine gpu(under_test, times, seed, seen);
  seen.watch(gpu);
  time_ns last = 0;
  for (const auto& each : load.tasks) {
    gpu.at(each.at, [&gpu, each] { gpu.report({.kind = event_kind::task_added, .task = each.id, .nice = each.nice}); });
  }
  for (const auto& each : load.submissions) {
    seen.knows(each.id, each.task, each.kernel);
    gpu.at(each.at, [&gpu, each] { gpu.submit(each.task, each.id, each.kernel); });
    if (each.revised_at != never) gpu.at(each.revised_at, [&gpu, each] { gpu.revise(each.id); });
    last = std::max(last, each.at);
  }
  simulated result;
  try {
    gpu.run(last + 100 * load.work() + 10'000'000'000);
    seen.expect_all_complete();
    result.violations = seen.violations();
    result.first = seen.first();
  } catch (const std::exception& failed) {
    result.violations = seen.violations();
    ++result.violations["refused an event"];
    result.first = seen.first().empty() ? failed.what() : seen.first();
  }
  result.ended_at = gpu.now();
  result.longest_inversion = seen.longest_inversion();
  result.longest_abortable = seen.longest_abortable_inversion();
  result.longest_as_oldest = seen.longest_as_oldest();
  return result;
}

}  // namespace genesys::schedule
