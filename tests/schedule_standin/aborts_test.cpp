// SPDX-License-Identifier: Apache-2.0
// Aborts in a program that knows nothing of them (held_launches.h): a daemon, a more important member that is busy at
// random moments, and a fake GPU. The program's results are those of an undisturbed run. GENESYS_TEST_SEED chooses the
// first seed, GENESYS_TEST_SEEDS how many.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "random_program.h"
#include "schedule/standin/held_launches.h"
#include "schedule/standin/kernel_tally.h"
#include "schedule/standin/program_memory.h"
#include "schedule/standin/test_modes.h"
#include "schedule_daemon/processes.h"

namespace genesys::schedule::standin::tests {
namespace {

using daemon_testing::eventually;

unsigned number_of(const char* variable, unsigned otherwise) {
  const char* const asked = std::getenv(variable);
  return asked != nullptr ? static_cast<unsigned>(std::strtoul(asked, nullptr, 10)) : otherwise;
}

processes::server_options daemon_options(const std::string& socket) {
  processes::server_options made;
  made.socket = socket;
  made.aging.aging_step = 0;  // on a busy machine a member may be held for so long that it rises
  return made;
}

// A more important member, which is busy now and then while this lives.
class disturbance {
 public:
  disturbance(const std::string& socket, std::uint32_t seed)
      : random_(seed), client_(daemon_testing::options_of(socket, 0)) {
    EXPECT_TRUE(client_.connect()) << client_.refused();
    thread_ = std::thread([this] { work(); });
  }
  ~disturbance() {
    ends_ = true;
    thread_.join();
  }
  void begin() { is_busy_ = true; }
  unsigned times() const { return times_; }

 private:
  void sleep_up_to_us(unsigned most) { ::usleep(static_cast<unsigned>(random_() % most)); }
  void work() {
    while (!ends_) {
      (void)client_.poll();
      if (!is_busy_) {
        ::usleep(100);
        continue;
      }
      sleep_up_to_us(3'000);
      EXPECT_EQ(client_.begin(), processes::hold::none);
      ++times_;
      sleep_up_to_us(random_() % 4 == 0 ? 3'000 : 300);
      client_.end();
    }
    client_.end();
  }

  std::mt19937 random_;
  processes::client client_;
  std::atomic<bool> ends_{false}, is_busy_{false};
  std::atomic<unsigned> times_{0};
  std::thread thread_;
};

class Aborts : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    in = new daemon_testing::folder;
    daemon = new daemon_testing::daemon_process(daemon_options(in->file("socket")));
  }
  static void TearDownTestSuite() {
    delete daemon;
    delete in;
  }
  void TearDown() override { reset(); }

