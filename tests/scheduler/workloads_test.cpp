// SPDX-License-Identifier: Apache-2.0
// GPU only: the workloads are aborted at random moments. Results are bit for bit those of undisturbed runs, of the
// original kernels and of the instrumented ones. GENESYS_TEST_ABORTS says how many aborts in all; GENESYS_TEST_WORKLOAD
// names one workload.
#include <algorithm>

#include "schedule/kernels/workloads.h"
#include "testing.h"

namespace {
using namespace scheduler_testing;
using clock = std::chrono::steady_clock;

struct short_kernel {
  GENESYS_KERNEL void operator()(u32* word) const {
    if (genesys::block_rank() == 0 && genesys::thread_rank() == 0) *word += 1;
  }
};

double wanted_aborts() {
  if (const char* given = std::getenv("GENESYS_TEST_ABORTS")) return std::atof(given);
  return std::getenv("GENESYS_TEST_FULL") != nullptr ? 10'000 : 900;
}

std::vector<std::string> chosen() {
  if (const char* one = std::getenv("GENESYS_TEST_WORKLOAD")) return {one};
  return workloads::names();
}

void wait_us(std::mt19937_64& random, u64 most) {
  const auto until = clock::now() + std::chrono::nanoseconds(random() % (1'000 * most + 1));
  while (clock::now() < until) {
  }
}

TEST(SchedulerWorkloads, RandomAbortsLeaveResultsAsTheyAre) {
  std::mt19937_64 random(seed());
  const double share = wanted_aborts() / static_cast<double>(chosen().size());
  double aborts = 0;
  unsigned with_aborts = 0;
  std::printf("%-14s %9s %9s %9s %8s %10s\n", "workload", "rounds", "aborts", "snaps", "alone us", "result");
  for (const std::string& name : chosen()) {
    // Nothing waits: whatever can be aborted is.
    genesys::scheduler all({.aging_step_us = 0, .wait_max_us = 0, .short_block_us = 0, .share_multiprocessors = false});
    if (all.kind() != genesys::device_kind::cuda) GTEST_SKIP() << "the workloads are CUDA kernels";
    const genesys::kernel_module code = all.load(genesys_workloads_ptx);
    const auto work = workloads::make(all, code, name, 8);
    const genesys::task batch = all.add_task(10);
    work->run(batch, genesys::rerun::never);  // loads the code
    work->reset();
    const auto begin = clock::now();
    work->run(batch, genesys::rerun::never);
    const double alone_us = std::chrono::duration<double, std::micro>(clock::now() - begin).count();
    const auto expected = work->content();
    work->reset();
    work->run(batch, genesys::rerun::as_classified);
    ASSERT_EQ(work->content(), expected) << name << ": instrumented, nobody aborts";

    const genesys::task urgent = all.add_task(-10);
    words word(all, 1);
    const double before = reported(all, column_aborts);
    const auto stop_at = clock::now() + std::chrono::seconds(std::max(3, static_cast<int>(share / 60)));
    unsigned rounds = 0;
    bool equal = true;
    double seen = 0;
    for (; seen < share && clock::now() < stop_at && equal; ++rounds) {
      work->reset();
      std::vector<genesys::launched> ends;
      std::thread batch_thread([&] { work->run(batch, genesys::rerun::as_classified); });
      const u64 requests = random() % 4 + 1;
      for (u64 i = 0; i < requests; ++i) {
        wait_us(random, static_cast<u64>(alone_us));
        urgent.launch({.blocks = {132}, .threads = {1024}, .again = genesys::rerun::never}, short_kernel{},
                      reinterpret_cast<u32*>(word.get()));
        if (random() % 2 == 0) urgent.wait();
      }
      batch_thread.join();
      urgent.wait();
      equal = work->content() == expected;
      seen = reported(all, column_aborts) - before;
    }
    std::printf("%-14s %9u %9.0f %9.0f %8.0f %10s\n", name.c_str(), rounds, seen, reported(all, column_snapshots),
                alone_us, equal ? "equal" : "DIFFERS");
    std::fflush(stdout);
    EXPECT_TRUE(equal) << name << ", GENESYS_TEST_SEED=" << seed();
    aborts += seen;
    if (seen > 0) ++with_aborts;
  }
  std::printf("%.0f aborts in %u workloads\n", aborts, with_aborts);
  if (chosen().size() > 1) EXPECT_GE(with_aborts, 15u);
}

}  // namespace
