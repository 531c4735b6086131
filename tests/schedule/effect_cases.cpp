// SPDX-License-Identifier: Apache-2.0
// What cannot be undone, and who waits for whom.
#include "cases.h"

namespace genesys::schedule {
namespace {

const std::string print = ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);\n";
const std::string allocate = ".extern .func (.param .b64 r) malloc (.param .b64 n);\n";
const std::string launch_v2 = ".extern .func (.param .b32 r) cudaLaunchDeviceV2 (.param .b64 p, .param .b64 s);\n";
const std::string foreign = ".extern .func elsewhere (.param .b64 p);\n";

}  // namespace

std::vector<kernel_case> effect_cases() {
  using enum expected;
  return {
      {"atomic", restore, "adds to what is there", with_prologue("atom.global.add.u32 %r2, [%rd5], 1;")},
      {"atomic_unused", restore, "nobody looks at the result, but it is added",
       with_prologue("red.global.add.f32 [%rd5], 0f3F800000;")},
      {"atomic_sink", restore, "the result goes nowhere", with_prologue("atom.global.add.u32 _, [%rd5], 1;")},
      {"atomic_generic", restore, "an atomic in the generic space", with_prologue("atom.add.u32 %r2, [%rd5], 1;")},
      {"vector_reduction", restore, "a reduction of vectors",
       with_prologue("red.global.add.v2.f32 [%rd5], {%f1, %f2};")},
      {"spin_on_volatile", let_end, "waits until another thread writes", with_prologue(R"(
       WAIT:
         ld.volatile.global.u32 %r2, [%rd2];
         setp.eq.u32 %p1, %r2, 0;
         @%p1 bra WAIT;
         st.global.u32 [%rd5], %r1;)")},
      {"spin_on_acquire", let_end, "waits with acquire loads", with_prologue(R"(
       WAIT:
         ld.acquire.gpu.global.u32 %r2, [%rd2];
         setp.eq.u32 %p1, %r2, 0;
         @%p1 bra WAIT;
         st.global.u32 [%rd5], %r1;)")},
      {"spin_lock", let_end, "a lock", with_prologue(R"(
       WAIT:
         atom.global.cas.b32 %r2, [%rd2], 0, 1;
         setp.ne.u32 %p1, %r2, 0;
         @%p1 bra WAIT;
         atom.global.exch.b32 %r3, [%rd2], 0;)")},
      {"spin_on_cv", let_end, "waits with loads past the caches", with_prologue(R"(
       WAIT:
         ld.global.cv.u32 %r2, [%rd2];
         setp.eq.u32 %p1, %r2, 0;
         @%p1 bra WAIT;)")},
      {"spin_on_plain_load", let_end, "a load that a compiler would move out of the loop", with_prologue(R"(
         mov.u64 %rd10, %rd2; mov.u32 %r4, 0;
       NEXT:
       WAIT:
         add.s64 %rd11, %rd10, 4;
         ld.global.u32 %r2, [%rd11];
         setp.eq.u32 %p1, %r2, 0;
         @%p1 bra WAIT;
         add.s64 %rd10, %rd10, 4; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 9;
         @%p1 bra NEXT;
         st.global.u32 [%rd5], %r1;)")},
      {"spin_with_fence", let_end, "a loop with a fence, which counts its turns in memory", with_prologue(R"(
         mov.u32 %r4, 0;
       WAIT:
         add.u32 %r4, %r4, 1; st.global.u32 [%rd7], %r4;
         membar.gl;
         ld.global.u32 %r2, [%rd2];
         setp.eq.u32 %p1, %r2, 0;
         @%p1 bra WAIT;)")},
      {"walks_a_list", restore, "each turn loads from another address", with_prologue(R"(
         mov.u64 %rd10, %rd2;
       NEXT:
         ld.global.u64 %rd10, [%rd10];
         setp.ne.u64 %p1, %rd10, 0;
         @%p1 bra NEXT;
         st.global.u32 [%rd5], %r1;)")},
      {"spin_in_shared", let_end, "one warp waits for another", with_prologue(R"(
         .shared .align 4 .b8 flag[4];
       WAIT:
         ld.volatile.shared.u32 %r2, [flag];
         setp.eq.u32 %p1, %r2, 0;
         @%p1 bra WAIT;)")},
      {"histogram", restore, "atomics in a loop whose results nobody reads", with_prologue(R"(
         mov.u32 %r2, 0;
       LOOP:
         atom.global.add.u32 %r3, [%rd5], 1;
         add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 9;
         @%p1 bra LOOP;)")},
      {"sleeps", let_end, "nanosleep stands where somebody is waited for", with_prologue("nanosleep.u32 100;")},
      {"volatile_store", restore, "others may see it at once", with_prologue("st.volatile.global.u32 [%rd5], %r1;")},
      {"release_store", restore, "others may see it at once", with_prologue("st.release.sys.global.u32 [%rd5], %r1;")},
      {"fence_alone", again, "a fence has no effect of its own",
       with_prologue("st.global.u32 [%rd5], %r1; membar.sys; fence.acq_rel.gpu; st.global.u32 [%rd5+4], %r1;")},
      {"grid_workspace", let_end, "grid-wide synchronisation has its workspace in a special register",
       with_prologue("mov.u32 %r2, %envreg1; st.global.u32 [%rd5], %r2;")},
      {"print", let_end, "prints",
       with_prologue(R"(
         { .param .b64 p0; st.param.b64 [p0], %rd1; .param .b64 p1; st.param.b64 [p1], 0; .param .b32 r0;
           call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r2, [r0]; })",
                     print)},
      {"allocates", let_end, "allocates",
       with_prologue(R"(
         { .param .b64 p0; st.param.b64 [p0], 64; .param .b64 r0;
           call.uni (r0), malloc, (p0); ld.param.b64 %rd10, [r0]; }
         st.u32 [%rd10], %r1;)",
                     allocate)},
      {"launches", let_end, "launches a kernel",
       with_prologue(R"(
         { .param .b64 p0; st.param.b64 [p0], %rd1; .param .b64 p1; st.param.b64 [p1], 0; .param .b32 r0;
           call.uni (r0), cudaLaunchDeviceV2, (p0, p1); })",
                     launch_v2)},
      {"foreign_function", let_end, "its code is in another module",
       with_prologue(R"(
         { .param .b64 p0; st.param.b64 [p0], %rd1; call.uni elsewhere, (p0); })",
                     foreign)},
      {"trap", let_end, "ends the context",
       with_prologue("setp.eq.u32 %p1, %r1, 77; @%p1 trap; st.global.u32 [%rd5], %r1;")},
      {"exit", again, "exit ends a thread, as ret does",
       with_prologue("setp.eq.u32 %p1, %r1, 77; @%p1 exit; st.global.u32 [%rd5], %r1;")},
      {"surface_write", let_end, "nobody knows what a surface shows",
       with_prologue("sust.b.1d.b32.trap [%rd3, {%r1}], {%r2};")},
      {"cluster_barrier", let_end, "blocks of a cluster wait for each other",
       with_prologue("barrier.cluster.arrive; barrier.cluster.wait; st.global.u32 [%rd5], %r1;")},
      {"distributed_shared", let_end, "shared memory of another block", with_prologue(R"(
         .shared .align 4 .b8 tile[1024];
         mov.u32 %r2, tile; mapa.shared::cluster.u32 %r3, %r2, 1; st.shared::cluster.u32 [%r3], %r1;)")},
      {"bulk_copy", let_end, "a bulk copy writes memory behind the kernel's back", with_prologue(R"(
         .shared .align 16 .b8 tile[1024];
         mov.u32 %r2, tile; cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r2], 1024;)")},
      {"bulk_reduction", let_end, "a bulk copy that adds", with_prologue(R"(
         .shared .align 16 .b8 tile[1024];
         mov.u32 %r2, tile; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd5], [%r2], 1024;)")},
      {"tensor_map", let_end, "tensor maps are memory with pointers in it",
       with_prologue("tensormap.replace.tile.global_address.global.b1024.b64 [%rd5], %rd6;")},
      {"multimem", let_end, "memory of several GPUs", with_prologue("multimem.red.add.u32 [%rd5], %r1;")},
      {"next_kernel", let_end, "the next kernel may start early",
       with_prologue("griddepcontrol.launch_dependents; st.global.u32 [%rd5], %r1;")},
      {"discard", let_end, "discard destroys memory; it is not in the table",
       with_prologue("discard.global.L2 [%rd5], 128;")},
      {"unknown_opcode", let_end, "an opcode of the future",
       with_prologue("frobnicate.b32 %r2, %r1; st.global.u32 [%rd5], %r1;")},
      {"unknown_modifier", let_end, "a store of the future that does more",
       with_prologue("st.global.accumulate.u32 [%rd5], %r1;")},
      {"unknown_register", let_end, "a special register of the future",
       with_prologue("mov.u32 %r2, %whatever; st.global.u32 [%rd5], %r1;")},
      {"prefetches", again, "prefetches change nothing",
       with_prologue("prefetch.global.L2 [%rd6]; ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd5], %f1;")},
  };
}

}  // namespace genesys::schedule
