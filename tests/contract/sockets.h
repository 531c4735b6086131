// SPDX-License-Identifier: Apache-2.0
// Sockets on loopback, for tests. Host code only.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "contract.h"

namespace contract {

inline sockaddr_in loopback(unsigned port = 0) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return at;
}

inline const sockaddr* as_address(const sockaddr_in& at) { return reinterpret_cast<const sockaddr*>(&at); }

inline sockaddr_in own_address(int fd) {
  sockaddr_in at{};
  socklen_t length = sizeof at;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &length);
  return at;
}

inline unsigned own_port(int fd) { return ntohs(own_address(fd).sin_port); }

struct pair_of_sockets {
  descriptor ours, theirs;
};
inline pair_of_sockets made_pair(int type) {
  int ends[2];
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0) throw std::runtime_error("no sockets");
  return {descriptor(ends[0]), descriptor(ends[1])};
}

// A socket that is bound to a port of its own.
inline descriptor bound_socket(int type) {
  descriptor made(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
  const sockaddr_in any = loopback();
  if (made.get() < 0 || ::bind(made.get(), as_address(any), sizeof any) != 0)
    throw std::runtime_error(std::string("no socket: ") + std::strerror(errno));
  return made;
}

// No process listens on this port, and Linux never assigns it to a socket that asks for any port.
constexpr unsigned closed_port = 1;

inline void connect_to(int fd, unsigned port) {
  const sockaddr_in at = loopback(port);
  if (::connect(fd, as_address(at), sizeof at) != 0)
    throw std::runtime_error(std::string("connect: ") + std::strerror(errno));
}

inline void send_to(int fd, unsigned port, const void* data, std::size_t bytes) {
  const sockaddr_in at = loopback(port);
  if (::sendto(fd, data, bytes, MSG_NOSIGNAL, as_address(at), sizeof at) != static_cast<ssize_t>(bytes))
    throw std::runtime_error(std::string("sendto: ") + std::strerror(errno));
}

}  // namespace contract
