// SPDX-License-Identifier: Apache-2.0
// What ptxas makes of rewritten kernels: no lane waits for one that waits for it, and no rounding changes. Skipped
// without ptxas and nvdisasm (machine_code.h). docs/notes/023-what-ptxas-makes-of-polls.md has what was found.
#include "machine_code.h"

#include <gtest/gtest.h>

#include "cases.h"
#include "rewrite_cases.h"

namespace genesys::schedule {
namespace {

class MachineCode : public testing::Test {
 protected:
  void SetUp() override {
    if (ptxas_path().empty() || nvdisasm_path().empty()) {
      GTEST_SKIP() << "no ptxas or no nvdisasm: set GENESYS_PTXAS and GENESYS_NVDISASM";
    }
  }
};

std::vector<std::string> stuck(const std::vector<machine_function>& all) {
  std::vector<std::string> result;
  for (const machine_function& each : all) {
    for (const std::string& one : stuck_lanes(each)) result.push_back(one);
  }
  return result;
}

rewrite_settings within(bool votes) {
  rewrite_settings result;
  result.polls_within_votes = votes;
  result.short_instructions = 0;
  return result;
}

// A loop whose threads end at different times, then a barrier; inside of a branch, too.
const char* const loops_before_barriers[] = {
    R"(ld.param.u32 %r3, [n]; add.u32 %r3, %r3, %r1; mov.u32 %r9, 0;
LOOP: st.global.u32 [%rd5], %r9; add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, %r3; @%p1 bra LOOP;
bar.sync 0; st.global.u32 [%rd6], %r9;)",
    R"(ld.param.u32 %r3, [n]; setp.lt.u32 %p2, %r1, 7; mov.u32 %r9, %r1; @%p2 bra JOIN;
LOOP: st.global.u32 [%rd5], %r9; add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, %r3; @%p1 bra LOOP;
JOIN: st.global.u32 [%rd6+4096], %r9; bar.sync 0; st.global.u32 [%rd6], %r9;)"};

TEST_F(MachineCode, NoLaneWaitsForEver) {
  for (const char* body : loops_before_barriers) {
    const rewritten made = with_variant(with_prologue(body), variant::loops);
    ASSERT_TRUE(has_poll(made.kernels.at(0), poll::kind::arrive));
    const auto code = machine_code(made.ptx);
    ASSERT_EQ(code.size(), 1U);
    EXPECT_EQ(stuck(code), std::vector<std::string>{}) << made.ptx;
  }
  for (const char* name : {"workloads.ptx", "table2.ptx", "adversarial.ptx"}) {
    for (const bool votes : {false, true}) {
      for (const variant wanted : {variant::loops, variant::timed_loops}) {
        const auto code = machine_code(with_variant(kept_ptx(name), wanted, within(votes)).ptx);
        ASSERT_GT(code.size(), 15U) << name;
        EXPECT_EQ(stuck(code), std::vector<std::string>{}) << name;
      }
    }
  }
}

// A way out of its own for threads that vote first.
TEST_F(MachineCode, ControlWaysOutThatDoNotMeet) {
  for (const char* body : loops_before_barriers) {
    std::string ptx = with_variant(with_prologue(body), variant::loops).ptx;
    const std::string label = "$genesys_leave:\n", last = "exit;\n";
    const std::size_t leave = ptx.find(label), end = ptx.find(last, leave);
    ASSERT_NE(end, ptx.npos);
    std::string copy = ptx.substr(leave + label.size(), end + last.size() - leave - label.size());
    for (std::size_t at = copy.find("genesys_end"); at != copy.npos; at = copy.find("genesys_end", at + 1)) {
      copy.replace(at, 11, "genesys_copied_end");
    }
    ptx.insert(leave, copy);
    EXPECT_NE(stuck(machine_code(ptx)), std::vector<std::string>{});
  }
}

void expect_same_operations(const std::string& original, variant wanted) {
  const auto before = machine_code(original), after = machine_code(with_variant(original, wanted, within(true)).ptx);
  ASSERT_EQ(before.size(), after.size());
  for (const machine_function& was : before) {
    for (const machine_function& now : after) {
      if (was.name != now.name) continue;
      EXPECT_EQ(float_operations(was), float_operations(now)) << was.name;
    }
  }
}

TEST_F(MachineCode, RoundingStays) {
  for (const char* name : {"workloads.ptx", "table2.ptx", "adversarial.ptx"}) {
    for (const variant wanted : {variant::timed, variant::entry, variant::loops, variant::timed_loops}) {
      expect_same_operations(kept_ptx(name), wanted);
    }
  }
  const std::string sum = "add.f32 %f1, %f1, %f2; st.global.f32 [%rd5], %f1;", product = "mul.f32 %f2, %f3, %f4;",
                    load = "ld.global.f32 %f3, [%rd6]; ld.global.f32 %f4, [%rd6+4];",
                    next = "add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, ", back = "; @%p1 bra LOOP;\n",
                    start = "ld.param.u32 %r3, [n]; mov.u32 %r9, 0; mov.f32 %f1, 0f00000000; mov.f32 %f2, %f1;\n";
  // Many kernels in one text: the tools take most of their time to start.
  std::string all;
  unsigned kernels = 0;
  const auto add = [&](const std::string& body) {
    std::string text = with_prologue(start + body);
    text.replace(text.find("tested"), 6, "tested_" + std::to_string(kernels++));
    all += all.empty() ? text : text.substr(text.find(".visible"));
  };
  for (const char* count : {"%r3", "3", "40"}) {
    for (const std::string& barrier : {std::string(), std::string("bar.sync 0;")}) {
      const std::string end = next + count + back;
      add("LOOP: " + sum + load + product + barrier + end);
      add("LOOP: " + sum + barrier + load + product + end);
      add("LOOP: " + load + product + barrier + sum + end);
      add("LOOP: " + load + product + "neg.f32 %f2, %f2;" + barrier + sum + end);
      add(load + product + "LOOP: " + barrier + sum + end);
      add("LOOP: " + load + product + barrier + end + sum);
    }
  }
  expect_same_operations(all, variant::loops);
  expect_same_operations(all, variant::timed);
}

// A poll by hand in a loop in which the sum stands first.
TEST_F(MachineCode, ControlPollBetweenIterations) {
  const auto text = [](const char* poll) {
    return with_prologue(R"(ld.param.u32 %r3, [n]; mov.u32 %r9, 0; mov.f32 %f1, 0f00000000; mov.f32 %f2, %f1;
LOOP: )" + std::string(poll) +
                         R"( add.f32 %f1, %f1, %f2; ld.global.f32 %f3, [%rd6]; mul.f32 %f2, %f3, %f3;
add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, %r3; @%p1 bra LOOP; st.global.f32 [%rd5], %f1;)");
  };
  const auto without = machine_code(text("")),
             with = machine_code(text("mov.u32 %r8, %clock; setp.eq.u32 %p2, %r8, 77; @%p2 exit;"));
  ASSERT_EQ(without.size(), 1U);
  ASSERT_EQ(with.size(), 1U);
  EXPECT_NE(float_operations(without[0]), float_operations(with[0]));
}

}  // namespace
}  // namespace genesys::schedule
