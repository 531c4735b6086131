// SPDX-License-Identifier: Apache-2.0
// Functions that are called: what they do to their caller's pointers.
#include "cases.h"

namespace genesys::schedule {
namespace {

const std::string reader = R"(
.func (.param .b32 out) reader (.param .b64 p, .param .b32 i)
{ .reg .b64 %a<4>; .reg .b32 %b<3>;
  ld.param.u64 %a1, [p]; ld.param.u32 %b1, [i];
  mul.wide.u32 %a2, %b1, 4; add.s64 %a3, %a1, %a2; ld.u32 %b2, [%a3];
  st.param.b32 [out], %b2; ret; }
)";
const std::string writer = R"(
.func writer (.param .b64 p, .param .b32 x)
{ .reg .b64 %a<2>; .reg .b32 %b<2>;
  ld.param.u64 %a1, [p]; ld.param.u32 %b1, [x]; st.u32 [%a1], %b1; ret; }
)";
const std::string chooser = R"(
.func (.param .b64 out) chooser (.param .b64 p, .param .b64 q, .param .b32 which)
{ .reg .b64 %a<4>; .reg .b32 %b<2>; .reg .pred %c;
  ld.param.u64 %a1, [p]; ld.param.u64 %a2, [q]; ld.param.u32 %b1, [which];
  setp.eq.u32 %c, %b1, 0; selp.b64 %a3, %a1, %a2, %c; st.param.b64 [out], %a3; ret; }
)";
const std::string by_register = R"(
.func (.reg .b64 out) by_register (.reg .b64 p)
{ add.s64 out, p, 8; ret; }
)";
const std::string endless = R"(
.func endless (.param .b64 p, .param .b32 x)
{ .reg .b64 %a<2>; .reg .b32 %b<2>;
  ld.param.u64 %a1, [p]; ld.param.u32 %b1, [x]; st.u32 [%a1], %b1;
  { .param .b64 p0; st.param.b64 [p0], %a1; .param .b32 p1; st.param.b32 [p1], %b1; call.uni endless, (p0, p1); }
  ret; }
)";
const std::string puts = R"(
.func puts (.param .b64 where, .param .b64 what)
{ .reg .b64 %a<3>;
  ld.param.u64 %a1, [where]; ld.param.u64 %a2, [what]; st.u64 [%a1], %a2; ret; }
)";
const std::string lock = R"(
.func (.param .b32 out) lock (.param .b64 p)
{ .reg .b64 %a<2>; .reg .b32 %b<2>;
  ld.param.u64 %a1, [p]; atom.cas.b32 %b1, [%a1], 0, 1; st.param.b32 [out], %b1; ret; }
)";
const std::string pair_writer = R"(
.func pair_writer (.param .align 8 .b8 both[16], .param .b32 x)
{ .reg .b64 %a<2>; .reg .b32 %b<2>;
  ld.param.u64 %a1, [both+8]; ld.param.u32 %b1, [x]; st.u32 [%a1], %b1; ret; }
)";

std::string call_writer(const std::string& pointer, const std::string& callee = "writer") {
  return "{ .param .b64 p0; st.param.b64 [p0], " + pointer + "; .param .b32 p1; st.param.b32 [p1], %r1; call.uni " +
         callee + ", (p0, p1); }\n";
}
std::string call_reader(const std::string& pointer) {
  return "{ .param .b64 p0; st.param.b64 [p0], " + pointer +
         "; .param .b32 p1; st.param.b32 [p1], %r1; .param .b32 r0; call.uni (r0), reader, (p0, p1); "
         "ld.param.b32 %r2, [r0]; }\n";
}
std::string choose(const std::string& p, const std::string& q) {
  return "{ .param .b64 p0; st.param.b64 [p0], " + p + "; .param .b64 p1; st.param.b64 [p1], " + q +
         "; .param .b32 p2; st.param.b32 [p2], %r1; .param .b64 r0; call.uni (r0), chooser, (p0, p1, p2); "
         "ld.param.b64 %rd10, [r0]; }\n";
}

}  // namespace

