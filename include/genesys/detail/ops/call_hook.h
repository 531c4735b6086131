// SPDX-License-Identifier: Apache-2.0
// The one place where every call begins and ends in device code, by whatever scope, order, wait mode and transport.
// scoped_calls.h and ticket.h make one call_hook for each call; every thread of the scope passes it. Tools that watch
// calls from inside a kernel attach here.
//
//   blocking   begin ... ended(result)
//   ticket     begin ... submitted(); later, in ticket::wait: begin with `resumes` ... ended(result)
//   posted     begin ... submitted()
//
// The CPU device gets these steps (cpu::begin_call). It reports threads of a scope that make different calls; on a GPU
// such threads mix their calls without a report. GPU code contains nothing of this class.
#pragma once

#include "genesys/detail/table/call_plan.h"
#include "genesys/detail/team/team.h"
#include "genesys/detail/wire/protocol.h"

namespace genesys::detail::ops {

// A thread's part in one call, from begin until this is destroyed. A thread has one at a time.
template <class Team, wait_mode w>
class call_hook {
 public:
#if GENESYS_ON_CUDA
  // `given`: the six arguments as the kernel passed them. `resumes`: the thread waits for the call's ticket.
  GENESYS_KERNEL call_hook(u64 /*number*/, const u64 (&)[args_max], bool /*resumes*/ = false) {}
  GENESYS_KERNEL void submitted() const {}
  GENESYS_KERNEL void ended(i64 /*result*/) const {}
#else
  call_hook(u64 number, const u64 (&given)[args_max], bool resumes = false) {
    cpu::begin_call({.number = number,
                     .args = given,
                     .scope = static_cast<unsigned char>(Team::scope),
                     .order = static_cast<unsigned char>(Team::ordered),
                     .mode = static_cast<unsigned char>(w),
                     .resumes = resumes});
  }
  ~call_hook() { cpu::leave_call(); }
  call_hook(const call_hook&) = delete;
  call_hook& operator=(const call_hook&) = delete;
  void submitted() const { cpu::submitted_call(); }
  void ended(i64 result) const { cpu::ended_call(result); }
#endif
};

}  // namespace genesys::detail::ops
