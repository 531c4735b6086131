// SPDX-License-Identifier: Apache-2.0
// Instrumented kernels run in an interpreter of PTX, are aborted at random, rolled back, and run again: the memory must
// be that of an undisturbed run, bit for bit. Controls leave out a step and must fail. The seed is printed;
// GENESYS_TEST_SEED sets it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "interpreter/aborting_host.h"
#include "rewrite_cases.h"
#include "schedule/rewrite/time_words.h"

namespace genesys::schedule {
namespace {

using namespace interpreter;

unsigned first_seed() {
  const char* chosen = std::getenv("GENESYS_TEST_SEED");
  return chosen ? static_cast<unsigned>(std::strtoul(chosen, nullptr, 10)) : 27;
}
unsigned seeds() { return std::getenv("GENESYS_TEST_FULL") ? 60 : 4; }

// Looks often: an interpreted kernel is short.
rewrite_settings eager(bool within_votes, std::uint32_t gap_clocks = 64) {
  rewrite_settings result;
  result.gap_clocks = gap_clocks;
  result.strip_max = 3;
  result.short_instructions = 0;
  result.polls_within_votes = within_votes;
  return result;
}

struct undisturbed {
  std::vector<std::uint8_t> memory;
  std::vector<std::uint64_t> steps;  // of each launch
};

class world {
 public:
  world(const std::string& name, const std::string& text, const module& all, unsigned seed)
      : machine_(seed), text_(text) {
    machine_.load(all);
    workload_ = make_workload(machine_, name);
    bytes_ = machine_.global().contents().size();
  }
  machine& on() { return machine_; }
  const small_workload& workload() const { return workload_; }
  // Without the words of the protocol, which are behind the arrays.
  std::vector<std::uint8_t> memory() {
    std::vector<std::uint8_t> all = machine_.global().contents();
    all.resize(bytes_);
    return all;
  }

