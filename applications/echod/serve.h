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

constexpr u32 buffer_bytes = 128 * 1024;  // so much is read from a connection at a time

// In memory of both sides, one for each server.
struct server_state {
  u64 messages, bytes;
  int connection;  // its descriptor, while the server has one; or -1
  u32 unused;
};

struct task {
  int udp, tcp;     // sockets
  u32 udp_servers;  // the first servers; the others are for TCP
  u32 batch;        // datagrams of a call, at most application::batch_max
  u32* ends;        // 1: the servers end
  server_state* servers;
  unsigned char* buffers;  // server_bytes() for each server

  GENESYS_KERNEL u64 server_bytes() const {
    const u64 datagrams = u64{batch} * application::received_bytes_max;
    return datagrams > buffer_bytes ? datagrams : u64{buffer_bytes};
  }
};

// Whether the servers end. All threads of a server. Its load, and the store of a connection below, pair with the store
// and the loads of the host's end() (main.cpp): one of the two sides sees the other.
template <class Team>
GENESYS_KERNEL bool ends(const Team& team, const task& t) {
  const genesys::atomic<u32, genesys::thread_scope::system> word(*t.ends);
  return team.agrees(team.is_first() && word.load(order::seq_cst) != 0);
}

template <class Team>
GENESYS_KERNEL void serve_udp(const Team& team, const task& t, server_state& counts, unsigned char* buffer,
                              application::datagram_memory& mine) {
  application::datagrams<Team> messages(team, mine, t.udp, t.batch, buffer);
  for (u32 round = 1;; ++round) {
    const long received = messages.receive();
    // At the end the socket is shut down: what is received is empty. Clients may send without a pause.
    if ((received <= 0 || messages.bytes_of(0) == 0 || round % 256 == 0) && ends(team, t)) return;
    for (u32 i = 0; i < received; ++i) {
      messages.send(i, messages.datagram(i), messages.bytes_of(i));
      if (team.is_first()) ++counts.messages, counts.bytes += messages.bytes_of(i);
    }
    messages.flush();
  }
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
GENESYS_KERNEL void serve_connection(const Team& team, int fd, server_state& counts, unsigned char* buffer) {
  for (;;) {
    const long bytes = team.calls().recvfrom(fd, buffer, buffer_bytes, 0, nullptr, nullptr);
    if (bytes == -EINTR) continue;
    if (bytes <= 0 || !send_whole(team, fd, buffer, bytes)) return;
    if (team.is_first()) ++counts.messages, counts.bytes += static_cast<u64>(bytes);
  }
}

template <class Team>
GENESYS_KERNEL void serve_tcp(const Team& team, const task& t, server_state& counts, unsigned char* buffer) {
  const genesys::atomic<int, genesys::thread_scope::system> connection(counts.connection);
  while (!ends(team, t)) {
    const long fd = team.calls().accept4(t.tcp, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) continue;
    if (team.is_first()) connection.store(static_cast<int>(fd), order::seq_cst);  // who ends the servers shuts it down
    if (!ends(team, t)) serve_connection(team, static_cast<int>(fd), counts, buffer);
    if (team.is_first()) connection.store(-1, order::seq_cst);
    team.calls().close(static_cast<int>(fd));
  }
}

}  // namespace echod
