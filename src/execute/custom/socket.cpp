// SPDX-License-Identifier: Apache-2.0
// socket(2), socketpair(2): only the families and types that the policy allows.
#include <cerrno>

#include "execute/generated/custom.h"
#include "execute/linux_call.h"

namespace genesys::detail::custom {

i64 socket(const user_memory&, policy& rules, u64 (&args)[args_max]) {
  if (!rules.allows_socket(static_cast<int>(args[0]), static_cast<int>(args[1]))) return rules.deny(plan_id::socket);
  return call_linux(number::socket, args);
}

i64 socketpair(const user_memory&, policy& rules, u64 (&args)[args_max]) {
  if (!rules.allows_socket(static_cast<int>(args[0]), static_cast<int>(args[1])))
    return rules.deny(plan_id::socketpair);
  return call_linux(number::socketpair, args);
}

}  // namespace genesys::detail::custom
