// SPDX-License-Identifier: Apache-2.0
// What may differ between the run that was aborted and the run after it. If that decides where a kernel writes, memory
// may hold a mixture of both runs.
#include "cases.h"

namespace genesys::schedule {

std::vector<kernel_case> order_cases() {
  using enum expected;
  return {
      {"clock_stored", again, "each run stores its own time at the same place",
       with_prologue("mov.u64 %rd10, %clock64; st.global.u64 [%rd5], %rd10;")},
      {"clock_chooses_branch", restore, "one run writes a, the other c", with_prologue(R"(
         mov.u32 %r2, %clock; and.b32 %r3, %r2, 1; setp.eq.u32 %p1, %r3, 0;
         @%p1 bra OTHER;
         st.global.u32 [%rd5], %r1;
         ret;
       OTHER:
         st.global.u32 [%rd7], %r1;)")},
      {"clock_guards_store", restore, "a predicated store", with_prologue(R"(
         mov.u32 %r2, %globaltimer_lo; and.b32 %r3, %r2, 1; setp.eq.u32 %p1, %r3, 0;
         @%p1 st.global.u32 [%rd5], %r1;)")},
      {"clock_selects_address", restore, "an index that depends on the time", with_prologue(R"(
         mov.u32 %r2, %clock; and.b32 %r3, %r2, 255; mul.wide.u32 %rd10, %r3, 4; add.s64 %rd11, %rd1, %rd10;
         st.global.u32 [%rd11], %r1;)")},
      {"multiprocessor", restore, "another run has its blocks on other multiprocessors", with_prologue(R"(
         mov.u32 %r2, %smid; mul.wide.u32 %rd10, %r2, 4; add.s64 %rd11, %rd1, %rd10;
         st.global.u32 [%rd11], %r1;)")},
      {"clock_through_shared", restore, "the time goes through shared memory", with_prologue(R"(
         .shared .align 4 .b8 tile[4];
         mov.u32 %r2, %clock; st.shared.u32 [tile], %r2; bar.sync 0; ld.shared.u32 %r3, [tile];
         setp.gt.u32 %p1, %r3, 9;
         @%p1 bra DONE;
         st.global.u32 [%rd5], %r1;
       DONE:)")},
      {"clock_through_global", restore, "the time goes through global memory", with_prologue(R"(
         mov.u32 %r2, %clock; st.global.u32 [%rd5], %r2; ld.global.u32 %r3, [%rd5];
         setp.gt.u32 %p1, %r3, 9;
         @%p1 bra DONE;
         st.global.u32 [%rd7], %r1;
       DONE:)")},
      {"last_store_elects", restore, "plain stores race, and the last one elects a thread", with_prologue(R"(
         .shared .align 4 .b8 tile[4];
         st.shared.u32 [tile], %r1; bar.sync 0; ld.shared.u32 %r2, [tile];
         setp.ne.u32 %p1, %r2, %r1;
         @%p1 bra DONE;
         st.global.u32 [%rd5], %r1;
       DONE:)")},
      {"last_store_in_global_elects", restore, "the same in global memory, read back by each thread", with_prologue(R"(
         st.global.u32 [%rd3], %r1; bar.sync 0; ld.global.u32 %r2, [%rd3];
         setp.ne.u32 %p1, %r2, %r1;
         @%p1 bra DONE;
         st.global.u32 [%rd5], %r1;
       DONE:)")},
      {"same_number_in_shared", again, "all store the same number, so it does not matter who is last", with_prologue(R"(
         .shared .align 4 .b8 tile[4];
         mov.u32 %r3, 1; setp.gt.u32 %p2, %r1, 100;
         @%p2 st.shared.u32 [tile], %r3;
         bar.sync 0; ld.shared.u32 %r2, [tile];
         setp.ne.u32 %p1, %r2, 1;
         @%p1 bra DONE;
         st.global.u32 [%rd5], %r1;
       DONE:)")},
      {"two_numbers_in_shared", restore, "two numbers at one place", with_prologue(R"(
         .shared .align 4 .b8 tile[4];
         mov.u32 %r3, 1; mov.u32 %r4, 0; setp.gt.u32 %p2, %r1, 100;
         st.shared.u32 [tile], %r4;
         @%p2 st.shared.u32 [tile], %r3;
         bar.sync 0; ld.shared.u32 %r2, [tile];
         setp.ne.u32 %p1, %r2, 1;
         @%p1 bra DONE;
         st.global.u32 [%rd5], %r1;
       DONE:)")},
      {"first_of_block", restore, "an atomic in shared memory elects a thread", with_prologue(R"(
         .shared .align 4 .b8 tile[4];
         atom.shared.add.u32 %r2, [tile], 1;
         setp.ne.u32 %p1, %r2, 0;
         @%p1 bra DONE;
         st.global.u32 [%rd5], %r1;
       DONE:)")},
      {"slots_of_block", restore, "an atomic in shared memory gives out places", with_prologue(R"(
         .shared .align 4 .b8 tile[4];
         atom.shared.add.u32 %r2, [tile], 1; mul.wide.u32 %rd10, %r2, 4; add.s64 %rd11, %rd1, %rd10;
         st.global.u32 [%rd11], %r1;)")},
      {"histogram_in_shared", again, "the order of integer additions has no effect", with_prologue(R"(
         .shared .align 4 .b8 tile[1024];
         mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.s32 %r4, %r2, %r3;
         red.shared.add.u32 [%r4], 1;
         bar.sync 0;
         ld.shared.u32 %r5, [%r4];
         setp.eq.u32 %p1, %r5, 0;
         @%p1 bra DONE;
         st.global.u32 [%rd5], %r5;
       DONE:)")},
      {"float_sum_in_shared", again, "rounding differs, but the place does not", with_prologue(R"(
         .shared .align 4 .b8 tile[4];
         red.shared.add.f32 [tile], 0f3F800000; bar.sync 0; ld.shared.f32 %f1, [tile];
         st.global.f32 [%rd5], %f1;)")},
      {"float_sum_decides", restore, "rounding decides whether it writes", with_prologue(R"(
         .shared .align 4 .b8 tile[4];
         red.shared.add.f32 [tile], 0f3F800000; bar.sync 0; ld.shared.f32 %f1, [tile];
         setp.gt.f32 %p1, %f1, 0f3F800000;
         @%p1 st.global.f32 [%rd5], %f1;)")},
      {"last_exchange", restore, "the last exchange wins", with_prologue(R"(
         .shared .align 4 .b8 tile[4];
         atom.shared.exch.b32 _, [tile], %r1; bar.sync 0; ld.shared.u32 %r2, [tile];
         mul.wide.u32 %rd10, %r2, 4; add.s64 %rd11, %rd1, %rd10;
         st.global.u32 [%rd11], %r1;)")},
      {"volatile_shared", restore, "volatile loads may see the writes of other warps at any time", with_prologue(R"(
         .shared .align 4 .b8 tile[4];
         ld.volatile.shared.u32 %r2, [tile];
         setp.eq.u32 %p1, %r2, 0;
         @%p1 st.global.u32 [%rd5], %r1;)")},
      {"active_lanes", restore, "which lanes are together depends on time", with_prologue(R"(
         activemask.b32 %r2;
         setp.eq.u32 %p1, %r2, -1;
         @%p1 st.global.u32 [%rd5], %r1;)")},
      {"old_vote", restore, "a vote of the lanes that happen to be together", with_prologue(R"(
         setp.eq.u32 %p1, %r1, 0; vote.ballot.b32 %r2, %p1; setp.ne.u32 %p2, %r2, 0;
         @%p2 st.global.u32 [%rd5], %r2;)")},
      {"counts_arrivals", restore, "how many have not arrived yet", with_prologue(R"(
         .shared .align 8 .b8 bar[8];
         mbarrier.init.shared::cta.b64 [bar], 32; bar.sync 0;
         mbarrier.arrive.shared::cta.b64 %rd10, [bar];
         mbarrier.pending_count.b64 %r2, %rd10; mul.wide.u32 %rd11, %r2, 4; add.s64 %rd12, %rd1, %rd11;
         st.global.u32 [%rd12], %r1;)")},
      {"vote", again, "a vote of named lanes is the same in every run", with_prologue(R"(
         setp.eq.u32 %p1, %r1, 0; vote.sync.ballot.b32 %r2, %p1, -1; setp.ne.u32 %p2, %r2, 0;
         @%p2 st.global.u32 [%rd5], %r2;)")},
      {"waits_for_mbarrier", again, "how often the loop goes round has no effect", with_prologue(R"(
         .shared .align 8 .b8 bar[8];
         mbarrier.init.shared::cta.b64 [bar], 32; bar.sync 0;
         mbarrier.arrive.shared::cta.b64 %rd10, [bar];
       WAIT:
         { .reg .pred done; mbarrier.try_wait.shared::cta.b64 done, [bar], %rd10; selp.b32 %r2, 1, 0, done; }
         setp.eq.u32 %p1, %r2, 0;
         @%p1 bra WAIT;
         ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd5], %f1;)")},
      {"asks_mbarrier", restore, "whether the barrier is complete by now decides what is written", with_prologue(R"(
         .shared .align 8 .b8 bar[8];
         mbarrier.init.shared::cta.b64 [bar], 32; bar.sync 0;
         mbarrier.arrive.shared::cta.b64 %rd10, [bar];
         mbarrier.test_wait.shared::cta.b64 %p1, [bar], %rd10;
         @%p1 st.global.u32 [%rd5], %r1;)")},
      {"counts_waits", restore, "how often the loop goes round is stored at that index", with_prologue(R"(
         .shared .align 8 .b8 bar[8];
         mbarrier.init.shared::cta.b64 [bar], 32; bar.sync 0;
         mbarrier.arrive.shared::cta.b64 %rd10, [bar];
         mov.u32 %r3, 0;
       WAIT:
         add.u32 %r3, %r3, 1;
         mbarrier.try_wait.shared::cta.b64 %p1, [bar], %rd10;
         @!%p1 bra WAIT;
         mul.wide.u32 %rd11, %r3, 4; add.s64 %rd12, %rd1, %rd11; st.global.u32 [%rd12], %r1;)")},
      {"two_ways_out", restore, "time chooses the way out of the loop", with_prologue(R"(
         .shared .align 8 .b8 bar[8];
         mbarrier.init.shared::cta.b64 [bar], 32; bar.sync 0;
         mbarrier.arrive.shared::cta.b64 %rd10, [bar];
       WAIT:
         mbarrier.test_wait.shared::cta.b64 %p1, [bar], %rd10;
         @%p1 bra ONE;
         mbarrier.test_wait.shared::cta.b64 %p2, [bar], %rd10;
         @!%p2 bra WAIT;
         st.global.u32 [%rd5], %r1;
         ret;
       ONE:
         st.global.u32 [%rd7], %r1;)")},
  };
}

}  // namespace genesys::schedule
