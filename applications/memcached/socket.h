// SPDX-License-Identifier: Apache-2.0
// Sockets and errors of host code.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace memcached {

[[noreturn]] inline void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

class descriptor {
 public:
  explicit descriptor(int fd = -1) : fd_(fd) {}
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

inline sockaddr_in address_of(const std::string& text, unsigned port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<unsigned short>(port));
  if (::inet_pton(AF_INET, text.c_str(), &at.sin_addr) != 1)
    throw std::runtime_error("'" + text + "' is no IPv4 address");
  return at;
}

}  // namespace memcached
