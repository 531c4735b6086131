// SPDX-License-Identifier: Apache-2.0
// A connection to the daemon without a client: a test sends what it wants.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>

#include "processes.h"

namespace daemon_testing {

class raw_connection {
 public:
  explicit raw_connection(const std::string& path)
      : socket_(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::memcpy(at.sun_path, path.c_str(), path.size() + 1);
    connected_ = ::connect(socket_.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) == 0;
  }
  bool is_connected() const { return connected_; }
  int fd() const { return socket_.get(); }

  bool send(const request& asked) { return send_packet(socket_.get(), &asked, sizeof asked); }
  bool send(request_kind kind, int nice = 0, u32 slot = 0, u32 generation = 0) {
    request asked;
    asked.kind = kind, asked.nice = nice, asked.slot = slot, asked.generation = generation;
    return send(asked);
  }
  // The next reply, with its descriptors in `got`. Null: the daemon has closed the connection, or says nothing for 2 s.
  std::optional<reply> receive() {
    pollfd looked{socket_.get(), POLLIN, 0};
    ::poll(&looked, 1, 2000);
    if (receive_packet(socket_.get(), got) != received::packet) return std::nullopt;
    return decode_reply(got.bytes.data(), got.size);
  }
  bool is_closed() {
    for (;;) {
      pollfd looked{socket_.get(), POLLIN, 0};
      if (::poll(&looked, 1, 2000) == 0) return false;
      if (receive_packet(socket_.get(), got) == received::closed) return true;
    }
  }
  // A member, whose pages are in `board` and `line`.
  std::optional<reply> join(int nice) {
    send(request_kind::join, nice);
    const std::optional<reply> accepted = receive();
    if (!accepted || accepted->kind != reply_kind::accepted || got.passed.size() != 2) return std::nullopt;
    board_fd = std::move(got.passed[0]), line_fd = std::move(got.passed[1]);
    board = page_mapping(board_fd.get(), access::read);
    line = page_mapping(line_fd.get(), access::read_write);
    send(request_kind::mapped);
    const std::optional<reply> joined = receive();
    return joined && joined->kind == reply_kind::joined ? joined : std::nullopt;
  }

  packet got;
  descriptor board_fd, line_fd;
  page_mapping board, line;

 private:
  descriptor socket_;
  bool connected_ = false;
};

}  // namespace daemon_testing
