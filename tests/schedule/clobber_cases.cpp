// SPDX-License-Identifier: Apache-2.0
// What is read and written, and in which order: the paper's clobber rule.
#include "cases.h"

namespace genesys::schedule {

std::vector<kernel_case> clobber_cases() {
  using enum expected;
  return {
      {"in_place", restore, "reads its element, then writes it",
       with_prologue("ld.global.f32 %f1, [%rd5]; add.f32 %f1, %f1, %f1; st.global.f32 [%rd5], %f1;")},
      {"neighbour", restore, "reads what another thread writes",
       with_prologue("st.global.u32 [%rd5], %r1; ld.global.u32 %r2, [%rd5+4]; st.global.u32 [%rd7], %r2;")},
      {"written_before", again, "reads what it has written itself",
       with_prologue("st.global.u32 [%rd5], %r1; ld.global.u32 %r2, [%rd5]; st.global.u32 [%rd7], %r2;")},
      {"written_before_computed_again", again, "the same address, computed twice", with_prologue(R"(
         st.global.u32 [%rd5+8], %r1;
         mov.u32 %r5, %tid.x; mul.wide.u32 %rd10, %r5, 4; add.s64 %rd11, %rd1, %rd10; add.s64 %rd12, %rd11, 8;
         ld.global.u32 %r2, [%rd12];
         st.global.u32 [%rd7], %r2;)")},
      {"written_wider", again, "a vector was written, one element is read", with_prologue(R"(
         st.global.v2.u32 [%rd5], {%r1, %r1};
         ld.global.u32 %r2, [%rd5+4];
         st.global.u32 [%rd7], %r2;)")},
      {"written_narrower", restore, "half of what is read was written", with_prologue(R"(
         st.global.u32 [%rd5], %r1;
         ld.global.u64 %rd10, [%rd5];
         st.global.u64 [%rd7], %rd10;)")},
      {"written_on_one_path", restore, "a branch goes around the write", with_prologue(R"(
         setp.eq.u32 %p1, %r1, 0;
         @%p1 bra AROUND;
         st.global.u32 [%rd5], %r1;
       AROUND:
         ld.global.u32 %r2, [%rd5];
         st.global.u32 [%rd7], %r2;)")},
      {"written_on_both_paths", again, "each branch writes", with_prologue(R"(
         setp.eq.u32 %p1, %r1, 0;
         @%p1 bra OTHER;
         st.global.u32 [%rd5], %r1;
         bra JOIN;
       OTHER:
         mov.u32 %r3, 7;
         st.global.u32 [%rd5], %r3;
       JOIN:
         ld.global.u32 %r2, [%rd5];
         st.global.u32 [%rd7], %r2;)")},
      {"guarded_write", restore, "the write before the read is predicated", with_prologue(R"(
         setp.eq.u32 %p1, %r1, 0;
         @%p1 st.global.u32 [%rd5], %r1;
         ld.global.u32 %r2, [%rd5];
         st.global.u32 [%rd7], %r2;)")},
      {"address_moved_between", restore, "the register changes between write and read", with_prologue(R"(
         mov.u64 %rd10, %rd5;
         st.global.u32 [%rd10], %r1;
         add.s64 %rd10, %rd10, 4;
         ld.global.u32 %r2, [%rd10];
         st.global.u32 [%rd7], %r2;)")},
      {"address_moves_in_loop", restore, "in the next turn the address is another one", with_prologue(R"(
         mov.u64 %rd10, %rd5; mov.u32 %r2, 0;
         st.global.u32 [%rd10], %r1;
       LOOP:
         ld.global.u32 %r3, [%rd10];
         st.global.u32 [%rd10], %r3;
         add.s64 %rd10, %rd10, 128; add.u32 %r2, %r2, 1;
         setp.lt.u32 %p1, %r2, 8;
         @%p1 bra LOOP;)")},
      {"loop_writes_then_reads", again, "each turn writes its element before it reads it", with_prologue(R"(
         mov.u64 %rd10, %rd5; mov.u32 %r2, 0;
       LOOP:
         st.global.u32 [%rd10], %r2;
         ld.global.u32 %r3, [%rd10];
         st.global.u32 [%rd7], %r3;
         add.s64 %rd10, %rd10, 128; add.u32 %r2, %r2, 1;
         setp.lt.u32 %p1, %r2, 8;
         @%p1 bra LOOP;)")},
      {"vector_elements_differ", restore, "written through one element of a vector register, read through the other",
       with_prologue(R"(
         .reg .v2 .b64 %v;
         mov.b64 %v.x, %rd5; add.s64 %v.y, %rd5, 4;
         st.global.u32 [%v.x], %r1;
         ld.global.u32 %r2, [%v.y];
         st.global.u32 [%rd7], %r2;)")},
      {"shuffled_address", restore, "the address comes from another lane, in the same instruction twice",
       with_prologue(R"(
         shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1; mul.wide.u32 %rd10, %r3, 4; add.s64 %rd11, %rd1, %rd10;
         st.global.u32 [%rd11], %r1;
         shfl.sync.bfly.b32 %r4, %r1, 2, 31, -1; mul.wide.u32 %rd12, %r4, 4; add.s64 %rd13, %rd1, %rd12;
         ld.global.u32 %r2, [%rd13];
         st.global.u32 [%rd7], %r2;)")},
      {"non_coherent_read_back", restore, "ld.nc may not see the thread's own write", with_prologue(R"(
         st.global.u32 [%rd5], %r1;
         ld.global.nc.u32 %r2, [%rd5];
         st.global.u32 [%rd7], %r2;)")},
      {"staged_in_shared", again, "global memory is read into shared memory and written elsewhere", with_prologue(R"(
         .shared .align 4 .b8 tile[1024];
         ld.global.f32 %f1, [%rd6];
         mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.s32 %r4, %r2, %r3;
         st.shared.f32 [%r4], %f1;
         bar.sync 0;
         xor.b32 %r5, %r3, 4; add.s32 %r6, %r2, %r5; ld.shared.f32 %f2, [%r6];
         st.global.f32 [%rd5], %f2;)")},
      {"staged_in_place", restore, "the same, back into the array that was read", with_prologue(R"(
         .shared .align 4 .b8 tile[1024];
         ld.global.f32 %f1, [%rd5];
         mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.s32 %r4, %r2, %r3;
         st.shared.f32 [%r4], %f1;
         bar.sync 0;
         ld.shared.f32 %f2, [tile];
         st.global.f32 [%rd5], %f2;)")},
      {"staged_in_global", restore, "a block hands over through global memory: others read what it wrote",
       with_prologue(R"(
         st.global.u32 [%rd5], %r1;
         bar.sync 0;
         xor.b32 %r3, %r1, 1; mul.wide.u32 %rd10, %r3, 4; add.s64 %rd11, %rd1, %rd10;
         ld.global.u32 %r2, [%rd11];
         st.global.u32 [%rd7], %r2;)")},
      {"read_last", restore, "the read comes after the write in the text, but another block runs later",
       with_prologue(R"(
         st.global.u32 [%rd5], %r1;
         ld.global.u32 %r2, [%rd1];
         st.global.u32 [%rd7], %r2;)")},
      {"only_reads", again, "writes nothing",
       with_prologue("ld.global.u64 %rd10, [%rd5]; ld.global.u32 %r2, [%rd10];")},
      {"dead_code_counts", restore, "code that nothing reaches counts as well", with_prologue(R"(
         ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd5], %f1;
         bra DONE;
         st.global.f32 [%rd6], %f1;
       DONE:)")},
  };
}

}  // namespace genesys::schedule
