// SPDX-License-Identifier: Apache-2.0
// Makes the call of one request. Executor `threads`: the worker that holds the request makes the call itself. Executor
// `uring`: the worker gives a call that would wait for a disk to its ring (worker_ring.h), and while calls are in
// flight there it makes only calls that do not wait. The executor trusts nothing in the request; arguments.h says what
// Linux gets. Workers call it, any number at once.
#pragma once

#include "execute/arguments.h"
#include "execute/result.h"
#include "execute/shared_rings.h"
#include "execute/user_memory.h"
#include "execute/worker_ring.h"
#include "genesys/detail/table/call_plan.h"
#include "memory/mappings.h"
#include "policy/policy.h"

namespace genesys::detail {

class executor {
 public:
  // What happens to a call whose descriptor is not ready.
  enum class not_ready {
    again,    // it is not made: the result says so
    wait,     // Linux makes it, and waits
    give_up,  // its time to wait is over: it is made without waiting (an accept may wait if another thread is faster)
  };

  executor(const layout& memory, device& on, policy& rules, mappings& maps)
      : memory_(memory, on, maps), growth_(memory.growth()), policy_(rules), maps_(maps) {}

  // `in`: the worker's ring, or null.
  result execute(const request& r, worker_ring* in = nullptr, not_ready then = not_ready::again);
  // Whether Linux makes the call at once, whatever its descriptors are.
  static bool never_waits(const request& r);
  const user_memory& memory() const { return memory_; }
  // Executor `direct`: internal_file registers files with these rings under the profile `strict`. Called before the
  // first call.
  void grant_files_to(shared_rings& rings) { rings_ = &rings; }

 private:
  result sleep(const u64 (&args)[6]) const;
  result execute_known(const request& r, const call_plan& plan, worker_ring* in, not_ready then);
  result carry_out_confined(const request& r, const call_plan& plan, linux_arguments& arguments, worker_ring* in,
                            not_ready then);
  result carry_out(const request& r, const call_plan& plan, u64 (&args)[args_max], worker_ring* in, not_ready then);

  result execute_internal(const request& r) const;
  i64 kind_for(u64 fd) const;

  user_memory memory_;
  bounce_growth& growth_;
  policy& policy_;
  shared_rings* rings_ = nullptr;
  mappings& maps_;
};

}  // namespace genesys::detail
