// SPDX-License-Identifier: Apache-2.0
// sd_notify(3) without libsystemd: one datagram to the socket that systemd names in the environment. Without the
// variable it does nothing.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace genesys::schedule::processes {

inline void notify_service_manager(std::string_view state) {
  const char* const named = std::getenv("NOTIFY_SOCKET");
  sockaddr_un at{};
  if (named == nullptr || std::strlen(named) >= sizeof at.sun_path) return;
  at.sun_family = AF_UNIX;
  std::memcpy(at.sun_path, named, std::strlen(named));
  if (at.sun_path[0] == '@') at.sun_path[0] = '\0';  // an abstract address
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(named));
  ::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<sockaddr*>(&at), bytes);
  ::close(fd);
}

}  // namespace genesys::schedule::processes
