// SPDX-License-Identifier: Apache-2.0
// Tight loops that the rewriter makes the inner one of two: which form each gets, and that it does as many iterations
// as the original, for trip counts around the length of a strip, near the ends of the numbers, and if it is aborted.
#include <gtest/gtest.h>

#include "cases.h"
#include "interpreter/aborting_host.h"
#include "rewrite_cases.h"

namespace genesys::schedule {
namespace {

using namespace interpreter;

enum class form { in_the_loop, count, order, distance, no_poll };

struct loop_case {
  const char* name;
  form expected;
  const char* before;  // the loop; %r3 is n
  const char* behind;  // its body, up to the latch
};

void PrintTo(const loop_case& one, std::ostream* to) { *to << one.name; }

// %r9 is the variable, where there is one.
const loop_case all_loops[] = {
    {"up", form::order, "mov.u32 %r9, 0;", "add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r3; @%p1 bra LOOP;"},
    {"down", form::order, "mov.u32 %r9, %r3;", "add.s32 %r9, %r9, -1; setp.gt.s32 %p1, %r9, 0; @%p1 bra LOOP;"},
    {"equal_too", form::order, "mov.u32 %r9, 0;", "add.s32 %r9, %r9, 1; setp.le.s32 %p1, %r9, %r3; @%p1 bra LOOP;"},
    {"down_equal_too", form::order, "mov.u32 %r9, %r3;",
     "add.s32 %r9, %r9, -2; setp.ge.s32 %p1, %r9, 1; @%p1 bra LOOP;"},
    {"steps", form::order, "mov.u32 %r9, 0;", "add.s32 %r9, %r9, 4; setp.lt.s32 %p1, %r9, %r3; @%p1 bra LOOP;"},
    {"step_in_a_register", form::order, "mov.u32 %r9, %r1; mov.u32 %r11, 3;",
     "add.s32 %r9, %r9, %r11; setp.lt.s32 %p1, %r9, %r3; @%p1 bra LOOP;"},
    {"unsigned_up", form::order, "sub.u32 %r9, 0xfffffffd, %r3;",
     "add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 0xfffffffe; @%p1 bra LOOP;"},
    {"unsigned_past_0", form::order, "mov.u32 %r9, 0xffffffff;",
     "add.s32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, %r3; @%p1 bra LOOP;"},
    {"near_the_greatest", form::order, "sub.s32 %r9, 2147483646, %r3;",
     "add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, 2147483647; @%p1 bra LOOP;"},
    {"near_the_least", form::order, "add.s32 %r9, %r3, 0x80000001;",
     "add.s32 %r9, %r9, -1; setp.gt.s32 %p1, %r9, 0x80000000; @%p1 bra LOOP;"},
    {"unsigned_down", form::count, "mov.u32 %r9, %r3;",
     "add.s32 %r9, %r9, -1; setp.gt.u32 %p1, %r9, 0; setp.lt.u32 %p2, %r9, 1000; and.pred %p1, %p1, %p2;"
     "@%p1 bra LOOP;"},
    {"unsigned_down_alone", form::count, "add.u32 %r9, %r3, 1;",
     "add.s32 %r9, %r9, -1; setp.gt.u32 %p1, %r9, 0; @%p1 bra LOOP;"},
    {"negated", form::order, "mov.u32 %r9, 0;", "add.s32 %r9, %r9, 1; setp.ge.s32 %p1, %r9, %r3; @!%p1 bra LOOP;"},
    {"differs_down", form::distance, "add.u32 %r9, %r3, 1;",
     "add.s32 %r9, %r9, -1; setp.ne.s32 %p1, %r9, 0; @%p1 bra LOOP;"},
    {"differs_up", form::distance, "mov.u32 %r9, 7; add.u32 %r11, %r3, 8;",
     "add.s32 %r9, %r9, 1; setp.ne.b32 %p1, %r9, %r11; @%p1 bra LOOP;"},
    {"differs_by_steps", form::distance, "mad.lo.u32 %r9, %r3, 4, 4;",
     "add.s32 %r9, %r9, -4; setp.ne.s32 %p1, %r9, 0; @%p1 bra LOOP;"},
    {"differs_across_0", form::distance, "sub.u32 %r9, 3, %r3; sub.u32 %r9, %r9, 4;",
     "add.s32 %r9, %r9, 1; setp.eq.s32 %p1, %r9, 3; @!%p1 bra LOOP;"},
    {"odd_steps", form::count, "mad.lo.u32 %r9, %r3, 3, 3;",
     "add.s32 %r9, %r9, -3; setp.ne.s32 %p1, %r9, 0; @%p1 bra LOOP;"},
    {"wide", form::order, "mul.wide.u32 %rd21, %r3, 8; mov.u64 %rd20, 0;",
     "add.s64 %rd20, %rd20, 8; setp.lt.u64 %p1, %rd20, %rd21; @%p1 bra LOOP;"},
    {"wide_differs", form::distance, "mul.wide.u32 %rd21, %r3, 8; mov.u64 %rd20, -8;",
     "add.s64 %rd20, %rd20, 8; setp.ne.s64 %p1, %rd20, %rd21; @%p1 bra LOOP;"},
    {"copied", form::order, "mov.u32 %r9, 0;",
     "add.s32 %r11, %r9, 1; setp.lt.s32 %p1, %r11, %r3; mov.u32 %r9, %r11; @%p1 bra LOOP;"},
    {"tested_in_the_body", form::order, "mov.u32 %r9, 0; setp.lt.s32 %p1, %r9, 5;",
     "selp.b32 %r12, 1, 2, %p1; add.u32 %r10, %r10, %r12; add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r3;"
     "@%p1 bra LOOP;"},
    {"bound_changes", form::count, "mov.u32 %r9, 0; mov.u32 %r11, %r3;",
     "add.s32 %r9, %r9, 2; add.s32 %r11, %r11, 1; setp.lt.s32 %p1, %r9, %r11; @%p1 bra LOOP;"},
    {"step_under_a_predicate", form::count, "mov.u32 %r9, 0;",
     "xor.b32 %r12, %r10, 1; and.b32 %r12, %r12, 1; setp.eq.u32 %p2, %r12, 0; @%p2 add.s32 %r9, %r9, 1;"
     "setp.lt.s32 %p1, %r9, %r3; @%p1 bra LOOP;"},
    {"behind_a_test", form::order, "mov.u32 %r9, 0; setp.lt.s32 %p2, %r3, 1; @%p2 bra DONE;",
     "add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r3; @%p1 bra LOOP;"},
    {"entered_by_a_branch", form::in_the_loop,
     "mov.u32 %r9, 0; setp.lt.s32 %p2, %r1, 5; @%p2 bra LOOP; add.s32 %r10, %r10, 7;",
     "add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r3; @%p1 bra LOOP;"},
    {"entered_from_below", form::in_the_loop,
     "mov.u32 %r9, 0; bra START; LOOP: add.s32 %r9, %r9, 1; START:", "setp.lt.s32 %p1, %r9, %r3; @%p1 bra LOOP;"},
    {"sum_of_two_iterations", form::no_poll, "mov.u32 %r9, 0; mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f00000000;",
     "add.f32 %f1, %f1, %f2; mul.f32 %f2, %f1, %f1; add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, %r3; @%p1 bra LOOP;"},
};

std::string text_of(const loop_case& one) {
  const bool has_label = std::string(one.before).find("LOOP:") != std::string::npos;
  return with_prologue(std::string("ld.param.u32 %r3, [n]; mov.u32 %r8, 1; mov.u32 %r10, 0;\n") + one.before +
                       (has_label ? "\n" : "\nLOOP:\n") +
                       "mad.lo.u32 %r8, %r8, 31, %r9; add.u32 %r10, %r10, 1; st.global.u32 [%rd7], %r8;\n" +
                       one.behind + "\nDONE: st.global.u32 [%rd5], %r8; st.global.u32 [%rd6], %r10;");
}

struct result {
  std::vector<std::uint8_t> memory;
  std::uint64_t steps = 0;
  unsigned aborted = 0;
};

constexpr unsigned threads = 32;

class prepared {
 public:
  prepared(const module& all, std::uint32_t n, unsigned seed) : machine_(seed) {
    machine_.load(all);
    one_ = {"tested", {2}, {threads}, 0, std::vector<std::uint8_t>(56)};
    for (unsigned i = 0; i < 3; ++i) {
      const std::uint64_t array = machine_.global().allocate(4 * threads);
      std::memcpy(one_.parameters.data() + 8 * i, &array, 8);
    }
    std::memcpy(one_.parameters.data() + 24, &n, 4);
    bytes_ = machine_.global().contents().size();
  }
  machine& on() { return machine_; }
  const launch& one() const { return one_; }
  std::vector<std::uint8_t> memory() {
    std::vector<std::uint8_t> all = machine_.global().contents();
    all.resize(bytes_);
    return all;
  }

