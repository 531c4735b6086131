// SPDX-License-Identifier: Apache-2.0
// Each kernel of the cases gets its verdict.
#include <gtest/gtest.h>

#include "cases.h"
#include "schedule/classify/verdict.h"

namespace genesys::schedule {
namespace {

std::string told(const kernel_verdict& kernel) {
  std::string text;
  for (const reason& each : kernel.reasons) text += "line " + std::to_string(each.line) + ": " + each.text + "\n";
  return text;
}

expected verdict_of(const kernel_verdict& kernel) {
  if (!kernel.is_preemptible) return expected::let_end;
  return kernel.is_idempotent ? expected::again : expected::restore;
}

class Classify : public testing::TestWithParam<kernel_case> {};

TEST_P(Classify, Kernel) {
  const std::vector<kernel_verdict> kernels = classify(std::string_view(GetParam().ptx));
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(verdict_of(kernels[0]), GetParam().verdict) << GetParam().why << "\n" << told(kernels[0]) << GetParam().ptx;
  // What is refused says why, with a line.
  if (GetParam().verdict != expected::again) {
    ASSERT_FALSE(kernels[0].reasons.empty());
    EXPECT_GT(kernels[0].reasons[0].line, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Classify, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

// No case is refused because its text is wrong: the parser understands all of them but those that are about that.
TEST(Cases, AreUnderstood) {
  for (const kernel_case& one : all_cases()) {
    const module all = parse_ptx(one.ptx);
    EXPECT_TRUE(all.problems.empty()) << one.name << ": " << all.problems[0].text;
    for (const function& each : all.functions) {
      EXPECT_TRUE(each.problems.empty()) << one.name << ": " << each.problems[0].text;
    }
  }
}

}  // namespace
}  // namespace genesys::schedule
