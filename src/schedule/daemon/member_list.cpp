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
constexpr char other_version[] = "the scheduling daemon is of another version";

}  // namespace

member_list::member_list(const std::string& socket) : path_(socket) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  if (socket.size() >= sizeof at.sun_path) throw std::runtime_error("the socket's path '" + socket + "' is too long");
  std::memcpy(at.sun_path, socket.c_str(), socket.size() + 1);
  to_.reset(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!to_ || ::connect(to_.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) {
    throw std::runtime_error("no scheduling daemon at '" + socket + "' (" + std::strerror(errno) +
                             "): start 'genesys scheduled', or name its socket with --socket");
  }
}

// `take` gets each packet until the end of the reply.
template <class Take>
void member_list::ask(const request& asked, const Take& take) {
  send_packet(to_.get(), &asked, sizeof asked);
  const time_ns until = now_ns() + reply_ns;
  for (packet got; now_ns() < until;) {
    const received what = receive_packet(to_.get(), got);
    if (what == received::closed) break;
    if (what == received::nothing) {
      pollfd looked{to_.get(), POLLIN, 0};
      ::poll(&looked, 1, 100);
      continue;
    }
    const std::optional<reply> row = decode_reply(got.bytes.data(), got.size);
    if (row && row->kind == reply_kind::refused) throw std::runtime_error(text_of(*row));
    if (row && row->kind == reply_kind::end) return;
    if (!take(got, row)) throw std::runtime_error(other_version);
  }
  throw std::runtime_error("the scheduling daemon at '" + path_ + "' does not reply");
}

std::vector<reply> member_list::rows() {
  std::vector<reply> all;
  request asked;
  asked.kind = request_kind::list;
  ask(asked, [&](const packet&, const std::optional<reply>& row) {
    if (row) all.push_back(*row);
    return row.has_value();
  });
  return all;
}

std::vector<watched_member> member_list::watch() {
  std::vector<watched_member> all;
  for (const reply& row : rows()) {
    all.push_back({row, {}});
    request asked;
    asked.kind = request_kind::watch, asked.slot = row.slot, asked.generation = row.generation;
    ask(asked, [&](const packet& got, const std::optional<reply>&) {
      const auto kernel = decode_kernel_row(got.bytes.data(), got.size, static_cast<u32>(reply_kind::kernel));
      if (kernel && all.back().kernels.size() <= report_kernels_max) all.back().kernels.push_back(*kernel);
      return kernel.has_value();
    });
  }
  return all;
}

std::vector<reply> list_members(const std::string& socket) { return member_list(socket).rows(); }

}  // namespace genesys::schedule::processes