std::vector<kernel_case> call_cases() {
  using enum expected;
  return {
      {"function_reads", again, "the function reads b",
       with_prologue(call_reader("%rd2") + "st.global.u32 [%rd5], %r2;", reader)},
      {"function_reads_written", restore, "the function reads a",
       with_prologue(call_reader("%rd1") + "st.global.u32 [%rd5], %r2;", reader)},
      {"function_writes", again, "the function writes a",
       with_prologue("ld.global.u32 %r1, [%rd6];" + call_writer("%rd5"), writer)},
      {"function_writes_read", restore, "the function writes b",
       with_prologue("ld.global.u32 %r1, [%rd6];" + call_writer("%rd2"), writer)},
      {"function_both_ways", restore, "called with a, then with b: one text, two pointers",
       with_prologue(call_writer("%rd5") + call_reader("%rd2") + call_writer("%rd6"), reader + writer)},
      {"function_chooses", restore, "the function gives back one of two pointers",
       with_prologue(choose("%rd5", "%rd6") + "ld.global.u32 %r2, [%rd6]; st.u32 [%rd10], %r2;", chooser)},
      {"function_chooses_apart", again, "the function gives back one of two pointers that are only read",
       with_prologue(choose("%rd6", "%rd7") + "ld.u32 %r2, [%rd10]; st.global.u32 [%rd5], %r2;", chooser)},
      {"function_by_register", restore, "arguments and results in registers",
       with_prologue(R"(
         call.uni (%rd10), by_register, (%rd1);
         ld.u32 %r2, [%rd10]; st.global.u32 [%rd5], %r2;)",
                     by_register)},
      {"function_of_struct", restore, "the second pointer of a struct that is passed by value",
       with_prologue(R"(
         ld.global.u32 %r2, [%rd6];
         { .param .align 8 .b8 p0[16]; st.param.b64 [p0+0], %rd1; st.param.b64 [p0+8], %rd2;
           .param .b32 p1; st.param.b32 [p1], %r2; call.uni pair_writer, (p0, p1); })",
                     pair_writer)},
      {"function_of_halves", restore, "the pointer is passed in two stores",
       with_prologue(R"(
         ld.global.u32 %r2, [%rd6];
         mov.b64 {%r3, %r4}, %rd2;
         { .param .align 8 .b8 p0[16]; st.param.b64 [p0+0], %rd1; st.param.b32 [p0+8], %r3; st.param.b32 [p0+12], %r4;
           .param .b32 p1; st.param.b32 [p1], %r2; call.uni pair_writer, (p0, p1); })",
                     pair_writer)},
      {"function_not_passed", let_end, "the caller does not set what the function reads",
       with_prologue(R"(
         { .param .align 8 .b8 p0[16]; st.param.b64 [p0+0], %rd1;
           .param .b32 p1; st.param.b32 [p1], %r1; call.uni pair_writer, (p0, p1); })",
                     pair_writer)},
      {"function_calls_itself", let_end, "recursion", with_prologue(call_writer("%rd5", "endless"), endless)},
      {"function_pointer", let_end, "a call through a register",
       with_prologue(R"(
         mov.u64 %rd10, writer;
         { .param .b64 p0; st.param.b64 [p0], %rd5; .param .b32 p1; st.param.b32 [p1], %r1;
           P: .callprototype _ (.param .b64 _, .param .b32 _);
           call %rd10, (p0, p1), P; })",
                     writer)},
      {"function_leaves_pointer", restore, "the function stores a pointer where the caller finds it",
       with_prologue(R"(
         .local .align 8 .b8 depot[8];
         mov.u64 %rd10, depot; cvta.local.u64 %rd11, %rd10;
         { .param .b64 p0; st.param.b64 [p0], %rd11; .param .b64 p1; st.param.b64 [p1], %rd1; call.uni puts, (p0, p1); }
         ld.local.u64 %rd12, [depot];
         ld.global.u32 %r2, [%rd12+4];
         st.global.u32 [%rd5], %r2;)",
                     puts)},
      {"function_finds_pointer", let_end, "the function writes through a pointer that it finds in the caller's memory",
       with_prologue(R"(
         .local .align 8 .b8 depot[8];
         mov.u64 %rd10, depot; cvta.local.u64 %rd11, %rd10; st.local.u64 [depot], %rd2;
         ld.global.u32 %r1, [%rd6];
         { .param .b64 p0; st.param.b64 [p0], %rd11; call.uni indirect, (p0); })",
                     R"(
.func indirect (.param .b64 p)
{ .reg .b64 %a<3>; .reg .b32 %b;
  ld.param.u64 %a1, [p]; ld.u64 %a2, [%a1]; mov.u32 %b, 1; st.u32 [%a2], %b; ret; }
)")},
      {"function_locks", let_end, "the loop stands in the kernel, the atomic in the function",
       with_prologue(R"(
       WAIT:
         { .param .b64 p0; st.param.b64 [p0], %rd2; .param .b32 r0; call.uni (r0), lock, (p0); ld.param.b32 %r2, [r0]; }
         setp.ne.u32 %p1, %r2, 0;
         @%p1 bra WAIT;)",
                     lock)},
      {"function_of_clock", restore, "the function's branch depends on a clock that the caller read",
       with_prologue(R"(
         mov.u32 %r2, %clock;
         { .param .b64 p0; st.param.b64 [p0], %rd5; .param .b32 p1; st.param.b32 [p1], %r2;
           call.uni perhaps, (p0, p1); })",
                     R"(
.func perhaps (.param .b64 p, .param .b32 x)
{ .reg .b64 %a; .reg .b32 %b; .reg .pred %c;
  ld.param.u64 %a, [p]; ld.param.u32 %b, [x]; setp.gt.u32 %c, %b, 9; @%c st.u32 [%a], %b; ret; }
)")},
  };
}

}  // namespace genesys::schedule