 private:
  machine machine_;
  launch one_;
  std::size_t bytes_;
};

result undisturbed(const std::string& text, std::uint32_t n) {
  const module all = parse_ptx(text);
  prepared here(all, n, 1);
  result end;
  end.steps = here.on().run(here.one()).steps;
  end.memory = here.memory();
  return end;
}

result aborted(const rewritten& made, std::uint32_t n, std::uint64_t within, unsigned seed) {
  const module all = parse_ptx(made.ptx);
  prepared here(all, n, seed);
  aborting_host host(here.on(), seed);
  host_settings settings;
  settings.within = within;
  host.run(here.one(), made.kernels.at(0).context_offset, settings);
  result end;
  end.memory = here.memory();
  end.aborted = host.report().aborted;
  return end;
}

rewritten made_of(const loop_case& one, std::uint32_t strip_max) {
  rewrite_settings settings;
  settings.gap_clocks = 40;
  settings.short_instructions = 0;
  settings.strip_max = strip_max;
  return with_variant(text_of(one), variant::loops, settings);
}

form form_of(const std::string& ptx) {
  const auto has = [&](const char* what) { return ptx.find(what) != ptx.npos; };
  if (has("sub.u32 %genesys_strip")) return form::count;
  if (!has("%genesys_go bra LOOP;")) return form::in_the_loop;
  return has("setp.ne.s32 %genesys_go") || has("setp.ne.b32 %genesys_go") || has("setp.ne.s64 %genesys_go")
             ? form::distance
             : form::order;
}

class Strips : public testing::TestWithParam<loop_case> {};

TEST_P(Strips, HaveTheForm) {
  const rewritten made = made_of(GetParam(), 64);
  if (GetParam().expected == form::no_poll) {
    EXPECT_EQ(made.kernels.at(0).polls.size(), 1U);
    return;
  }
  ASSERT_EQ(made.kernels.at(0).polls.size(), 2U) << refusals(made.kernels[0]);
  EXPECT_EQ(form_of(made.ptx), GetParam().expected) << made.ptx;
  EXPECT_EQ(made.kernels[0].polls[1].is_outside, GetParam().expected != form::in_the_loop);
  EXPECT_GT(made.kernels[0].polls[1].every, 1U);
}

TEST_P(Strips, IterateAsTheOriginal) {
  unsigned aborts = 0;
  for (const std::uint32_t strip : {2U, 3U, 8U, 64U}) {
    const rewritten made = made_of(GetParam(), strip);
    for (const std::uint32_t n : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 15U, 16U, 17U, 24U, 100U}) {
      const result expected = undisturbed(text_of(GetParam()), n);
      for (unsigned seed = 1; seed <= 3; ++seed) {
        const result end = aborted(made, n, expected.steps, seed);
        ASSERT_EQ(end.memory, expected.memory) << "n " << n << ", strips of " << strip << ", seed " << seed;
        aborts += end.aborted;
      }
    }
  }
  EXPECT_GT(aborts, 0U);
}

// A loop with a barrier, which threads leave at different times, and then end.
TEST(StripsOfABlock, ThreadsThatEnd) {
  const loop_case one = {"rounds", form::count, "mov.u32 %r9, 0; and.b32 %r11, %r1, 3; add.u32 %r11, %r11, %r3;",
                         "bar.sync 0; add.s32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, %r11; @%p1 bra LOOP;"};
  unsigned aborts = 0;
  for (const std::uint32_t strip : {2U, 3U, 8U}) {
    const rewritten made = made_of(one, strip);
    EXPECT_EQ(form_of(made.ptx), one.expected) << made.ptx;
    EXPECT_TRUE(made.kernels.at(0).polls.at(1).is_outside);
    for (const std::uint32_t n : {0U, 1U, 5U, 8U, 23U, 100U}) {
      const result expected = undisturbed(text_of(one), n);
      for (unsigned seed = 1; seed <= 5; ++seed) {
        const result end = aborted(made, n, expected.steps, seed);
        ASSERT_EQ(end.memory, expected.memory) << "n " << n << ", strips of " << strip << ", seed " << seed;
        aborts += end.aborted;
      }
    }
  }
  EXPECT_GT(aborts, 0U);
}

// What the tests above see if a strip is too long: the limit without the bound.
TEST(StripControl, LimitBeyondTheBound) {
  rewritten made = made_of(all_loops[0], 8);
  const std::string least = "min.s32 %genesys_limit, %genesys_limit, %r3;";
  const std::size_t at = made.ptx.find(least);
  ASSERT_NE(at, made.ptx.npos);
  made.ptx.erase(at, least.size());
  const result expected = undisturbed(text_of(all_loops[0]), 5);
  EXPECT_NE(aborted(made, 5, expected.steps, 1).memory, expected.memory);
}

INSTANTIATE_TEST_SUITE_P(Loops, Strips, testing::ValuesIn(all_loops), [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace genesys::schedule
