// SPDX-License-Identifier: Apache-2.0
// Figures 19 and 20 and Table 3 of the paper: what the scheduler costs a program that runs alone while a more important
// task exists, what its snapshots cost, and what the programs are.
#include <algorithm>

#include "schedule/figures.h"
#include "schedule/m_bench.h"

namespace schedule_bench {
namespace {

struct snapshots {
  double count = 0, bytes = 0, us = 0, largest = 0;  // `largest`: the mean of the kernel that has the largest ones
};

snapshots taken(const std::vector<genesys::kernel_counts>& before, const std::vector<genesys::kernel_counts>& after) {
  snapshots all;
  for (const genesys::kernel_counts& now : after) {
    const auto known =
        std::find_if(before.begin(), before.end(), [&](const auto& k) { return k.kernel == now.kernel; });
    const genesys::kernel_counts then = known != before.end() ? *known : genesys::kernel_counts{};
    const auto count = static_cast<double>(now.snapshots - then.snapshots);
    const auto bytes = static_cast<double>(now.snapshot_bytes - then.snapshot_bytes);
    all.count += count;
    all.bytes += bytes;
    all.us += now.snapshot_us - then.snapshot_us;
    if (count > 0) all.largest = std::max(all.largest, bytes / count);
  }
  return all;
}

// How long each launch takes in an ordinary stream, as events in the stream see it.
numbers kernel_times_us(const program& one) {
  plain_stream in;
  const auto& launches = one.work->plain;
  std::vector<cudaEvent_t> marks(launches.size() + 1);
  for (cudaEvent_t& each : marks) workloads::check(cudaEventCreate(&each));
  one.run_plain(launches.size(), in);
  workloads::check(cudaEventRecord(marks[0], in.get()));
  for (std::size_t i = 0; i < launches.size(); ++i) {
    launches[i](in.get());
    workloads::check(cudaEventRecord(marks[i + 1], in.get()));
  }
  in.wait();
  numbers us;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    float ms = 0;
    workloads::check(cudaEventElapsedTime(&ms, marks[i], marks[i + 1]));
    us.push_back(ms * 1e3);
  }
  for (cudaEvent_t each : marks) (void)cudaEventDestroy(each);
  return us;
}

// By the size of the write set, with a kernel of some milliseconds.
void snapshots_by_size(bench& all) {
  genesys::scheduler& of = common().all;
  const genesys::task as = of.add_task(0), important = of.add_task(-10);
  const unsigned turns = turns_for(5);
  for (const unsigned mb : {1u, 4u, 16u, 64u, 256u, 1024u}) {
    const unsigned count = mb * 250'000;
    const double longer = static_cast<double>(m_bench_count) / count;
    const unsigned these = std::max(100u, static_cast<unsigned>(turns * longer));
    auto* const data = static_cast<float*>(of.allocate(count * sizeof(float)));
    for (int i = 0; i < 2; ++i) launch_m_bench(as, data, count, these).wait();
    numbers us_each;
    for (unsigned round = 0; round < (all.quick() ? 2 : 5); ++round) {
      const auto before = of.counts();
      launch_m_bench(as, data, count, these).wait();
      const snapshots one = taken(before, of.counts());
      if (one.bytes > 0) us_each.push_back(one.us / one.bytes * 1e6);
    }
    of.free(data);
    if (!us_each.empty()) all.keep_at("snapshot", "stored", "MB", mb, "us/MB", us_each);
  }
}

}  // namespace

void alone(bench& all) {
  genesys::scheduler& of = common().all;
  for (const std::string& name : chosen()) {
    const program& one = prepared(name);
    plain_stream in;
    const genesys::task common_task = of.add_task(0), emergency = of.add_task(-20);
    const auto [plain, restoring, classified, urgent] = bench::by_turns(
        all.quick() ? 2 : 5, [&] { one.run_plain(one.launches(), in); },
        [&] { one.run(common_task, genesys::rerun::after_restoring); },
        [&] { one.run(common_task, genesys::rerun::as_classified); },
        [&] { one.run(emergency, genesys::rerun::as_classified); });
    const numbers plain_us = measure::each_us(plain, 1);
    all.keep("alone_restoring_" + name, "ratio", measure::ratios(measure::each_us(restoring, 1), plain_us));
    all.keep("alone_common_" + name, "ratio", measure::ratios(measure::each_us(classified, 1), plain_us));
    all.keep("alone_emergency_" + name, "ratio", measure::ratios(measure::each_us(urgent, 1), plain_us));
    const auto before = of.counts();
    one.run(common_task, genesys::rerun::after_restoring);
    const snapshots all_of_it = taken(before, of.counts());
    if (all_of_it.bytes > 0) all.keep("snapshot_time_" + name, "us/MB", all_of_it.us / all_of_it.bytes * 1e6);
  }
  snapshots_by_size(all);
}

void programs(bench& all) {
  shared& of = common();
  for (const std::string& name : chosen()) {
    const program& one = prepared(name);
    const genesys::task as = of.all.add_task(0), important = of.all.add_task(-10);
    const auto before = of.all.counts();
    one.work->run(as, genesys::rerun::as_classified);
    const snapshots found = taken(before, of.all.counts());
    const numbers us = kernel_times_us(one);
    double sum_us = 0;
    for (const double each : us) sum_us += each;
    all.keep("kernels_" + name, "launches", static_cast<double>(us.size()));
    all.keep("kernel_mean_" + name, "us", sum_us / static_cast<double>(us.size()));
    all.keep("kernel_longest_" + name, "us", *std::max_element(us.begin(), us.end()));
    all.keep("snapshots_" + name, "launches", found.count);
    if (found.count > 0) {
      all.keep("snapshot_size_" + name, "MB", found.bytes / found.count / 1e6);
      all.keep("snapshot_largest_" + name, "MB", found.largest / 1e6);
    }
    // From nothing to the results in host memory; the input's construction counts.
    const double whole_s = measure::timed([&] {
                             const auto whole = workloads::make(of.all, of.code, name);
                             whole->run(as, genesys::rerun::as_classified);
                             (void)whole->content();
                           }).seconds;
    all.keep("program_" + name, "ms", whole_s * 1e3);
  }
}

}  // namespace schedule_bench
