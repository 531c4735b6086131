// SPDX-License-Identifier: Apache-2.0
// Loops that load the same address again and again: those whose number of iterations is fixed wait for nobody, and
// those that memory, other threads or time end are waits, also in disguise.
#include "cases.h"

namespace genesys::schedule {
namespace {

// `%r4` counts from 0; the flag is at %rd2, which no case writes unless it says so. A barrier keeps the load in the
// loop.
kernel_case wait(const char* name, const char* why, const std::string& body, const std::string& before = "") {
  return {name, expected::let_end, why, with_prologue("mov.u32 %r4, 0;\n" + body, before)};
}
kernel_case no_wait(const char* name, expected verdict, const char* why, const std::string& body) {
  return {name, verdict, why, with_prologue("mov.u32 %r4, 0;\n" + body)};
}

const std::string leaves = R"(
.func leaves (.param .b64 p)
{ .reg .b64 %a; .reg .b32 %b; .reg .pred %q;
  ld.param.u64 %a, [p]; ld.u32 %b, [%a]; setp.ne.u32 %q, %b, 0; @%q exit; ret; }
)";

}  // namespace

std::vector<kernel_case> spin_cases() {
  using enum expected;
  return {
      no_wait("counts_by_parameter", restore, "n iterations, whatever the load gives", R"(
         ld.param.u32 %r9, [n];
       LOOP:
         bar.sync 0;
         ld.global.u32 %r2, [%rd2]; setp.gt.u32 %p2, %r2, 7; @%p2 bra SKIP;
         st.global.u32 [%rd5], %r2;
       SKIP:
         add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, %r9;
         @%p1 bra LOOP;
         ld.global.u32 %r3, [%rd5];
         st.global.u32 [%rd5+4], %r3;)"),
      no_wait("counts_by_memory_before", again, "the number of iterations is loaded before the loop", R"(
         ld.global.u32 %r9, [%rd2+4];
       LOOP:
         bar.sync 0; membar.gl;
         ld.global.u32 %r2, [%rd2];
         add.u32 %r5, %r4, 1; setp.lt.u32 %p1, %r4, %r9; mov.u32 %r4, %r5;
         @%p1 bra LOOP;
         st.global.u32 [%rd5], %r2;)"),
      no_wait("counts_in_two_loops", again, "a loop in a loop, both counted, with the test at the top", R"(
       OUTER:
         setp.ge.u32 %p1, %r4, 9; @%p1 bra DONE;
         ld.global.u32 %r2, [%rd2]; mov.u32 %r6, 0;
       INNER:
         setp.ge.u32 %p2, %r6, %r2; @%p2 bra NEXT;
         bar.warp.sync -1; ld.global.u32 %r3, [%rd2+4];
         add.u32 %r6, %r6, 1;
         bra INNER;
       NEXT:
         add.u32 %r4, %r4, 1;
         bra OUTER;
       DONE:
         st.global.u32 [%rd5], %r3;)"),
      no_wait("counts_and_leaves", again, "two ways out, both decided by the counter", R"(
         ld.param.u32 %r9, [n];
       LOOP:
         bar.sync 0; ld.global.u32 %r2, [%rd2];
         setp.eq.u32 %p2, %r4, 100; @%p2 ret;
         add.u32 %r4, %r4, 1; setp.ne.u32 %p1, %r4, %r9;
         @%p1 bra LOOP;
         st.global.u32 [%rd5], %r2;)"),
      wait("spin_without_counter", "nothing but the flag ends it", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2]; setp.eq.u32 %p1, %r2, 0;
         @%p1 bra WAIT;)"),
      wait("spin_with_limit", "the flag ends it before the counter does", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2]; setp.ne.u32 %p2, %r2, 0; @%p2 bra DONE;
         add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 1000000000;
         @%p1 bra WAIT;
       DONE:
         st.global.u32 [%rd5], %r4;)"),
      wait("spin_that_returns", "the same with a return under a predicate", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2]; setp.ne.u32 %p2, %r2, 0; @%p2 ret;
         add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 1000000000;
         @%p1 bra WAIT;)"),
      wait("spin_counts_the_flag", "the flag is added to the counter", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2];
         add.u32 %r4, %r4, %r2; setp.lt.u32 %p1, %r4, 1;
         @%p1 bra WAIT;)"),
      wait("spin_counts_if_set", "the counter is passed only if the flag is set", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2]; setp.eq.u32 %p2, %r2, 0; @%p2 bra SKIP;
         add.u32 %r4, %r4, 1;
       SKIP:
         setp.lt.u32 %p1, %r4, 1;
         @%p1 bra WAIT;)"),
      wait("spin_counts_under_predicate", "the counter has a predicate", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2]; setp.ne.u32 %p2, %r2, 0;
         @%p2 add.u32 %r4, %r4, 1;
         setp.lt.u32 %p1, %r4, 1;
         @%p1 bra WAIT;)"),
      wait("spin_loads_parameter", "a predicate decides whether the counter becomes n", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2]; setp.ne.u32 %p2, %r2, 0;
         @%p2 ld.param.u32 %r4, [n];
         setp.lt.u32 %p1, %r4, 1;
         @%p1 bra WAIT;)"),
      wait("spin_selects", "the step is 1 or 0", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2]; setp.ne.u32 %p2, %r2, 0; selp.u32 %r5, 1, 0, %p2;
         add.u32 %r4, %r4, %r5; setp.lt.u32 %p1, %r4, 1;
         @%p1 bra WAIT;)"),
      wait("spin_starts_over", "the counter goes back to 0 until the flag is set", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2]; setp.ne.u32 %p2, %r2, 0; @%p2 bra SKIP;
         mov.u32 %r4, 0;
       SKIP:
         add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 9;
         @%p1 bra WAIT;)"),
      wait("spin_around_counted_loop", "the loop with the load is counted, the one around it waits", R"(
       WAIT:
         mov.u32 %r4, 0;
       LOOP:
         bar.sync 0; ld.global.u32 %r2, [%rd2];
         add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 9; @%p1 bra LOOP;
         setp.eq.u32 %p2, %r2, 0;
         @%p2 bra WAIT;)"),
      wait("spin_in_counted_loop", "the loop around it is counted", R"(
       LOOP:
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2]; setp.le.u32 %p2, %r2, %r4; @%p2 bra WAIT;
         add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 9;
         @%p1 bra LOOP;)"),
      wait("spin_beside_counted_loop", "one iteration counts, and another one waits", R"(
       LOOP:
         bar.sync 0; ld.global.u32 %r2, [%rd2];
         setp.eq.u32 %p2, %r2, 0; @%p2 bra LOOP;
         add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 9;
         @%p1 bra LOOP;)"),
      wait("spin_bounded_by_memory", "the bound is loaded again in each iteration, and the kernel writes it", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2];
         add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, %r2;
         @%p1 bra WAIT;
         st.global.u32 [%rd2], 0;)"),
      wait("spin_other_lane", "another lane has loaded the flag", R"(
       WAIT:
         bar.warp.sync -1; ld.global.u32 %r2, [%rd2]; shfl.sync.idx.b32 %r5, %r2, 0, 31, -1;
         add.u32 %r4, %r4, %r5; setp.lt.u32 %p1, %r4, 1;
         @%p1 bra WAIT;)"),
      wait("spin_by_vote", "the lanes vote on what they have loaded", R"(
       WAIT:
         bar.warp.sync -1; ld.global.u32 %r2, [%rd2]; setp.ne.u32 %p2, %r2, 0; vote.sync.any.pred %p1, %p2, -1;
         @!%p1 bra WAIT;)"),
      wait("spin_by_barrier", "the barrier tells what the threads have loaded", R"(
       WAIT:
         ld.global.u32 %r2, [%rd2]; setp.ne.u32 %p2, %r2, 0; barrier.cta.red.or.pred %p1, 0, %p2;
         @!%p1 bra WAIT;)"),
      wait("spin_with_deadline", "time ends it, and so the load may wait until then", R"(
         mov.u32 %r5, %clock;
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2]; mov.u32 %r6, %clock; sub.u32 %r7, %r6, %r5;
         setp.lt.u32 %p1, %r7, 100000;
         @%p1 bra WAIT;
         st.global.u32 [%rd5], %r2;)"),
      wait("spin_counts_in_memory", "the counter is in local memory, where the flag is put as well", R"(
         .local .align 4 .b8 count[4];
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2]; setp.ne.u32 %p2, %r2, 0; @!%p2 bra SKIP;
         st.local.u32 [count], 1;
       SKIP:
         ld.local.u32 %r4, [count]; setp.lt.u32 %p1, %r4, 1;
         @%p1 bra WAIT;)"),
      wait("spin_that_never_ends", "no way out is seen", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2];
         bra WAIT;)"),
      wait("spin_leaves_in_function", "the function that it calls ends the thread", R"(
       WAIT:
         bar.sync 0; membar.gl; ld.global.u32 %r2, [%rd2];
         { .param .b64 p0; st.param.b64 [p0], %rd2; call.uni leaves, (p0); }
         add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 1000000000;
         @%p1 bra WAIT;)",
           leaves),
      wait("spin_by_table", "a jump by the flag leaves the loop", R"(
       targets: .branchtargets WAIT, DONE;
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2];
         add.u32 %r4, %r4, 1; setp.ge.u32 %p1, %r4, 1000000000; @%p1 bra DONE;
         brx.idx %r2, targets;
       DONE:
         st.global.u32 [%rd5], %r4;)"),
      wait("spin_in_halves", "the flag is put in a register from which the counter is unpacked", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2];
         mov.b64 %rd10, {%r4, %r2}; mov.b64 {%r6, %r4}, %rd10; setp.lt.u32 %p1, %r4, 1;
         @%p1 bra WAIT;)"),
      wait("spin_two_results", "the predicate is a second result", R"(
       WAIT:
         bar.sync 0; ld.global.u32 %r2, [%rd2];
         setp.ne.u32 %p2|%p1, %r2, 0;
         @%p1 bra WAIT;)"),
      wait("spin_counted_volatile", "a strong load in a loop is refused, also if it is counted", R"(
       LOOP:
         ld.volatile.global.u32 %r2, [%rd2];
         add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 9;
         @%p1 bra LOOP;)"),
  };
}

}  // namespace genesys::schedule
