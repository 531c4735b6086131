// SPDX-License-Identifier: Apache-2.0
#include "cases.h"

namespace genesys::schedule {

std::string with_prologue(const std::string& body, const std::string& before) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n" + before + R"(
.visible .entry tested(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n, .param .align 8 .b8 s[24])
{
  .reg .b64 %rd<40>; .reg .b32 %r<20>; .reg .pred %p<4>; .reg .f32 %f<8>;
  .reg .b64 %w<4>;
  ld.param.u64 %w1, [a]; ld.param.u64 %w2, [b]; ld.param.u64 %w3, [c];
  cvta.to.global.u64 %rd1, %w1; cvta.to.global.u64 %rd2, %w2; cvta.to.global.u64 %rd3, %w3;
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd4, %r1, 4;
  add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4; add.s64 %rd7, %rd3, %rd4;
  )" + body +
         "\n  ret;\n}\n";
}

std::vector<kernel_case> all_cases() {
  std::vector<kernel_case> all;
  for (const auto& some :
       {origin_cases(), clobber_cases(), effect_cases(), spin_cases(), order_cases(), call_cases()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace genesys::schedule
