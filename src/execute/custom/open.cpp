// SPDX-License-Identifier: Apache-2.0
// open(2), creat(2), openat(2), openat2(2): if the policy confines paths, one function resolves and opens the path
// (policy/paths.h).
#include <fcntl.h>
#include <linux/openat2.h>

#include <cerrno>

#include "execute/generated/custom.h"
#include "execute/linux_call.h"
#include "policy/paths.h"

namespace genesys::detail::custom {
namespace {

bool is_for_linux(const user_memory& memory, const policy& rules, u64 path) {
  return !rules.chosen().confine_paths() || path == 0 || path == memory.nowhere();
}

i64 open_at(policy& rules, plan_id call, u64 directory, u64 path, u64 flags, u64 mode, u64 resolve = 0) {
  const char* text = reinterpret_cast<const char*>(path);
  const i64 value = open_confined(rules, static_cast<int>(directory), text, flags, mode, resolve);
  return value == -EPERM ? rules.deny(call) : value;
}

}  // namespace

#if defined(__x86_64__)
i64 open(const user_memory& memory, policy& rules, u64 (&args)[args_max]) {
  if (is_for_linux(memory, rules, args[0])) return call_linux(number::open, args);
  return open_at(rules, plan_id::open, static_cast<u64>(AT_FDCWD), args[0], static_cast<u32>(args[1]), args[2]);
}

i64 creat(const user_memory& memory, policy& rules, u64 (&args)[args_max]) {
  if (is_for_linux(memory, rules, args[0])) return call_linux(number::creat, args);
  return open_at(rules, plan_id::creat, static_cast<u64>(AT_FDCWD), args[0], O_CREAT | O_WRONLY | O_TRUNC, args[1]);
}
#endif

i64 openat(const user_memory& memory, policy& rules, u64 (&args)[args_max]) {
  if (is_for_linux(memory, rules, args[1])) return call_linux(number::openat, args);
  return open_at(rules, plan_id::openat, args[0], args[1], static_cast<u32>(args[2]), args[3]);
}

// A `how` that is longer than the known one gives -E2BIG, as in a Linux that does not know it.
i64 openat2(const user_memory& memory, policy& rules, u64 (&args)[args_max]) {
  open_how how{};
  const bool is_known = args[3] == sizeof how && memory.copy_in(&how, args[2], sizeof how);
  if (is_for_linux(memory, rules, args[1]) || args[3] < sizeof how) return call_linux(number::openat2, args);
  if (!is_known) return args[3] == sizeof how ? -EFAULT : -E2BIG;
  return open_at(rules, plan_id::openat2, args[0], args[1], how.flags, how.mode, how.resolve);
}

}  // namespace genesys::detail::custom
