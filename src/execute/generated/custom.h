// SPDX-License-Identifier: Apache-2.0
// Generated from table/*.sys; do not edit. To regenerate: ./dev gen (tools/gen/main.py).
// The calls with a custom handler: a line of the table cannot say all that must be checked.
#pragma once

#include <cerrno>

#include "execute/user_memory.h"
#include "genesys/detail/table/generated/plans.h"
#include "policy/policy.h"

namespace genesys::detail {

// The custom handlers, in src/execute/custom/. The host has already checked `args` as the plan says. Each returns
// Linux's result, or -errno. Any thread.
namespace custom {
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
i64 execve_GENESYS_SPAWN(const user_memory& memory, policy& rules, u64 (&args)[args_max]);
}  // namespace custom

// Calls the custom handler of `plan`, whose flag `custom` is set. Same arguments and result.
inline i64 call_custom_handler(const call_plan& plan, const user_memory& memory, policy& rules,
                               u64 (&args)[args_max]) {
  switch (static_cast<plan_id>(&plan - plans)) {
    case plan_id::openat:
      return custom::openat(memory, rules, args);
    case plan_id::open:
      return custom::open(memory, rules, args);
    case plan_id::creat:
      return custom::creat(memory, rules, args);
    case plan_id::openat2:
      return custom::openat2(memory, rules, args);
    case plan_id::futex_requeue:
      return custom::futex_requeue(memory, rules, args);
    case plan_id::futex_waitv:
      return custom::futex_waitv(memory, rules, args);
    case plan_id::semctl_GETALL:
      return custom::semctl_GETALL(memory, rules, args);
    case plan_id::semctl_SETALL:
      return custom::semctl_SETALL(memory, rules, args);
    case plan_id::mq_notify:
      return custom::mq_notify(memory, rules, args);
    case plan_id::socket:
      return custom::socket(memory, rules, args);
    case plan_id::socketpair:
      return custom::socketpair(memory, rules, args);
    case plan_id::pidfd_getfd:
      return custom::pidfd_getfd(memory, rules, args);
    case plan_id::process_vm_readv:
      return custom::process_vm_readv(memory, rules, args);
    case plan_id::process_vm_writev:
      return custom::process_vm_writev(memory, rules, args);
    case plan_id::execve_GENESYS_SPAWN:
      return custom::execve_GENESYS_SPAWN(memory, rules, args);
    default:
      return -ENOSYS;
  }
}

}  // namespace genesys::detail
