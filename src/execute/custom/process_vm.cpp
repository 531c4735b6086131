// SPDX-License-Identifier: Apache-2.0
// process_vm_readv(2), process_vm_writev(2): the memory of another process. The host's own process is refused: of its
// memory a kernel may use only what both sides address.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "execute/generated/custom.h"
#include "execute/linux_call.h"

namespace genesys::detail::custom {
namespace {

// Whether `pid` is the host's process, or one of its threads.
bool is_own(u64 pid) {
  const auto id = static_cast<pid_t>(pid);
  return id == ::getpid() || ::syscall(SYS_tgkill, ::getpid(), id, 0) == 0;
}

}  // namespace

i64 process_vm_readv(const user_memory&, policy&, u64 (&args)[args_max]) {
  return is_own(args[0]) ? -EPERM : call_linux(number::process_vm_readv, args);
}

i64 process_vm_writev(const user_memory&, policy&, u64 (&args)[args_max]) {
  return is_own(args[0]) ? -EPERM : call_linux(number::process_vm_writev, args);
}

}  // namespace genesys::detail::custom
