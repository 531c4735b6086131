// SPDX-License-Identifier: Apache-2.0
// Linux's calls for datagrams, of a server that is a thread of the CPU, with results as a kernel gets them.
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <cstdint>

namespace application {

struct thread_calls {
  static long result(long value) { return value < 0 ? -errno : value; }
  static thread_calls calls() { return {}; }
  static constexpr bool is_first() { return true; }
  static long recvfrom(int fd, void* into, std::uint64_t bytes, int flags, sockaddr* from, std::uint32_t* length) {
    return result(::recvfrom(fd, into, bytes, flags, from, length));
  }
  static long sendto(int fd, const void* data, std::uint64_t bytes, int flags, const sockaddr* to,
                     std::uint32_t length) {
    return result(::sendto(fd, data, bytes, flags, to, length));
  }
  static long recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags, timespec* timeout) {
    return result(::recvmmsg(fd, messages, count, flags, timeout));
  }
  static long sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
    return result(::sendmmsg(fd, messages, count, flags));
  }
};

}  // namespace application
