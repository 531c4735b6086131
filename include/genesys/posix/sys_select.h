// SPDX-License-Identifier: Apache-2.0
// POSIX <sys/select.h>: waiting for descriptors below FD_SETSIZE, as in select(2), for kernels. The function is there
// twice: with the calls of a scope as its first argument (`os`, or os.on(genesys::block())), and without it for each
// thread, where a library is bound. The threads of the scope call it, and all get the result: -1, with errno, after an
// error. The host's macros (FD_SET and others) work in kernels.
#pragma once

#include <sys/select.h>

#include "genesys/posix/library.h"

namespace genesys::posix {

// Each set may be null, and so may `timeout`: without end. Linux writes the sets, and the time that is left.
template <detail::libc::system_calls Calls>
GENESYS_KERNEL int select(const Calls& calls, int count, fd_set* in, fd_set* out, fd_set* except,
                          struct timeval* timeout) {
  return detail::libc::result_of(calls.select(count, in, out, except, timeout));
}
GENESYS_KERNEL_OUTLINE inline int select(int count, fd_set* in, fd_set* out, fd_set* except, struct timeval* timeout) {
  return select(detail::libc::ambient(), count, in, out, except, timeout);
}

}  // namespace genesys::posix
