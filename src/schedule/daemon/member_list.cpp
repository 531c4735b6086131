// SPDX-License-Identifier: Apache-2.0
#include "schedule/daemon/member_list.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "schedule/daemon/clock.h"

namespace genesys::schedule::processes {
namespace {

constexpr time_ns reply_ns = 2'000'000'000;

}  // namespace

std::vector<reply> list_members(const std::string& socket) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  if (socket.size() >= sizeof at.sun_path) throw std::runtime_error("the socket's path '" + socket + "' is too long");
  std::memcpy(at.sun_path, socket.c_str(), socket.size() + 1);
  descriptor to(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!to || ::connect(to.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) {
    throw std::runtime_error("no scheduling daemon at '" + socket + "' (" + std::strerror(errno) +
                             "): start 'genesys scheduled', or name its socket with --socket");
  }
  request asked;
  asked.kind = request_kind::list;
  send_packet(to.get(), &asked, sizeof asked);
  std::vector<reply> rows;
  const time_ns until = now_ns() + reply_ns;
  for (packet got; now_ns() < until;) {
    const received what = receive_packet(to.get(), got);
    if (what == received::closed) break;
    if (what == received::nothing) {
      pollfd looked{to.get(), POLLIN, 0};
      ::poll(&looked, 1, 100);
      continue;
    }
    const std::optional<reply> row = decode_reply(got.bytes.data(), got.size);
    if (!row || row->kind == reply_kind::refused) {
      throw std::runtime_error(row ? text_of(*row) : "the scheduling daemon is of another version");
    }
    if (row->kind == reply_kind::end) return rows;
    rows.push_back(*row);
  }
  throw std::runtime_error("the scheduling daemon at '" + socket + "' does not reply");
}

}  // namespace genesys::schedule::processes
