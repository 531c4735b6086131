// SPDX-License-Identifier: Apache-2.0
// The echo service of RFC 862, over UDP and TCP. A server is a block of the kernel, or a thread of the CPU version; its
// `Team` says how it makes calls, and agrees on what one of its threads sees.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>

#include "genesys/kernel.h"
#include "support/datagrams.h"

namespace echod {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using order = std::memory_order;

constexpr u32 buffer_bytes = 128 * 1024;  // of a server; so much is read from a connection at a time
static_assert(buffer_bytes >= application::datagram_bytes_max);

struct echoed {
  u64 messages, bytes;  // (of TCP a message is what one call gave: no message of the client's)
};

// In memory of both sides, one for each server.
struct server_state {
  echoed sum;      // at the end
  int connection;  // its descriptor, while the server has one; or -1
  u32 has_started;
};

struct task {
  int udp, tcp;     // sockets
  u32 udp_servers;  // the first servers; the others are for TCP
  u32* ends;        // 1: the servers end
  server_state* servers;
  application::datagram_peer* peers;  // one for each server of UDP
  unsigned char* buffers;             // buffer_bytes for each server
};

// Whether the servers end. All threads of a server. Its load, and the store of a connection below, pair with the store
// and the loads of the host's end() (main.cpp): one of the two sides sees the other.
template <class Team>
GENESYS_KERNEL bool ends(const Team& team, const task& t) {
  const genesys::atomic<u32, genesys::thread_scope::system> word(*t.ends);
  return team.agrees(team.is_first() && word.load(order::seq_cst) != 0);
}

template <class Team>
GENESYS_KERNEL void serve_udp(const Team& team, const task& t, u32 number) {
  unsigned char* const buffer = t.buffers + u64{number} * buffer_bytes;
  const application::datagrams<Team> messages{team, t.udp, t.peers[number]};
  echoed counts{};
  for (u32 round = 1;; ++round) {
    const long bytes = messages.receive(buffer);
    // At the end the socket is shut down: what is received is empty. Clients may send without a pause.
    if ((bytes <= 0 || round % 256 == 0) && ends(team, t)) break;
    if (bytes < 0) continue;  // as of a datagram that could not be delivered
    messages.send(buffer, static_cast<u64>(bytes));
    ++counts.messages, counts.bytes += static_cast<u64>(bytes);
  }
  if (team.is_first()) t.servers[number].sum = counts;
}

// Whether all of what is in the buffer is sent.
template <class Team>
GENESYS_KERNEL bool send_whole(const Team& team, int fd, const unsigned char* buffer, long bytes) {
  for (long sent = 0; sent < bytes;) {
    const long n = team.calls().sendto(fd, buffer + sent, static_cast<u64>(bytes - sent), MSG_NOSIGNAL, nullptr, 0);
    if (n > 0) sent += n;
    if (n < 0 && n != -EINTR && n != -EAGAIN) return false;
  }
  return true;
}

// Serves a connection until the client ends it. (To receive while Linux still sends gains nothing, because each call
// locks the socket.)
template <class Team>
GENESYS_KERNEL void serve_connection(const Team& team, int fd, echoed& counts, unsigned char* buffer) {
  for (;;) {
    const long bytes = team.calls().recvfrom(fd, buffer, buffer_bytes, 0, nullptr, nullptr);
    if (bytes == -EINTR) continue;
    if (bytes <= 0 || !send_whole(team, fd, buffer, bytes)) return;
    ++counts.messages, counts.bytes += static_cast<u64>(bytes);
  }
}

template <class Team>
GENESYS_KERNEL void serve_tcp(const Team& team, const task& t, u32 number) {
  unsigned char* const buffer = t.buffers + u64{number} * buffer_bytes;
  const genesys::atomic<int, genesys::thread_scope::system> connection(t.servers[number].connection);
  echoed counts{};
  while (!ends(team, t)) {
    const long fd = team.calls().accept4(t.tcp, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd == -EMFILE || fd == -ENFILE) team.pause_ms(10);  // the connection waits, so that accept4 would not
    if (fd < 0) continue;
    if (team.is_first()) connection.store(static_cast<int>(fd), order::seq_cst);  // who ends the servers shuts it down
    if (!ends(team, t)) serve_connection(team, static_cast<int>(fd), counts, buffer);
    if (team.is_first()) connection.store(-1, order::seq_cst);
    team.calls().close(static_cast<int>(fd));
  }
  if (team.is_first()) t.servers[number].sum = counts;
}

}  // namespace echod
