// SPDX-License-Identifier: Apache-2.0
// mq_notify(2): for SIGEV_THREAD Linux follows a pointer in the structure, and uses a number in it as a socket.
#include <signal.h>

#include <cerrno>

#include "execute/generated/custom.h"
#include "execute/linux_call.h"

namespace genesys::detail::custom {

i64 mq_notify(const user_memory& memory, policy&, u64 (&args)[args_max]) {
  sigevent copy;
  if (memory.copy_in(&copy, args[1], sizeof copy)) {
    if (copy.sigev_notify == SIGEV_THREAD) return -EOPNOTSUPP;
    args[1] = reinterpret_cast<u64>(&copy);
  } else if (args[1] != 0) {
    return -EFAULT;
  }
  return call_linux(number::mq_notify, args);
}

}  // namespace genesys::detail::custom
