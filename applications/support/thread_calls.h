// SPDX-License-Identifier: Apache-2.0
// Linux's calls for sockets, of a server that is a thread of the CPU, with results as a kernel gets them.
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <cstdint>

namespace application {

struct thread_calls {
  static long result(long value) { return value < 0 ? -errno : value; }
  static thread_calls calls() { return {}; }
  static long recvfrom(int fd, void* into, std::uint64_t bytes, int flags, sockaddr* from, std::uint32_t* length) {
    return result(::recvfrom(fd, into, bytes, flags, from, length));
  }
  static long sendto(int fd, const void* data, std::uint64_t bytes, int flags, const sockaddr* to,
                     std::uint32_t length) {
    return result(::sendto(fd, data, bytes, flags, to, length));
  }
};

}  // namespace application
