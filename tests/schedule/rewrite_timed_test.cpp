// SPDX-License-Identifier: Apache-2.0
// Kernels that measure how long their blocks run: where they measure, and, in the interpreter, that the times arrive,
// that each thread of a sampled block is counted once, and that results are those of the original.
// GENESYS_TEST_SEED sets the seed.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cases.h"
#include "interpreter/small_workload.h"
#include "rewrite_cases.h"
#include "schedule/rewrite/time_words.h"

namespace genesys::schedule {
namespace {

using namespace interpreter;

rewritten timed(const std::string& ptx) { return with_variant(ptx, variant::timed); }

struct made_kernel {
  kernel_rewrite what;
  std::string ptx;
};
made_kernel of_body(const std::string& body, const std::string& before = "") {
  const rewritten made = timed(with_prologue(body, before));
  return {made.kernels.at(0), made.ptx};
}

// `with_prologue` ends in a `ret` of its own.
TEST(Timed, EachEndIsMeasured) {
  const std::string test = "setp.lt.u32 %p1, %r1, 7;";
  EXPECT_EQ(of_body("").what.timed_ends, 1U);
  EXPECT_EQ(of_body(test + "@%p1 ret;").what.timed_ends, 2U);
  EXPECT_EQ(of_body(test + "@%p1 bra ONE; exit; ONE:").what.timed_ends, 2U);
  EXPECT_EQ(of_body(test + "@%p1 exit; @!%p1 ret;").what.timed_ends, 3U);
}

TEST(Timed, GuardsAreKept) {
  const std::string test = "setp.lt.u32 %p1, %r1, 7;";
  EXPECT_NE(of_body(test + "@%p1 ret;").ptx.find("@!%p1 bra $genesys_on_0;"), std::string::npos);
  EXPECT_NE(of_body(test + "@!%p1 exit;").ptx.find("@%p1 bra $genesys_on_0;"), std::string::npos);
  EXPECT_NE(of_body(test + "@%p1 ret;").ptx.find("$genesys_on_0:\n@%p1 ret;"), std::string::npos);
}

std::string module_of(const std::string& body, const std::string& version = "9.0") {
  return ".version " + version + "\n.target sm_90\n.address_size 64\n" + body;
}

TEST(Timed, TheBraceIsAnEnd) {
  const struct {
    const char* body;
    unsigned ends;
  } all[] = {{"", 1},
             {".reg .pred %p; setp.eq.u32 %p, 0, 0; @%p ret;", 2},
             {".reg .pred %p; setp.eq.u32 %p, 0, 0; @%p bra END; ret; END:", 2},
             {"L: bra L;", 0},
             {"trap;", 0}};
  for (const auto& each : all) {
    const kernel_rewrite made = timed(module_of(".entry k() {" + std::string(each.body) + "}")).kernels.at(0);
    EXPECT_EQ(made.made, variant::timed) << each.body << refusals(made);
    EXPECT_EQ(made.timed_ends, each.ends) << each.body;
  }
}

TEST(Timed, Parameter) {
  const rewritten made = timed(module_of(".entry k(.param .u64 a, .param .u16 b) { ret; }"));
  EXPECT_EQ(made.kernels.at(0).context_offset, 16U);
  EXPECT_NE(made.ptx.find(".param .u16 b,\n.param .align 8 .b8 genesys_times[16])"), std::string::npos) << made.ptx;
}

// Its time is of interest, too.
TEST(Timed, KernelsThatAreNotPreemptible) {
  EXPECT_EQ(of_body("trap;").what.made, variant::timed);
  EXPECT_EQ(of_body("nanosleep.u32 5;").what.made, variant::timed);
}

TEST(Timed, Functions) {
  const std::string loops = ".func inner () { bar.sync 0; ret; }\n", ends = ".func inner () { exit; }\n",
                    outer = ".func outer () { call.uni inner; ret; }\n";
  EXPECT_EQ(of_body("call.uni outer;", loops + outer).what.made, variant::timed);
  const kernel_rewrite made = of_body("call.uni outer;", ends + outer).what;
  EXPECT_EQ(made.made, variant::none);
  EXPECT_NE(refusals(made).find("may end the thread"), std::string::npos) << refusals(made);
  EXPECT_EQ(of_body("call.uni elsewhere;", ".extern .func elsewhere ();\n").what.made, variant::none);
}

TEST(Timed, WhatIsNotMeasured) {
  EXPECT_EQ(of_body("unheard.of.b32 %r1, %r1;").what.made, variant::none);
  EXPECT_EQ(timed(module_of(".entry k() { ret; }", "6.1")).kernels.at(0).made, variant::none);
  EXPECT_EQ(timed(module_of(".entry k() { ret; }", "6.2")).kernels.at(0).made, variant::timed);
  EXPECT_EQ(timed(module_of(".entry k() { ret; }\n.global .u64 address = k;")).kernels.at(0).made, variant::none);
}

// The branch around a measurement would part a product from its sum.
TEST(Timed, FusedOperations) {
  const std::string rest =
      "mul.f32 %f2, %f3, %f4; setp.lt.u32 %p1, %r1, 7; @%p1 ret; add.f32 %f1, %f2, %f5;"
      "st.global.f32 [%rd5], %f1;";
  EXPECT_EQ(of_body(rest).what.made, variant::none);
  EXPECT_EQ(of_body("@%p1 ret;" + rest.substr(rest.find("add"))).what.made, variant::timed);
}

struct times {
  std::uint64_t longest = 0, sum = 0, threads = 0;
};
struct run_result {
  std::vector<std::uint8_t> memory;  // of the workload
  std::uint64_t steps = 0;           // of all launches
  times measured;
};

// `offset_of`: of block_times, by kernel; null: the text is the original.
template <class offset>
run_result run(const std::string& name, const std::string& text, unsigned seed, offset offset_of,
               std::uint32_t mask = 0, std::uint32_t sample = 0) {
  const module all = parse_ptx(text);
  machine on(seed);
  on.load(all);
  const small_workload workload = make_workload(on, name);
  const std::size_t bytes = on.global().contents().size();
  const std::uint64_t record = on.global().allocate(record_bytes);
  run_result result;
  for (launch each : workload.launches) {
    const std::uint32_t at = offset_of(each.kernel);
    each.parameters.resize(std::max<std::size_t>(each.parameters.size(), at + times_bytes));
    std::memcpy(each.parameters.data() + at + times_record, &record, sizeof record);
    std::memcpy(each.parameters.data() + at + times_mask, &mask, sizeof mask);
    std::memcpy(each.parameters.data() + at + times_sample, &sample, sizeof sample);
    result.steps += on.run(each).steps;
  }
  const auto word = [&](std::uint32_t which) { return on.global().load(record + which, 8); };
  result.measured = {word(record_longest), word(record_sum), word(record_threads)};
  result.memory = on.global().contents();
  result.memory.resize(bytes);
  return result;
}

run_result run_original(const std::string& name) {
  return run(name, kept_ptx("workloads.ptx"), 1, [](const std::string&) { return 256U; });
}

run_result run_timed(const std::string& name, const rewritten& made, unsigned seed, std::uint32_t mask = 0,
                     std::uint32_t sample = 0) {
  const auto offset_of = [&](const std::string& kernel) {
    for (const kernel_rewrite& each : made.kernels) {
      if (each.name == kernel) return each.context_offset;
    }
    throw std::logic_error("no kernel " + kernel);
  };
  return run(name, made.ptx, seed, offset_of, mask, sample);
}

std::uint64_t sampled_threads(const std::string& name, std::uint32_t mask, std::uint32_t sample) {
  const std::string text = kept_ptx("workloads.ptx");
  const module all = parse_ptx(text);
  machine on(1);
  on.load(all);
  std::uint64_t threads = 0;
  for (const launch& each : make_workload(on, name).launches) {
    for (unsigned b = 0; b < each.grid.count(); ++b) threads += (b & mask) == sample ? each.block.count() : 0;
  }
  return threads;
}

unsigned first_seed() {
  const char* chosen = std::getenv("GENESYS_TEST_SEED");
  return chosen ? static_cast<unsigned>(std::strtoul(chosen, nullptr, 10)) : 27;
}

// Polls and times in one kernel: block_times comes first, and names differ.
TEST(Timed, WithPolls) {
  const auto both = [](const std::string& body) {
    return with_variant(module_of(body), variant::timed_loops).kernels.at(0);
  };
  const kernel_rewrite made = both(".entry k(.param .u64 a, .param .u16 b) { ret; }");
  EXPECT_EQ(made.made, variant::timed_loops) << refusals(made);
  EXPECT_EQ(made.times_offset, 16U);
  EXPECT_EQ(made.context_offset, 16U + times_bytes);
  EXPECT_EQ(made.timed_ends, 1U);
  EXPECT_EQ(kinds_of(made), std::vector<poll::kind>{poll::kind::entry_thread});
  for (const char* none : {".entry k() { ret; }", ".entry k { ret; }"}) {
    EXPECT_EQ(both(none).made, variant::timed_loops) << refusals(both(none));
    EXPECT_EQ(both(none).times_offset, 0U);
    EXPECT_EQ(both(none).context_offset, times_bytes);
  }
}

TEST(Timed, WithoutPollsWhereThereCanBeNone) {
  const rewritten made = with_variant(module_of(".entry k(.param .u64 a) { trap; ret; }"), variant::timed_loops);
  EXPECT_EQ(made.kernels.at(0).made, variant::timed);
  EXPECT_EQ(made.kernels.at(0).times_offset, 8U);
  EXPECT_TRUE(made.kernels.at(0).polls.empty());
  EXPECT_EQ(made.kernels.at(0).refused.size(), 1U);
  EXPECT_EQ(made.ptx, timed(module_of(".entry k(.param .u64 a) { trap; ret; }")).ptx);
}

class TimedRun : public testing::TestWithParam<std::string> {};

TEST_P(TimedRun, MeasuresAndChangesNothing) {
  const run_result expected = run_original(GetParam());
  const rewritten made = timed(kept_ptx("workloads.ptx"));
  for (const auto& [mask, sample] : {std::pair{0U, 0U}, {1U, 0U}, {1U, 1U}}) {
    const std::uint64_t threads = sampled_threads(GetParam(), mask, sample);
    for (unsigned seed = first_seed(); seed < first_seed() + 3; ++seed) {
      const run_result end = run_timed(GetParam(), made, seed, mask, sample);
      EXPECT_TRUE(end.memory == expected.memory) << "seed " << seed;
      EXPECT_EQ(end.measured.threads, threads) << "seed " << seed;
      EXPECT_LT(end.measured.longest, end.steps);
      EXPECT_LE(end.measured.sum, end.measured.longest * threads);
      EXPECT_GE(end.measured.sum, end.measured.longest);
      EXPECT_EQ(end.measured.longest > 0, threads > 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Workloads, TimedRun, testing::ValuesIn(workload_names()),
                         [](const auto& info) { return info.param; });

// A thread alone: its time is the number of its instructions between the two readings of the timer.
TEST(Timed, ExactTimes) {
  const std::string kernel = R"(
.visible .entry count(.param .u32 n) {
  .reg .b32 %r<4>; .reg .pred %p1;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, 0;
LOOP:
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra LOOP;
  ret;
})";
  const rewritten made = timed(module_of(kernel));
  const module all = parse_ptx(made.ptx);
  const auto longest = [&](std::uint32_t n, std::uint32_t before) {
    machine on(first_seed());
    on.load(all);
    const std::uint64_t record = on.global().allocate(record_bytes);
    on.global().store(record + record_longest, 8, before);
    launch one{"count", {1}, {1}, 0, std::vector<std::uint8_t>(made.kernels.at(0).context_offset + times_bytes)};
    std::memcpy(one.parameters.data(), &n, sizeof n);
    std::memcpy(one.parameters.data() + made.kernels[0].context_offset + times_record, &record, sizeof record);
    on.run(one);
    return on.global().load(record + record_longest, 8);
  };
  EXPECT_EQ(longest(3'000, 0) - longest(1'000, 0), 2'000U * 3);
  EXPECT_EQ(longest(1'000, 1'000'000), 1'000'000U);  // of several launches the longest is kept
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  unsigned changed = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size(), ++changed) {
    text.replace(at, what.size(), by);
  }
  EXPECT_GT(changed, 0U) << what;
  return text;
}

// Faults that the tests above must find.
TEST(TimedControl, EveryLaneCountsForAll) {
  rewritten made = timed(kept_ptx("workloads.ptx"));
  made.ptx = replaced(made.ptx, "setp.ne.u32 %genesys_skips, %genesys_c, 0;", "setp.ne.u32 %genesys_skips, 0, 0;");
  EXPECT_GT(run_timed("reduce", made, first_seed()).measured.threads, sampled_threads("reduce", 0, 0));
}

TEST(TimedControl, AnEndIsMissed) {
  rewritten made = timed(kept_ptx("workloads.ptx"));
  const std::size_t kernel = made.ptx.find("entry early_exit"), first = made.ptx.find("activemask", kernel);
  ASSERT_NE(first, made.ptx.npos);
  made.ptx.insert(first, "bra $genesys_on_" + made.ptx.substr(made.ptx.find("$genesys_on_", first) + 12, 1) + ";\n");
  EXPECT_LT(run_timed("early_exit", made, first_seed()).measured.threads, sampled_threads("early_exit", 0, 0));
}

TEST(TimedControl, TheFirstLaneCountsOnlyItself) {
  rewritten made = timed(kept_ptx("workloads.ptx"));
  made.ptx = replaced(made.ptx, "popc.b32 %genesys_a, %genesys_a;", "mov.u32 %genesys_a, 1;");
  EXPECT_LT(run_timed("reduce", made, first_seed()).measured.threads, sampled_threads("reduce", 0, 0));
}

}  // namespace
}  // namespace genesys::schedule
