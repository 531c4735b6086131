// SPDX-License-Identifier: Apache-2.0
#include "execute/descriptor_kind.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/time.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "policy/foreign_descriptors.h"
#include "policy/policy.h"

namespace genesys::detail {
namespace {

// Whether calls on the socket wait as io_uring does: without a timeout, and for one byte.
bool waits_plainly(int socket) {
  const auto is = [&](int level, int option, auto expected) {
    auto value = expected;
    socklen_t length = sizeof value;
    return ::getsockopt(socket, level, option, &value, &length) == 0 &&
           std::memcmp(&value, &expected, sizeof value) == 0;
  };
  return is(SOL_SOCKET, SO_RCVTIMEO, timeval{}) && is(SOL_SOCKET, SO_SNDTIMEO, timeval{}) &&
         is(SOL_SOCKET, SO_RCVLOWAT, 1);
}
std::uint8_t kind_of_socket(int socket) {
  int type = 0, domain = 0;
  socklen_t length = sizeof type;
  if (::getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &length) != 0 ||
      ::getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0 || !waits_plainly(socket))
    return 0;
  if (domain != AF_INET && domain != AF_INET6 && domain != AF_UNIX) return 0;
  char protocol[16] = {};  // an upper layer protocol of TCP, such as kTLS
  length = sizeof protocol;
  if (domain != AF_UNIX && type == SOCK_STREAM && ::getsockopt(socket, IPPROTO_TCP, TCP_ULP, protocol, &length) == 0 &&
      length != 0 && protocol[0] != 0)
    return 0;
  if (type == SOCK_STREAM) return on_stream;
  return type == SOCK_DGRAM || type == SOCK_SEQPACKET ? on_datagram : 0;
}

}  // namespace

i64 descriptor_kind_of(u64 number) {
  constexpr long in_user_space = 0x65735546;  // FUSE_SUPER_MAGIC: reads may block Linux's thread
  const int fd = static_cast<int>(number);
  struct stat about;
  struct statfs system;
  const int flags = policy::is_protected(number) ? -1 : ::fcntl(fd, F_GETFL);
  if (flags == -1 || ::fstat(fd, &about) != 0) return -EBADF;
  if (S_ISREG(about.st_mode) || S_ISBLK(about.st_mode))
    return ::fstatfs(fd, &system) == 0 && system.f_type != in_user_space ? on_file : 0;
  const std::string name = (about.st_mode & S_IFMT) == 0 ? link_of(fd) : std::string();
  if (name == "anon_inode:[eventpoll]") return on_epoll;
  if ((flags & O_NONBLOCK) != 0) return 0;
  if (S_ISFIFO(about.st_mode)) return on_pipe;
  if (name == "anon_inode:[eventfd]" || name == "anon_inode:[timerfd]" || name == "anon_inode:[signalfd]")
    return on_counter;
  return S_ISSOCK(about.st_mode) ? kind_of_socket(fd) : 0;
}

}  // namespace genesys::detail
