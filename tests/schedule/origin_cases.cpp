// SPDX-License-Identifier: Apache-2.0
// Addresses that hide where they come from.
#include "cases.h"

namespace genesys::schedule {

std::vector<kernel_case> origin_cases() {
  using enum expected;
  return {
      {"copy", again, "b is only read, a is only written",
       with_prologue("ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd5], %f1;")},
      {"alias_by_move", restore, "a second register holds the pointer that is read", with_prologue(R"(
         mov.b64 %rd10, %rd5;
         ld.global.f32 %f1, [%rd10];
         st.global.f32 [%rd5], %f1;)")},
      {"alias_generic", restore, "one address in the generic space, one in the global space", with_prologue(R"(
         cvta.global.u64 %rd10, %rd5;
         ld.f32 %f1, [%rd10+4];
         st.global.f32 [%rd5], %f1;)")},
      {"alias_by_arithmetic", restore, "the pointer comes back after xor twice", with_prologue(R"(
         xor.b64 %rd10, %rd5, 1311768467463790320;
         xor.b64 %rd11, %rd10, 1311768467463790320;
         ld.global.f32 %f1, [%rd11+4];
         st.global.f32 [%rd5], %f1;)")},
      {"phi_swaps", restore, "two pointers change places in a loop, so both are read and written", with_prologue(R"(
         mov.u64 %rd10, %rd1; mov.u64 %rd11, %rd2; mov.u32 %r2, 0;
       LOOP:
         ld.global.f32 %f1, [%rd10];
         st.global.f32 [%rd11], %f1;
         mov.u64 %rd12, %rd10; mov.u64 %rd10, %rd11; mov.u64 %rd11, %rd12;
         add.u32 %r2, %r2, 1;
         setp.lt.u32 %p1, %r2, 2;
         @%p1 bra LOOP;)")},
      {"phi_chain", restore, "the written pointer arrives after three turns of the loop only", with_prologue(R"(
         mov.u64 %rd10, %rd1; mov.u64 %rd11, %rd1; mov.u64 %rd12, %rd2; mov.u32 %r2, 0;
       LOOP:
         st.global.u32 [%rd10], %r2;
         mov.u64 %rd10, %rd11; mov.u64 %rd11, %rd12;
         ld.global.u32 %r3, [%rd2];
         add.u32 %r2, %r2, %r3;
         setp.lt.u32 %p1, %r2, 9;
         @%p1 bra LOOP;)")},
      {"loop_shifts_pointers", again, "pointers move by a stride, but each stays with its array", with_prologue(R"(
         mov.u64 %rd10, %rd5; mov.u64 %rd11, %rd6; mov.u32 %r2, 0;
       LOOP:
         ld.global.f32 %f1, [%rd11];
         st.global.f32 [%rd10], %f1;
         add.s64 %rd10, %rd10, 128; add.s64 %rd11, %rd11, 128;
         add.u32 %r2, %r2, 1;
         setp.lt.u32 %p1, %r2, 8;
         @%p1 bra LOOP;)")},
      {"select_read", restore, "the read goes to a or b", with_prologue(R"(
         setp.eq.u32 %p1, %r1, 0;
         selp.b64 %rd10, %rd5, %rd6, %p1;
         ld.global.f32 %f1, [%rd10];
         st.global.f32 [%rd5+256], %f1;)")},
      {"select_write", restore, "the write goes to a or b, and b is read", with_prologue(R"(
         setp.eq.u32 %p1, %r1, 0;
         selp.b64 %rd10, %rd5, %rd6, %p1;
         ld.global.f32 %f1, [%rd6+4];
         st.global.f32 [%rd10], %f1;)")},
      {"select_apart", again, "reads b or c, writes a", with_prologue(R"(
         setp.eq.u32 %p1, %r1, 0;
         selp.b64 %rd10, %rd6, %rd7, %p1;
         ld.global.f32 %f1, [%rd10];
         st.global.f32 [%rd5], %f1;)")},
      {"guarded_move", restore, "a predicated move makes the second definition", with_prologue(R"(
         setp.eq.u32 %p1, %r1, 0;
         mov.u64 %rd10, %rd5;
         @%p1 mov.u64 %rd10, %rd6;
         ld.global.f32 %f1, [%rd6];
         st.global.f32 [%rd10], %f1;)")},
      {"halves_packed", restore, "the pointer is taken apart and put together again", with_prologue(R"(
         mov.b64 {%r2, %r3}, %rd5;
         mov.b64 %rd10, {%r2, %r3};
         ld.global.f32 %f1, [%rd10+4];
         st.global.f32 [%rd5], %f1;)")},
      {"halves_from_parameter", restore, "two 32-bit loads read the parameter", with_prologue(R"(
         ld.param.u32 %r2, [a]; ld.param.u32 %r3, [a+4];
         mov.b64 %rd10, {%r2, %r3};
         ld.f32 %f1, [%rd10];
         st.global.f32 [%rd5], %f1;)")},
      {"halves_by_shift", restore, "the upper half comes back by a shift and or", with_prologue(R"(
         cvt.u32.u64 %r2, %rd5; shr.u64 %rd10, %rd5, 32; cvt.u32.u64 %r3, %rd10;
         cvt.u64.u32 %rd11, %r3; shl.b64 %rd11, %rd11, 32; cvt.u64.u32 %rd12, %r2; or.b64 %rd13, %rd11, %rd12;
         ld.global.f32 %f1, [%rd13];
         st.global.f32 [%rd5], %f1;)")},
      {"halves_by_bfi", restore, "a field insert puts the halves together", with_prologue(R"(
         mov.b64 {%r2, %r3}, %rd5;
         cvt.u64.u32 %rd11, %r2; cvt.u64.u32 %rd12, %r3; bfi.b64 %rd13, %rd12, %rd11, 32, 32;
         ld.global.f32 %f1, [%rd13];
         st.global.f32 [%rd5], %f1;)")},
      {"halves_by_multiplication", restore, "the upper half comes back by a product", with_prologue(R"(
         mov.b64 {%r2, %r3}, %rd5;
         cvt.u64.u32 %rd11, %r3; mul.lo.s64 %rd11, %rd11, 4294967296; cvt.u64.u32 %rd12, %r2;
         add.s64 %rd13, %rd11, %rd12;
         ld.global.f32 %f1, [%rd13];
         st.global.f32 [%rd5], %f1;)")},
      {"halves_with_carry", restore, "64-bit addition in 32-bit steps", with_prologue(R"(
         mov.b64 {%r2, %r3}, %rd1;
         add.cc.u32 %r4, %r2, 64; addc.u32 %r5, %r3, 0;
         mov.b64 %rd10, {%r4, %r5};
         ld.global.f32 %f1, [%rd10];
         st.global.f32 [%rd5], %f1;)")},
      {"halves_by_prmt", restore, "bytes are permuted", with_prologue(R"(
         mov.b64 {%r2, %r3}, %rd5;
         prmt.b32 %r4, %r2, %r3, 12816; prmt.b32 %r5, %r2, %r3, 30292;
         mov.b64 %rd10, {%r4, %r5};
         ld.global.f32 %f1, [%rd10];
         st.global.f32 [%rd5], %f1;)")},
      {"shuffled_pointer", restore, "each half of the pointer comes from another lane", with_prologue(R"(
         mov.b64 {%r2, %r3}, %rd5;
         shfl.sync.idx.b32 %r4|%p1, %r2, 0, 31, -1; shfl.sync.idx.b32 %r5|%p2, %r3, 0, 31, -1;
         mov.b64 %rd10, {%r4, %r5};
         ld.global.f32 %f1, [%rd10];
         st.global.f32 [%rd5], %f1;)")},
      {"difference", restore, "b + (a - b) is a", with_prologue(R"(
         sub.s64 %rd10, %rd1, %rd2;
         add.s64 %rd11, %rd6, %rd10;
         ld.global.f32 %f1, [%rd11];
         st.global.f32 [%rd5], %f1;)")},
      {"difference_in_elements", restore, "a[(b - a) / 4] is b", with_prologue(R"(
         sub.s64 %rd10, %rd2, %rd1; shr.s64 %rd11, %rd10, 2; shl.b64 %rd12, %rd11, 2; add.s64 %rd13, %rd1, %rd12;
         ld.global.f32 %f1, [%rd6];
         st.global.f32 [%rd13], %f1;)")},
      {"difference_of_loaded", let_end, "a[(q - a) / 4] is q, a pointer from memory", with_prologue(R"(
         ld.global.u64 %rd9, [%rd2];
         sub.s64 %rd10, %rd9, %rd1; shr.s64 %rd11, %rd10, 2; shl.b64 %rd12, %rd11, 2; add.s64 %rd13, %rd1, %rd12;
         st.global.u32 [%rd13], %r1;)")},
      {"difference_to_shared", restore, "tile[(a - tile) / 4] is a", with_prologue(R"(
         .shared .align 4 .b8 tile[1024];
         mov.u64 %rd8, tile; cvta.shared.u64 %rd9, %rd8;
         sub.s64 %rd10, %rd1, %rd9; shr.s64 %rd11, %rd10, 2; shl.b64 %rd12, %rd11, 2; add.s64 %rd13, %rd9, %rd12;
         ld.global.u32 %r2, [%rd5+4];
         st.global.u32 [%rd7], %r2; ld.u32 %r3, [%rd13]; st.global.u32 [%rd7+4], %r3; st.global.u32 [%rd1], %r3;)")},
      {"difference_to_shared_written", let_end, "the same, written", with_prologue(R"(
         .shared .align 4 .b8 tile[1024];
         mov.u64 %rd8, tile; cvta.shared.u64 %rd9, %rd8;
         sub.s64 %rd10, %rd2, %rd9; shr.s64 %rd11, %rd10, 2; shl.b64 %rd12, %rd11, 2; add.s64 %rd13, %rd9, %rd12;
         ld.global.u32 %r2, [%rd6];
         st.u32 [%rd13], %r2;)")},
      {"difference_in_32_bits", let_end, "the same, with a distance of 32 bits", with_prologue(R"(
         ld.global.u64 %rd9, [%rd2];
         sub.s64 %rd10, %rd9, %rd1; cvt.u32.u64 %r2, %rd10; cvt.s64.s32 %rd12, %r2; add.s64 %rd13, %rd1, %rd12;
         st.global.u32 [%rd13], %r1;)")},
      {"difference_by_negation", let_end, "the same, with neg and add", with_prologue(R"(
         ld.global.u64 %rd9, [%rd2];
         neg.s64 %rd8, %rd1; add.s64 %rd10, %rd9, %rd8; shr.s64 %rd11, %rd10, 3; shl.b64 %rd12, %rd11, 3;
         add.s64 %rd13, %rd1, %rd12;
         st.global.u32 [%rd13], %r1;)")},
      {"difference_by_product", let_end, "the same, with a factor of -1 from a register", with_prologue(R"(
         ld.global.u64 %rd9, [%rd2]; mov.u64 %rd14, -1;
         mad.lo.s64 %rd10, %rd1, %rd14, %rd9; shr.s64 %rd11, %rd10, 3; shl.b64 %rd12, %rd11, 3;
         add.s64 %rd13, %rd1, %rd12;
         st.global.u32 [%rd13], %r1;)")},
      {"difference_in_halves", let_end, "the same, in 32-bit steps with a borrow", with_prologue(R"(
         ld.global.v2.u32 {%r2, %r3}, [%rd2]; mov.b64 {%r4, %r5}, %rd1;
         sub.cc.u32 %r6, %r2, %r4; subc.u32 %r7, %r3, %r5; mov.b64 %rd10, {%r6, %r7};
         shr.s64 %rd11, %rd10, 3; shl.b64 %rd12, %rd11, 3; add.s64 %rd13, %rd1, %rd12;
         st.global.u32 [%rd13], %r1;)")},
      {"index_minus_parameter", again, "a 32-bit index from memory minus a 32-bit parameter", with_prologue(R"(
         ld.global.u32 %r2, [%rd6]; ld.param.u32 %r3, [n]; sub.s32 %r4, %r2, %r3; mul.wide.s32 %rd10, %r4, 4;
         add.s64 %rd11, %rd1, %rd10;
         st.global.u32 [%rd11], %r1;)")},
      {"struct_by_value", again, "each pointer of the struct is one of its own", with_prologue(R"(
         ld.param.u64 %rd10, [s]; ld.param.u64 %rd11, [s+8];
         ld.global.f32 %f1, [%rd11];
         st.global.f32 [%rd10], %f1;)")},
      {"struct_same_member", restore, "one pointer of the struct, read as a vector and alone", with_prologue(R"(
         ld.param.u64 %rd12, [s+8];
         ld.param.v2.u64 {%rd10, %rd11}, [s];
         ld.global.f32 %f1, [%rd12];
         st.global.f32 [%rd11+4], %f1;)")},
      {"struct_as_128_bits", restore, "two pointers in one register of 128 bits", with_prologue(R"(
         .reg .b128 %q;
         ld.param.b128 %q, [s]; mov.b128 {%rd10, %rd11}, %q;
         ld.param.u64 %rd12, [s+8];
         ld.global.f32 %f1, [%rd12+4];
         st.global.f32 [%rd11], %f1;)")},
      {"struct_indexed", restore, "the member is chosen by an index, so it may be any", with_prologue(R"(
         mov.b64 %rd10, s; mul.wide.u32 %rd11, %r1, 8; add.s64 %rd12, %rd10, %rd11;
         ld.param.u64 %rd13, [%rd12];
         ld.param.u64 %rd14, [s+16];
         ld.global.f32 %f1, [%rd14];
         st.global.f32 [%rd13], %f1;)")},
      {"parameter_by_generic_pointer", restore, "the struct is read through its generic address", with_prologue(R"(
         mov.b64 %rd10, s; cvta.param.u64 %rd11, %rd10;
         ld.u64 %rd13, [%rd11+8];
         ld.param.u64 %rd14, [s+8];
         ld.global.f32 %f1, [%rd14];
         st.global.f32 [%rd13], %f1;)")},
      {"loaded_pointer_written", let_end, "nobody knows where a pointer from memory points", with_prologue(R"(
         ld.global.u64 %rd10, [%rd2];
         st.global.u32 [%rd10], %r1;)")},
      {"loaded_pointer_read", restore, "what it reads may be what it writes", with_prologue(R"(
         ld.global.u64 %rd10, [%rd2];
         ld.global.f32 %f1, [%rd10];
         st.global.f32 [%rd5], %f1;)")},
      {"loaded_halves", let_end, "a pointer from memory in two halves, added to a parameter", with_prologue(R"(
         ld.global.v2.u32 {%r2, %r3}, [%rd2];
         cvt.u64.u32 %rd10, %r2; cvt.u64.u32 %rd11, %r3; shl.b64 %rd11, %rd11, 32; or.b64 %rd12, %rd10, %rd11;
         add.s64 %rd13, %rd1, %rd12;
         st.global.u32 [%rd13], %r1;)")},
      {"loaded_offset", let_end, "a 64-bit number from memory may be a pointer, and the parameter an offset",
       with_prologue(R"(
         ld.global.u64 %rd10, [%rd2];
         add.s64 %rd11, %rd1, %rd10;
         st.global.u32 [%rd11], %r1;)")},
      {"loaded_index", again, "a 32-bit index from memory keeps to the array", with_prologue(R"(
         ld.global.s32 %r2, [%rd6];
         mul.wide.s32 %rd10, %r2, 4; add.s64 %rd11, %rd1, %rd10;
         st.global.u32 [%rd11], %r1;)")},
      {"pointer_through_shared", restore, "the pointer goes through shared memory", with_prologue(R"(
         .shared .align 8 .b8 buffer[8];
         st.shared.u64 [buffer], %rd5;
         bar.sync 0;
         ld.shared.u64 %rd10, [buffer];
         ld.global.f32 %f1, [%rd10+4];
         st.global.f32 [%rd5], %f1;)")},
      {"pointer_through_local", restore, "the pointer is spilled in halves and comes back as a whole", with_prologue(R"(
         .local .align 8 .b8 depot[16];
         mov.b64 {%r2, %r3}, %rd5;
         st.local.v2.u32 [depot], {%r2, %r3};
         ld.local.u64 %rd10, [depot];
         ld.global.f32 %f1, [%rd10+4];
         st.global.f32 [%rd5], %f1;)")},
      {"pointer_copied_to_shared", let_end, "cp.async brings pointers from memory", with_prologue(R"(
         .shared .align 16 .b8 buffer[16];
         mov.u32 %r2, buffer;
         cp.async.ca.shared.global [%r2], [%rd2], 16;
         cp.async.wait_all;
         ld.shared.u64 %rd10, [buffer];
         st.global.u32 [%rd10], %r1;)")},
      {"shared_is_not_global", again, "generic addresses of shared memory are no global memory", with_prologue(R"(
         .shared .align 4 .b8 buffer[1024];
         mov.u32 %r2, buffer; cvt.u64.u32 %rd10, %r2; cvta.shared.u64 %rd11, %rd10; add.s64 %rd12, %rd11, %rd4;
         ld.f32 %f1, [%rd12];
         st.f32 [%rd12], %f1;
         st.global.f32 [%rd5], %f1;)")},
      {"offset_in_shared", again,
       "a pointer that is read, and a store to global memory whose base looks like shared memory", with_prologue(R"(
         .shared .align 4 .b8 tile[1024];
         mov.u64 %rd10, tile; add.s64 %rd11, %rd5, %rd10;
         st.global.u32 [%rd11], %r1;)")},
      {"offset_in_shared_read", restore, "the same, of an array that is read", with_prologue(R"(
         .shared .align 4 .b8 tile[1024];
         mov.u64 %rd10, tile; add.s64 %rd11, %rd5, %rd10;
         ld.global.u32 %r2, [%rd5+4];
         st.global.u32 [%rd11], %r2;)")},
      {"absolute_address", let_end, "an address that is a number", with_prologue(R"(
         mov.u64 %rd10, 140000000000000;
         st.global.u32 [%rd10], %r1;)")},
      {"select_absolute", let_end, "one of the two addresses is a number", with_prologue(R"(
         mov.u64 %rd10, 140000000000000;
         setp.eq.u32 %p1, %r1, 0;
         selp.b64 %rd11, %rd5, %rd10, %p1;
         st.global.u32 [%rd11], %r1;)")},
      {"undefined_register", let_end, "nothing defines the register", with_prologue("st.global.u32 [%rd39], %r1;")},
      {"inline_assembly", restore, "braces of inline assembly with registers of the same names", with_prologue(R"(
         { .reg .b64 %rd10; mov.u64 %rd10, %rd6; ld.global.f32 %f1, [%rd10]; }
         { .reg .b64 t; mov.b64 t, %rd5; { .reg .b64 %rd5; mov.u64 %rd5, t; ld.global.f32 %f1, [%rd5+4]; } }
         st.global.f32 [%rd5], %f1;)")},
      {"vector_register", restore, "two elements of one vector register", with_prologue(R"(
         .reg .v2 .b64 %v;
         mov.b64 %v.x, %rd5; mov.b64 %v.y, %rd6;
         ld.global.f32 %f1, [%v.y];
         st.global.f32 [%v.x], %f1;)")},
      {"texture", restore, "a texture may show the memory that is written", with_prologue(R"(
         tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd3, {%r1}];
         st.global.f32 [%rd5], %f1;)")},
      {"variable_read", again, "variables of the module that are only read",
       with_prologue(R"(
         mov.u64 %rd10, table; add.s64 %rd11, %rd10, %rd4;
         ld.global.f32 %f1, [%rd11];
         st.global.f32 [%rd5], %f1;)",
                     ".global .align 4 .b8 table[4096];")},
      {"variable_written", restore, "a variable of the module is written",
       with_prologue("st.global.u32 [counter], %r1;", ".global .u32 counter;")},
      {"variable_holds_pointer", let_end, "a variable of the module holds a pointer",
       with_prologue(R"(
         ld.global.u64 %rd10, [where];
         st.global.u32 [%rd10], %r1;)",
                     ".global .align 8 .u64 where;")},
      {"constant_holds_pointer", let_end, "a constant holds a pointer",
       with_prologue(R"(
         ld.const.u64 %rd10, [where];
         st.global.u32 [%rd10], %r1;)",
                     ".const .align 8 .u64 where;")},
  };
}

}  // namespace genesys::schedule
