// SPDX-License-Identifier: Apache-2.0
// Checks one call's arguments against the program's rules, beyond the checks of every call (arguments.h): its
// descriptors must be the kernels' own, its paths and its socket addresses allowed. One object for one call, on its
// worker's stack; under a policy that denies nothing there is none.
#pragma once

#include <poll.h>

#include <array>
#include <vector>

#include "execute/user_memory.h"
#include "policy/paths.h"
#include "policy/policy.h"

namespace genesys::detail {

class confinement {
 public:
  confinement(const user_memory& memory, policy& rules, const call_plan& plan)
      : memory_(memory), policy_(rules), plan_(plan), about_(policy::call_of(plan)) {}
  confinement(const confinement&) = delete;
  confinement& operator=(const confinement&) = delete;

  // `values`: checked by arguments.h; some become addresses of copies. Returns 0; or the result if the call must not be
  // made: -EPERM, -EFAULT, or Linux's error for a path.
  i64 take(u64 (&values)[args_max]) {
    for (u32 i = 0; i < plan_.args_count; ++i) {
      if (plan_.args[i].kind == arg_kind::fd && !policy_.may_use(values[i])) return policy_.deny(plan_);
    }
    if (makes_unseen_descriptor(values)) return policy_.deny(plan_);
    return about_.is_simple() ? 0 : take_more(values);
  }
  // After the call gave `value`: makes new descriptors the kernels' own, and copies results back. Returns the call's
  // result.
  i64 settle(i64 value) { return about_.is_simple() ? value : settle_more(value); }

 private:
  bool is_readable(u64 address) const { return address != 0 && address != memory_.nowhere(); }
  i64 take_more(u64 (&values)[args_max]);
  i64 settle_more(i64 value);
  i64 take_paths(u64 (&values)[args_max]);
  bool makes_unseen_descriptor(const u64 (&values)[args_max]) const;
  i64 take_address(u64& address, u64 given_length);
  i64 take_polled(u64& address, u64 given_count);
  bool adopt_both();

  const user_memory& memory_;
  policy& policy_;
  const call_plan& plan_;
  const policy_call& about_;
  std::array<confined_path, paths_max> paths_;
  alignas(16) std::array<unsigned char, name_bytes_max> address_;
  std::vector<pollfd> polled_;
  u64 polled_at_ = 0;
  bool gives_descriptor_ = false;
  int fds_[2];
  u64 fds_at_ = 0;
};

}  // namespace genesys::detail
