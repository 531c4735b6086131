// SPDX-License-Identifier: Apache-2.0
// Addresses of sockets. Host code.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <stdexcept>
#include <string>

#include "support/program.h"

namespace echod {

using application::descriptor;
using application::fail;

inline sockaddr_in address_of(const std::string& text, unsigned port) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<unsigned short>(port));
  if (::inet_pton(AF_INET, text.c_str(), &at.sin_addr) != 1)
    throw std::runtime_error("'" + text + "' is no IPv4 address");
  return at;
}

}  // namespace echod
