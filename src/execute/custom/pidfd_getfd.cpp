// SPDX-License-Identifier: Apache-2.0
// pidfd_getfd(2): a descriptor of another process's; of the host's own process only what kernels may have anyway.
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

#include "execute/generated/custom.h"
#include "execute/linux_call.h"

namespace genesys::detail::custom {
namespace {

// Of a pidfd Linux tells whose it is; -1: of nobody's, or it is no pidfd.
pid_t owner_of(int pidfd) {
  std::ifstream about("/proc/self/fdinfo/" + std::to_string(pidfd));
  for (std::string word; about >> word;) {
    pid_t pid;
    if (word == "Pid:" && about >> pid) return pid;
  }
  return -1;
}

}  // namespace

i64 pidfd_getfd(const user_memory&, policy& rules, u64 (&args)[args_max]) {
  const bool is_own = owner_of(static_cast<int>(args[0])) == ::getpid();
  if (is_own && rules.is_protected(args[1])) return -EBADF;
  if (is_own && !rules.may_use(args[1])) return rules.deny(plan_id::pidfd_getfd);
  return call_linux(number::pidfd_getfd, args);
}

}  // namespace genesys::detail::custom
