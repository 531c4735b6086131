// SPDX-License-Identifier: Apache-2.0
// POSIX <poll.h>: waiting for descriptors, as in the manual pages (section 2), for kernels. Each function is there
// twice: with the calls of a scope as its first argument (`os`, or os.on(genesys::block())), and without it for each
// thread, where a library is bound. The threads of the scope call it, and all get the result: -1, with errno, after an
// error.
#pragma once

#include <poll.h>

#include "genesys/posix/library.h"

namespace genesys::posix {

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int poll(const Calls& calls, struct pollfd* of, nfds_t count, int timeout_ms) {
  return detail::libc::result_of(calls.poll(of, static_cast<unsigned>(count), timeout_ms));
}
GENESYS_KERNEL_OUTLINE inline int poll(struct pollfd* of, nfds_t count, int timeout_ms) {
  return poll(detail::libc::ambient(), of, count, timeout_ms);
}

}  // namespace genesys::posix
