// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys by tools/gen/main.py; not to be edited. Calls of which the table does not say all that has
// to be checked.
#pragma once

#include <cerrno>

#include "execute/user_memory.h"
#include "genesys/detail/table/generated/plans.h"
#include "policy/policy.h"

namespace genesys::detail {

// In src/execute/by_hand/. `args`: as Linux may have them by the plan. Linux's answer, or -errno. Host, any thread.
namespace by_hand {
i64 openat(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 open(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 creat(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 openat2(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 futex_requeue(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 futex_waitv(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 semctl_GETALL(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 semctl_SETALL(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 mq_notify(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 socket(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 socketpair(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 pidfd_getfd(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 process_vm_readv(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
i64 process_vm_writev(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
}  // namespace by_hand

// The same, for a call whose plan says `by_hand`.
inline i64 call_by_hand(const call_plan& plan, const user_memory& memory, policy& rules,
                        u64 (&args)[args_max]) {
  switch (static_cast<plan_id>(&plan - plans)) {
    case plan_id::openat:
      return by_hand::openat(memory, rules, args);
    case plan_id::open:
      return by_hand::open(memory, rules, args);
    case plan_id::creat:
      return by_hand::creat(memory, rules, args);
    case plan_id::openat2:
      return by_hand::openat2(memory, rules, args);
    case plan_id::futex_requeue:
      return by_hand::futex_requeue(memory, rules, args);
    case plan_id::futex_waitv:
      return by_hand::futex_waitv(memory, rules, args);
    case plan_id::semctl_GETALL:
      return by_hand::semctl_GETALL(memory, rules, args);
    case plan_id::semctl_SETALL:
      return by_hand::semctl_SETALL(memory, rules, args);
    case plan_id::mq_notify:
      return by_hand::mq_notify(memory, rules, args);
    case plan_id::socket:
      return by_hand::socket(memory, rules, args);
    case plan_id::socketpair:
      return by_hand::socketpair(memory, rules, args);
    case plan_id::pidfd_getfd:
      return by_hand::pidfd_getfd(memory, rules, args);
    case plan_id::process_vm_readv:
      return by_hand::process_vm_readv(memory, rules, args);
    case plan_id::process_vm_writev:
      return by_hand::process_vm_writev(memory, rules, args);
    default:
      return -ENOSYS;
  }
}

}  // namespace genesys::detail
