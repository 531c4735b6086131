// SPDX-License-Identifier: Apache-2.0
// Data that is too much for one call, because the call would stage more than it can (docs/limits.md, Data).
#pragma once

#include <sys/socket.h>

#include "genesys/posix/detail/scopes.h"

namespace genesys::detail::libc {

// A socket whose data are messages, which are sent whole.
template <class Calls>
GENESYS_KERNEL bool has_messages(const Calls& calls, int fd) {
  int type = SOCK_STREAM;
  socklen_t bytes = sizeof type;
  return calls.getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0 && type != SOCK_STREAM;
}

// Makes `call`, which moves up to `bytes` bytes to or from a descriptor, and may move fewer. If it stages too much, it
// moves a part; not of a message that it sends. All threads of the scope of `calls`; the result or -errno. In relaxed
// order some threads do not know the result: there is no second call.
template <class Calls, class Call>
GENESYS_KERNEL long in_part(const Calls& calls, int fd, bool sends, std::size_t bytes, const Call& call) {
  constexpr std::size_t whole = bounce_bytes_max - 4096, part = std::size_t{1} << 20;  // 4096: for other arguments
  for (;;) {
    const long moved = call(bytes);
    if (!tells_all<Calls> || moved != -ENOBUFS || bytes <= whole) return moved;
    if (sends && has_messages(calls, fd)) return -EMSGSIZE;
    bytes = part;
  }
}

}  // namespace genesys::detail::libc
