// SPDX-License-Identifier: Apache-2.0
// POSIX <sys/wait.h>: waiting for the host program's child processes, as in wait(2), for kernels. Each function is
// there twice: with the calls of a scope as its first argument (`os`, or os.on(genesys::block())), and without it for
// each thread, where a library is bound. The threads of the scope call it, and all get the result: -1, with errno,
// after an error. The host's macros (WIFEXITED and others) work in kernels.
#pragma once

#include <sys/wait.h>

#include "genesys/posix/library.h"

namespace genesys::posix {

// `status` may be null.
template <detail::libc::system_calls Calls>
GENESYS_KERNEL pid_t waitpid(const Calls& calls, pid_t process, int* status, int options) {
  return detail::libc::result_of<pid_t>(calls.wait4(process, status, options));
}
GENESYS_KERNEL_OUTLINE inline pid_t waitpid(pid_t process, int* status, int options) {
  return waitpid(detail::libc::ambient(), process, status, options);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL pid_t wait(const Calls& calls, int* status) {
  return waitpid(calls, -1, status, 0);
}
GENESYS_KERNEL_OUTLINE inline pid_t wait(int* status) { return wait(detail::libc::ambient(), status); }

}  // namespace genesys::posix