  struct counts {
    unsigned launches = 0, abortable = 0, aborts = 0, rolled_back = 0, run_again = 0, let_run = 0;
  };
  // Of all kernels, of all tests so far.
  static processes::kernel_sums tallied() {
    processes::kernel_sums all;
    for (const processes::kernel_report& each : kernel_reports()) all += each.sums;
    return all;
  }
  static std::vector<std::uint32_t> undisturbed(const program_options& how) {
    timed_machine machine(how.seed);
    return run_program(machine, how);
  }
  // The results beside a more important member, and what was counted is added.
  std::vector<std::uint32_t> disturbed(const program_options& how, held_options with, counts& sum,
                                       unsigned polls_accepted = ~0U) {
    timed_machine machine(how.seed + 1'000'000);
    machine.accept_polls(polls_accepted);
    with.socket = in->file("socket");
    disturbance important(with.socket, how.seed);
    const processes::kernel_sums before = tallied();
    held_launches observer(10, with);
    const attached now(observer);
    wait_until_known(observer);
    important.begin();
    std::vector<std::uint32_t> result = run_program(machine, how);
    const std::string report = observer.report();
    counts one;
    EXPECT_EQ(std::sscanf(report.c_str(),
                          "%u launches, %u of them abortable: %u aborts, %u rolled back, %u run again, %u let run",
                          &one.launches, &one.abortable, &one.aborts, &one.rolled_back, &one.run_again, &one.let_run),
              6)
        << report;
    EXPECT_EQ(one.aborts, one.run_again) << report;
    const processes::kernel_sums after = tallied();
    EXPECT_EQ(after.launches - before.launches, one.launches + one.run_again) << report;
    EXPECT_EQ(after.aborts - before.aborts, one.aborts) << report;
    EXPECT_EQ(after.wasted_us > before.wasted_us, one.aborts > 0) << report;
    sum.launches += one.launches, sum.abortable += one.abortable, sum.aborts += one.aborts;
    sum.rolled_back += one.rolled_back, sum.run_again += one.run_again, sum.let_run += one.let_run;
    EXPECT_TRUE(machine.blocks_left() > 0 || one.aborts == 0);
    return result;
  }
  // The program becomes a member at its first launch.
  static void wait_until_known(held_launches& observer, CUstream stream = nullptr) {
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    PROGRAM(cuLibraryLoadData)(&library, small_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0);
    PROGRAM(cuLibraryGetKernel)(&kernel, library, "biased");
    CUdeviceptr memory = 0;
    PROGRAM(cuMemAlloc_v2)(&memory, 4'096);
    int n = 0;
    void* parameters[] = {&memory, &memory, &n};
    PROGRAM(cuLaunchKernel)(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr);
    EXPECT_TRUE(eventually([&] { return observer.has_more_important(); }));
  }
  static program_options program(unsigned seed) { return {seed, seed % 4 == 3 ? 2U : 1U, 40}; }
  static held_options options() {
    held_options made;
    made.short_run = 0;  // the fake GPU's kernels are all worth it
    return made;
  }
  // Whether one of the seeds shows a wrong result.
  bool finds(planted_faults faults, unsigned seeds, std::optional<unsigned> threads = {}) {
    held_options with = options();
    with.faults = faults;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      counts sum;
      program_options how = program(seed);
      how.threads = threads.value_or(how.threads);
      if (disturbed(how, with, sum) != undisturbed(how)) return true;
    }
    return false;
  }

