// SPDX-License-Identifier: Apache-2.0
// What an instruction of PTX does, as far as running a kernel again is concerned. An opcode that is not in the table is
// `not_understood`, which makes its kernel not idempotent.
#pragma once

#include "schedule/ptx/ptx_module.h"

namespace genesys::schedule {

enum class effect {
  compute,        // registers from registers, and nothing else
  load,           // ld, ldu, ldmatrix, wmma.load
  store,          // st, stmatrix, wmma.store
  atomic,         // atom: reads and writes; gives the old value
  reduction,      // red: the same without a result
  async_copy,     // cp.async: shared memory from global memory
  texture_load,   // tex, tld4, suld: memory that is behind a handle
  surface_store,  // sust, sured
  shuffle,        // a register of another lane
  barrier,        // of a block or warp; fences; waits for copies
  wait_result,    // mbarrier.test_wait, try_wait: a predicate that depends on time
  branch,         // bra, brx
  call,
  leave,    // ret, exit
  nothing,  // prefetch, hints
  sleep,
  trap,
  bulk_copy,   // cp.async.bulk, cp.reduce, tensormap
  cluster,     // barrier.cluster, mapa, shared::cluster, st.async, red.async
  multicast,   // multimem
  dependents,  // griddepcontrol: the next kernel may start
  not_understood
};

effect effect_of(const instruction& one);

// The state space in the modifiers; `generic` if there is none.
space space_of(const instruction& one);
// volatile, relaxed, acquire, release, and loads past the caches: meant for other threads.
bool is_strong(const instruction& one);
// The bytes of one element of a load, store or atomic: of its last type. 0: it has no type.
unsigned element_bytes(const instruction& one);
// The bytes that it accesses: elements times the vector's length. At least 1.
unsigned access_bytes(const instruction& one);
// atom or red with an integer operation whose order has no effect on the final value.
bool commutes(const instruction& one);

// A special register (`%tid.x`): the same in another run, not the same, or not understood.
enum class special { fixed, nondeterministic, workspace, not_understood };
special kind_of_special(std::string_view name);

// What is known of functions that the module only declares, as vprintf. Null: nothing.
const char* about_external(std::string_view name);

}  // namespace genesys::schedule
