// SPDX-License-Identifier: Apache-2.0
// How a server of UDP receives and sends: recvfrom(2) and sendto(2), by a block of a kernel or a thread of the CPU.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>

#include "genesys/kernel.h"

namespace application {

constexpr std::uint32_t datagram_bytes_max = 65536;

// Whom a server answers, one for each server. It is in memory of both sides: other memory genesys would stage for each
// call.
struct alignas(64) datagram_peer {
  sockaddr_in from{};
  std::uint32_t length = sizeof from;  // Linux stores the same, until the socket is shut down
};

// `Calls`: calls() of the server's threads. All threads call each function, with the same arguments.
template <class Calls>
struct datagrams {
  const Calls& by;
  int fd;
  datagram_peer& peer;

  // Waits for a datagram. Returns its bytes, or -errno. A socket that is shut down gives empty ones.
  GENESYS_KERNEL long receive(unsigned char* into) const {
    return by.calls().recvfrom(fd, into, datagram_bytes_max, 0, reinterpret_cast<sockaddr*>(&peer.from), &peer.length);
  }
  // To the sender of the last datagram. One that Linux refuses is lost.
  GENESYS_KERNEL void send(const unsigned char* data, std::uint64_t bytes) const {
    by.calls().sendto(fd, data, bytes, MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&peer.from), sizeof peer.from);
  }
};

}  // namespace application
