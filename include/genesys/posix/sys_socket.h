// SPDX-License-Identifier: Apache-2.0
// POSIX <sys/socket.h>: sockets, as in the manual pages (section 2), for kernels. Each function is there twice: with
// the calls of a scope as its first argument (`os`, or os.on(genesys::block())), and without it for each thread, where
// a library is bound. The threads of the scope call it, and all get the result: -1, with errno, after an error.
#pragma once

#include <sys/socket.h>

#include "genesys/posix/detail/parts.h"
#include "genesys/posix/library.h"

namespace genesys::posix {

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int socket(const Calls& calls, int domain, int type, int protocol) {
  return detail::libc::result_of(calls.socket(domain, type, protocol));
}
GENESYS_KERNEL_OUTLINE inline int socket(int domain, int type, int protocol) {
  return socket(detail::libc::ambient(), domain, type, protocol);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int socketpair(const Calls& calls, int domain, int type, int protocol, int* ends) {
  return detail::libc::result_of(calls.socketpair(domain, type, protocol, ends));
}
GENESYS_KERNEL_OUTLINE inline int socketpair(int domain, int type, int protocol, int* ends) {
  return socketpair(detail::libc::ambient(), domain, type, protocol, ends);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int bind(const Calls& calls, int fd, const struct sockaddr* to, socklen_t bytes) {
  return detail::libc::result_of(calls.bind(fd, to, bytes));
}
GENESYS_KERNEL_OUTLINE inline int bind(int fd, const struct sockaddr* to, socklen_t bytes) {
  return bind(detail::libc::ambient(), fd, to, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int listen(const Calls& calls, int fd, int backlog) {
  return detail::libc::result_of(calls.listen(fd, backlog));
}
GENESYS_KERNEL_OUTLINE inline int listen(int fd, int backlog) { return listen(detail::libc::ambient(), fd, backlog); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int accept(const Calls& calls, int fd, struct sockaddr* from, socklen_t* bytes) {
  return detail::libc::result_of(calls.accept(fd, from, bytes));
}
GENESYS_KERNEL_OUTLINE inline int accept(int fd, struct sockaddr* from, socklen_t* bytes) {
  return accept(detail::libc::ambient(), fd, from, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int accept4(const Calls& calls, int fd, struct sockaddr* from, socklen_t* bytes, int flags) {
  return detail::libc::result_of(calls.accept4(fd, from, bytes, flags));
}
GENESYS_KERNEL_OUTLINE inline int accept4(int fd, struct sockaddr* from, socklen_t* bytes, int flags) {
  return accept4(detail::libc::ambient(), fd, from, bytes, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int connect(const Calls& calls, int fd, const struct sockaddr* to, socklen_t bytes) {
  return detail::libc::result_of(calls.connect(fd, to, bytes));
}
GENESYS_KERNEL_OUTLINE inline int connect(int fd, const struct sockaddr* to, socklen_t bytes) {
  return connect(detail::libc::ambient(), fd, to, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t send(const Calls& calls, int fd, const void* data, size_t bytes, int flags) {
  return detail::libc::result_of<ssize_t>(detail::libc::in_part(
      calls, fd, true, bytes, [&](size_t part) { return calls.sendto(fd, data, part, flags, nullptr, 0); }));
}
GENESYS_KERNEL_OUTLINE inline ssize_t send(int fd, const void* data, size_t bytes, int flags) {
  return send(detail::libc::ambient(), fd, data, bytes, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t sendto(const Calls& calls, int fd, const void* data, size_t bytes, int flags,
                              const struct sockaddr* to, socklen_t length) {
  return detail::libc::result_of<ssize_t>(detail::libc::in_part(
      calls, fd, true, bytes, [&](size_t part) { return calls.sendto(fd, data, part, flags, to, length); }));
}
GENESYS_KERNEL_OUTLINE inline ssize_t sendto(int fd, const void* data, size_t bytes, int flags,
                                             const struct sockaddr* to, socklen_t length) {
  return sendto(detail::libc::ambient(), fd, data, bytes, flags, to, length);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t sendmsg(const Calls& calls, int fd, const struct msghdr* message, int flags) {
  return detail::libc::result_of<ssize_t>(calls.sendmsg(fd, message, flags));
}
GENESYS_KERNEL_OUTLINE inline ssize_t sendmsg(int fd, const struct msghdr* message, int flags) {
  return sendmsg(detail::libc::ambient(), fd, message, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t recv(const Calls& calls, int fd, void* into, size_t bytes, int flags) {
  return detail::libc::result_of<ssize_t>(detail::libc::in_part(
      calls, fd, false, bytes, [&](size_t part) { return calls.recvfrom(fd, into, part, flags, nullptr, nullptr); }));
}
GENESYS_KERNEL_OUTLINE inline ssize_t recv(int fd, void* into, size_t bytes, int flags) {
  return recv(detail::libc::ambient(), fd, into, bytes, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t recvfrom(const Calls& calls, int fd, void* into, size_t bytes, int flags, struct sockaddr* from,
                                socklen_t* length) {
  return detail::libc::result_of<ssize_t>(detail::libc::in_part(
      calls, fd, false, bytes, [&](size_t part) { return calls.recvfrom(fd, into, part, flags, from, length); }));
}
GENESYS_KERNEL_OUTLINE inline ssize_t recvfrom(int fd, void* into, size_t bytes, int flags, struct sockaddr* from,
                                               socklen_t* length) {
  return recvfrom(detail::libc::ambient(), fd, into, bytes, flags, from, length);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL ssize_t recvmsg(const Calls& calls, int fd, struct msghdr* message, int flags) {
  return detail::libc::result_of<ssize_t>(calls.recvmsg(fd, message, flags));
}
GENESYS_KERNEL_OUTLINE inline ssize_t recvmsg(int fd, struct msghdr* message, int flags) {
  return recvmsg(detail::libc::ambient(), fd, message, flags);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int shutdown(const Calls& calls, int fd, int how) {
  return detail::libc::result_of(calls.shutdown(fd, how));
}
GENESYS_KERNEL_OUTLINE inline int shutdown(int fd, int how) { return shutdown(detail::libc::ambient(), fd, how); }

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int setsockopt(const Calls& calls, int fd, int level, int name, const void* value, socklen_t bytes) {
  return detail::libc::result_of(calls.setsockopt(fd, level, name, value, bytes));
}
GENESYS_KERNEL_OUTLINE inline int setsockopt(int fd, int level, int name, const void* value, socklen_t bytes) {
  return setsockopt(detail::libc::ambient(), fd, level, name, value, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int getsockopt(const Calls& calls, int fd, int level, int name, void* value, socklen_t* bytes) {
  return detail::libc::result_of(calls.getsockopt(fd, level, name, value, bytes));
}
GENESYS_KERNEL_OUTLINE inline int getsockopt(int fd, int level, int name, void* value, socklen_t* bytes) {
  return getsockopt(detail::libc::ambient(), fd, level, name, value, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int getsockname(const Calls& calls, int fd, struct sockaddr* name, socklen_t* bytes) {
  return detail::libc::result_of(calls.getsockname(fd, name, bytes));
}
GENESYS_KERNEL_OUTLINE inline int getsockname(int fd, struct sockaddr* name, socklen_t* bytes) {
  return getsockname(detail::libc::ambient(), fd, name, bytes);
}

template <detail::libc::system_calls Calls>
GENESYS_KERNEL int getpeername(const Calls& calls, int fd, struct sockaddr* name, socklen_t* bytes) {
  return detail::libc::result_of(calls.getpeername(fd, name, bytes));
}
GENESYS_KERNEL_OUTLINE inline int getpeername(int fd, struct sockaddr* name, socklen_t* bytes) {
  return getpeername(detail::libc::ambient(), fd, name, bytes);
}

}  // namespace genesys::posix
