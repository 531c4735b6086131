// SPDX-License-Identifier: Apache-2.0
// One text with its verdicts and its polls (module_text.h).
#include <gtest/gtest.h>

#include "schedule/rewrite/module_text.h"

namespace genesys::schedule {
namespace {

constexpr char text[] = R"(
.version 8.0
.target sm_80
.address_size 64
.const .align 4 .f32 factor;

.visible .entry by_constant(.param .u64 out)
{
  .reg .f32 %f<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  ld.const.f32 %f1, [factor];
  st.global.f32 [%rd2], %f1;
  ret;
}

.visible .entry plain(.param .u64 out)
{
  .reg .f32 %f<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.f32 %f1, 0f3F800000;
  st.global.f32 [%rd2], %f1;
  ret;
}
)";

// A second module would have another `factor`, which nobody has set.
TEST(ModuleText, WhatUsesConstantsGetsNoPolls) {
  module_text of(text);
  ASSERT_NE(of.verdict_of("by_constant"), nullptr);
  EXPECT_TRUE(of.verdict_of("by_constant")->is_preemptible);
  EXPECT_EQ(of.verdict_of("none"), nullptr);
  EXPECT_EQ(of.with_variables(), std::set<std::string>{"by_constant"});
  const module_text::polled with = of.with_polls(variant::entry);
  EXPECT_EQ(with.kernels.at("by_constant").made, variant::none);
  EXPECT_NE(of.why_no_polls(with, "by_constant").find("variables of its module"), std::string::npos);
  EXPECT_EQ(with.kernels.at("plain").made, variant::entry);
  EXPECT_EQ(of.why_no_polls(with, "plain"), "");
  EXPECT_EQ(of.why_no_polls(with, "none"), "the PTX has no such kernel");
}

}  // namespace
}  // namespace genesys::schedule