 private:
  machine machine_;
  const std::string& text_;
  small_workload workload_;
  std::size_t bytes_ = 0;
};

undisturbed run_undisturbed(const std::string& name, const std::string& text) {
  const module all = parse_ptx(text);
  world here(name, text, all, 1);
  undisturbed result;
  for (const launch& each : here.workload().launches) result.steps.push_back(here.on().run(each).steps);
  result.memory = here.memory();
  return result;
}

struct outcome {
  bool is_equal = false;
  std::string fault_text;
  host_report report;
  std::uint64_t timed_threads = 0, all_threads = 0;  // in the record of block times; of the launches
};

// How the host decides what it rolls back: a function of the kernel's name.
using rolls_back = bool (*)(const rewritten& made, const std::string& kernel);
bool always(const rewritten&, const std::string&) { return true; }
bool never(const rewritten&, const std::string&) { return false; }

outcome run_aborted(const std::string& name, const undisturbed& expected, const rewritten& made, unsigned seed,
                    rolls_back decide = always) {
  const module all = parse_ptx(made.ptx);
  world here(name, made.ptx, all, seed);
  aborting_host host(here.on(), seed);
  const std::uint64_t record = here.on().global().allocate(record_bytes);
  outcome result;
  try {
    for (std::size_t i = 0; i < here.workload().launches.size(); ++i) {
      launch each = here.workload().launches[i];
      const auto kernel =
          std::find_if(made.kernels.begin(), made.kernels.end(), [&](const auto& k) { return k.name == each.kernel; });
      host_settings settings;
      settings.within = expected.steps[i];
      settings.rolls_back = decide(made, each.kernel);
      result.all_threads += std::uint64_t{each.grid.count()} * each.block.count();
      if (kernel->timed_ends > 0) {  // all blocks are sampled
        each.parameters.resize(kernel->times_offset + times_bytes);
        std::memcpy(each.parameters.data() + kernel->times_offset + times_record, &record, sizeof record);
      }
      host.run(each, kernel->context_offset, settings);
    }
    result.is_equal = here.memory() == expected.memory;
    result.timed_threads = here.on().global().load(record + record_threads, 8);
  } catch (const fault& wrong) {
    result.fault_text = wrong.what();
  }
  result.report = host.report();
  return result;
}

// The interpreter itself: sums over arrays are what they must be.
TEST(Interpreter, AddsUp) {
  const std::string text = kept_ptx("workloads.ptx");
  const module all = parse_ptx(text);
  for (const char* name : {"reduce", "rows_by_warps"}) {
    machine on(3);
    on.load(all);
    const launch one = make_workload(on, name).launches.at(0);
    on.run(one);
    std::uint64_t in = 0, out = 0;
    std::int32_t first = 0, second = 1;
    std::memcpy(&in, one.parameters.data(), 8);
    std::memcpy(&out, one.parameters.data() + 8, 8);
    std::memcpy(&first, one.parameters.data() + 16, 4);  // elements, or rows and columns
    if (one.parameters.size() > 20) std::memcpy(&second, one.parameters.data() + 20, 4);
    const std::int32_t results = second > 1 ? first : static_cast<std::int32_t>(one.grid.x);
    std::uint64_t added = 0, given = 0;
    for (std::int32_t i = 0; i < first * second; ++i) added += on.global().load(in + 4 * i, 4);
    for (std::int32_t i = 0; i < results; ++i) given += on.global().load(out + 4 * i, 4);
    EXPECT_EQ(given, added) << name;
  }
}

// A launch that measures its blocks is aborted like any other. The record is rolled back with all memory here, so that
// it has what the launches measured that ended whole: each of their threads.
class TimedAborted : public testing::TestWithParam<std::string> {};

TEST_P(TimedAborted, IsUndoneAndMeasured) {
  const std::string text = kept_ptx("workloads.ptx");
  const undisturbed expected = run_undisturbed(GetParam(), text);
  const rewritten made = with_variant(text, variant::timed_loops, eager(false));
  unsigned aborted = 0;
  for (unsigned seed = first_seed(); seed < first_seed() + seeds(); ++seed) {
    const outcome end = run_aborted(GetParam(), expected, made, seed);
    ASSERT_EQ(end.fault_text, "") << "seed " << seed;
    ASSERT_TRUE(end.is_equal) << "seed " << seed;
    EXPECT_EQ(end.timed_threads, end.all_threads) << "seed " << seed;
    aborted += end.report.aborted;
  }
  EXPECT_GT(aborted, 0U);
}

INSTANTIATE_TEST_SUITE_P(Workloads, TimedAborted, testing::ValuesIn(workload_names()),
                         [](const auto& info) { return info.param; });

class Aborted : public testing::TestWithParam<std::string> {};

TEST_P(Aborted, IsUndone) {
  const std::string text = kept_ptx("workloads.ptx");
  const undisturbed expected = run_undisturbed(GetParam(), text);
  unsigned aborted = 0, runs = 0;
  for (const variant wanted : {variant::entry, variant::loops}) {
    for (const bool within_votes : {false, true}) {
      if (wanted == variant::entry && within_votes) continue;
      const rewritten made = with_variant(text, wanted, eager(within_votes));
      for (unsigned seed = first_seed(); seed < first_seed() + seeds(); ++seed, ++runs) {
        const outcome end = run_aborted(GetParam(), expected, made, seed);
        ASSERT_EQ(end.fault_text, "") << spelled(wanted) << ", seed " << seed;
        ASSERT_TRUE(end.is_equal) << spelled(wanted) << ", seed " << seed;
        aborted += end.report.aborted;
      }
    }
  }
  std::printf("%u runs from seed %u, %u aborts\n", runs, first_seed(), aborted);
  EXPECT_GT(aborted, 0U);
}

// What the classifier calls idempotent is not rolled back.
TEST_P(Aborted, IdempotentKernelsNeedNoRollBack) {
  const std::string text = kept_ptx("workloads.ptx");
  const undisturbed expected = run_undisturbed(GetParam(), text);
  const rewritten made = with_variant(text, variant::loops, eager(true));
  const auto by_verdict = [](const rewritten&, const std::string& kernel) {
    static const std::string all = kept_ptx("workloads.ptx");
    static const std::vector<kernel_verdict> verdicts = classify(std::string_view(all));
    for (const kernel_verdict& each : verdicts) {
      if (each.name == kernel) return !each.is_idempotent;
    }
    return true;
  };
  for (unsigned seed = first_seed(); seed < first_seed() + seeds(); ++seed) {
    const outcome end = run_aborted(GetParam(), expected, made, seed, by_verdict);
    ASSERT_EQ(end.fault_text, "") << "seed " << seed;
    ASSERT_TRUE(end.is_equal) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Workloads, Aborted, testing::ValuesIn(workload_names()),
                         [](const auto& info) { return info.param; });

// Of 10 runs (20 with GENESYS_TEST_FULL), those that end wrong or in a fault.
unsigned wrong_runs(const std::string& name, const undisturbed& expected, const rewritten& made,
                    rolls_back decide = always) {
  const unsigned runs = std::getenv("GENESYS_TEST_FULL") ? 20 : 10;
  unsigned wrong = 0;
  for (unsigned seed = first_seed(); seed < first_seed() + runs; ++seed) {
    wrong += !run_aborted(name, expected, made, seed, decide).is_equal;
  }
  return wrong;
}

TEST(Control, WithoutRollBack) {
  const std::string text = kept_ptx("workloads.ptx");
  const rewritten made = with_variant(text, variant::loops, eager(false));
  for (const char* name : {"add_in_place", "long_atomics", "histogram", "eliminate", "count_calls"}) {
    const undisturbed expected = run_undisturbed(name, text);
    EXPECT_EQ(wrong_runs(name, expected, made), 0U) << name;
    EXPECT_GT(wrong_runs(name, expected, made, never), 0U) << name;
  }
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  unsigned changed = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size(), ++changed) {
    text.replace(at, what.size(), by);
  }
  EXPECT_GT(changed, 0U) << what;
  return text;
}

// So long that the threads of a block look at different times.
constexpr std::uint32_t long_gap = 60'000;

// A thread that tests its own flag behind a barrier, without a vote.
TEST(Control, PollBehindABarrier) {
  const std::string text = kept_ptx("workloads.ptx");
  const undisturbed expected = run_undisturbed("indices", text);
  rewritten made = with_variant(text, variant::loops, eager(false, long_gap));
  EXPECT_EQ(wrong_runs("indices", expected, made), 0U);
  made.ptx = replaced(made.ptx, "bar.red.or.pred %genesys_all, 0, %genesys_leaves;",
                      "bar.sync 0;\nmov.pred %genesys_all, %genesys_leaves;");
  EXPECT_GT(wrong_runs("indices", expected, made), 0U);
}

// Threads of a block whose strips are not equally long: some vote while the others are at a barrier.
TEST(Control, StripsOfSeveralLengths) {
  const std::string text = kept_ptx("workloads.ptx");
  const undisturbed expected = run_undisturbed("early_exit", text);
  rewritten made = with_variant(text, variant::loops, eager(false));
  EXPECT_EQ(wrong_runs("early_exit", expected, made), 0U);
  const std::string least = "min.s32 %genesys_limit, %genesys_limit,";
  made.ptx = replaced(made.ptx, least,
                      "mov.u32 %genesys_a, %tid.x;\nand.b32 %genesys_a, %genesys_a, 1;\n"
                      "add.s32 %genesys_limit, %genesys_limit, %genesys_a;\n" +
                          least);
  EXPECT_GT(wrong_runs("early_exit", expected, made), 0U);
}

// A thread that leaves between barriers without arriving at the next one.
TEST(Control, LeavingBetweenBarriers) {
  const std::string text = kept_ptx("workloads.ptx");
  const undisturbed expected = run_undisturbed("leaders", text);
  rewritten made = with_variant(text, variant::loops, eager(true));
  EXPECT_EQ(wrong_runs("leaders", expected, made), 0U);
  made.ptx = replaced(made.ptx, "bra $genesys_arrive;", "bra $genesys_leave;");
  EXPECT_GT(wrong_runs("leaders", expected, made), 0U);
}

// A lane that leaves before a step of its warp without a vote.
TEST(Control, LanesThatLeaveAlone) {
  const std::string text = kept_ptx("workloads.ptx");
  const undisturbed expected = run_undisturbed("rows_by_warps", text);
  rewritten made = with_variant(text, variant::loops, eager(false));
  EXPECT_EQ(wrong_runs("rows_by_warps", expected, made), 0U);
  made.ptx = replaced(made.ptx, "vote.sync.any.pred %genesys_all, %genesys_leaves, -1;",
                      "mov.pred %genesys_all, %genesys_leaves;");
  EXPECT_GT(wrong_runs("rows_by_warps", expected, made), 0U);
}

// A block that leaves where lanes of its warps are missed by a shuffle.
TEST(Control, LanesThatAreMissed) {
  const std::string text = kept_ptx("workloads.ptx");
  const undisturbed expected = run_undisturbed("rows_by_warps", text);
  rewritten made = with_variant(text, variant::loops, eager(false));
  const std::size_t kernel = made.ptx.find("entry rows_by_warps");
  const std::size_t vote = made.ptx.find("bar.red.or.pred %genesys_leaves, 0, %genesys_leaves;", kernel);
  ASSERT_NE(vote, made.ptx.npos);
  made.ptx.insert(vote, "//");
  EXPECT_GT(wrong_runs("rows_by_warps", expected, made), 0U);
}

}  // namespace
}  // namespace genesys::schedule