  static daemon_testing::folder* in;
  static daemon_testing::daemon_process* daemon;
};
daemon_testing::folder* Aborts::in = nullptr;
daemon_testing::daemon_process* Aborts::daemon = nullptr;

TEST_F(Aborts, RandomProgramsComputeTheSame) {
  const unsigned first = number_of("GENESYS_TEST_SEED", 1), seeds = number_of("GENESYS_TEST_SEEDS", 40);
  counts sum;
  for (unsigned seed = first; seed < first + seeds; ++seed) {
    EXPECT_EQ(disturbed(program(seed), options(), sum), undisturbed(program(seed))) << "GENESYS_TEST_SEED=" << seed;
    if (HasFailure()) break;
  }
  std::printf("%u launches, %u abortable, %u aborts, %u rolled back, %u let run\n", sum.launches, sum.abortable,
              sum.aborts, sum.rolled_back, sum.let_run);
  if (seeds < 40) return;
  EXPECT_GT(sum.abortable, sum.launches / 4);
  EXPECT_GT(sum.aborts, seeds);
  EXPECT_GT(sum.rolled_back, seeds / 4);
}

// Ordered calls and launches wait only for a short time, so launches are let run in the middle of all else.
TEST_F(Aborts, LaunchesAreLetRun) {
  held_options with = options();
  with.settle_max = 100'000;
  with.settle_runs = 0;
  with.not_after_late = 1'000'000;
  counts sum;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(disturbed(program(seed), with, sum), undisturbed(program(seed))) << seed;
  }
  EXPECT_GT(sum.let_run, 20U);
}

// As that of a persistent kernel, which may wait for what the program launches later.
TEST_F(Aborts, LaunchesThatDoNotEndDelayOthersForAShortTime) {
  timed_machine machine(1);
  held_options with = options();
  with.settle_max = 20'000'000;
  with.socket = in->file("socket");
  const disturbance important(with.socket, 1);
  held_launches observer(10, with);
  const attached now(observer);
  wait_until_known(observer);
  on(driver_function::cuEventQuery, [](const arguments&) { return 600U; });  // CUDA_ERROR_NOT_READY
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 6; ++i) {
    CUstream stream = nullptr;
    PROGRAM(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING);
    wait_until_known(observer, stream);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

// The driver refuses the variants, from the beginning or after some: also a launch that was aborted before.
TEST_F(Aborts, WhatCannotBeLaunchedWithPollsRunsAsItIs) {
  counts sum;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(disturbed(program(seed), options(), sum, seed - 1), undisturbed(program(seed))) << seed;
  }
  EXPECT_GT(sum.aborts, 5U);
  EXPECT_LT(sum.abortable, 20U * 20U);
}

// The test mode in which every launch is aborted at random moments, without a daemon.
struct aborted_at_random {
  std::vector<std::uint32_t> result;
  unsigned launches = 0, with_polls = 0, aborted = 0, aborts = 0, rolled_back = 0;
};
aborted_at_random run_in_test_mode(const program_options& how, planted_faults faults = {}) {
  timed_machine machine(how.seed + 1'000'000);
  test_observer observer(test_observer::mode::abort_at_random, faults);
  const attached now(observer);
  aborted_at_random made;
  made.result = run_program(machine, how);
  const std::string report = observer.report();
  EXPECT_EQ(std::sscanf(report.c_str(),
                        "%u launches, %u with polls, %u aborted and run again, 0 wrong, %*u ordered calls, %u aborts, "
                        "%u rolled back",
                        &made.launches, &made.with_polls, &made.aborted, &made.aborts, &made.rolled_back),
            5)
      << report;
  return made;
}

TEST_F(Aborts, AtRandomMomentsTheResultsAreTheSame) {
  aborted_at_random sum;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const program_options how{seed, 1, 40};
    const aborted_at_random one = run_in_test_mode(how);
    EXPECT_EQ(one.result, undisturbed(how)) << seed;
    sum.launches += one.launches, sum.with_polls += one.with_polls, sum.aborted += one.aborted;
    sum.aborts += one.aborts, sum.rolled_back += one.rolled_back;
  }
  std::printf("%u launches, %u with polls, %u aborted: %u aborts, %u rolled back\n", sum.launches, sum.with_polls,
              sum.aborted, sum.aborts, sum.rolled_back);
  EXPECT_GT(sum.with_polls, sum.launches / 2);
  EXPECT_GT(sum.aborted, sum.with_polls / 4);
  EXPECT_GT(sum.aborts, sum.aborted);
  EXPECT_GT(sum.rolled_back, sum.aborts / 8);
}

TEST_F(Aborts, AtRandomMomentsAMissingRollBackIsFound) {
  bool is_found = false;
  for (unsigned seed = 1; seed <= 30 && !is_found; ++seed) {
    const program_options how{seed, 1, 40};
    is_found = run_in_test_mode(how, {.no_roll_back = true}).result != undisturbed(how);
  }
  EXPECT_TRUE(is_found);
}

TEST_F(Aborts, AMissingRollBackIsFound) { EXPECT_TRUE(finds({.no_roll_back = true}, 40)); }
TEST_F(Aborts, AMissingDrainIsFound) { EXPECT_TRUE(finds({.no_drain = true}, 40)); }
TEST_F(Aborts, CallsThatAreNotSettledAreFound) { EXPECT_TRUE(finds({.no_settle = true}, 40)); }
TEST_F(Aborts, WorkBesideWhatIsRolledBackIsFound) { EXPECT_TRUE(finds({.no_exclusion = true}, 100, 3)); }

}  // namespace
}  // namespace genesys::schedule::standin::tests
