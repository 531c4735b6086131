// SPDX-License-Identifier: Apache-2.0
// Tells the CPU device which call a thread makes together with the other threads of its scope, from the call's first
// step to its last. The CPU device compares this at each barrier of the call, and ends a process whose threads make
// different calls: on a GPU such threads mix their calls in silence. Used by os.h and ticket.h, in every thread of the
// scope. GPU code contains none of it.
#pragma once

#include "genesys/detail/table/call_plan.h"
#include "genesys/detail/team/team.h"
#include "genesys/detail/wire/protocol.h"

namespace genesys::detail::ops {

// A thread's part in a call of its scope, while the object lives. A thread has one such part at a time.
class team_call {
 public:
#if GENESYS_ON_CUDA
  GENESYS_KERNEL team_call() {}
#else
  team_call() = default;  // of a call that the thread makes for itself
  explicit team_call(const cpu::team_call& result) : together_(true) { cpu::begin_team_call(result); }
  ~team_call() {
    if (together_) cpu::end_team_call();
  }
  team_call(const team_call&) = delete;
  team_call& operator=(const team_call&) = delete;

 private:
  bool together_ = false;
#endif
};

// A call by its number. `lands`: it is under way with a ticket, and the threads wait for it.
template <scope_kind scope, team::ordering order, wait_mode w>
GENESYS_KERNEL team_call part_in_call([[maybe_unused]] u64 number, [[maybe_unused]] const u64 (&given)[args_max],
                                      [[maybe_unused]] bool lands = false) {
#if !GENESYS_ON_CUDA
  if constexpr (scope != scope_kind::thread) {
    return team_call({.number = number,
                      .args = given,
                      .scope = static_cast<unsigned char>(scope),
                      .order = static_cast<unsigned char>(order),
                      .waits = static_cast<unsigned char>(w),
                      .lands = lands});
  }
#endif
  return team_call();
}

}  // namespace genesys::detail::ops
