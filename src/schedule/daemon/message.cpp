// SPDX-License-Identifier: Apache-2.0
#include "schedule/daemon/message.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace genesys::schedule::processes {
namespace {

constexpr std::size_t control_bytes = CMSG_SPACE(sizeof(int) * 8);

// All descriptors that came along, also those of a packet that is no message: otherwise they would stay open.
void take_descriptors(msghdr& message, std::vector<descriptor>& passed) {
  for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = CMSG_LEN(0); at + sizeof(int) <= head->cmsg_len; at += sizeof(int)) {
      int fd;
      std::memcpy(&fd, reinterpret_cast<const char*>(head) + at, sizeof fd);
      passed.emplace_back(fd);
    }
  }
}

}  // namespace

std::optional<request> decode_request(const void* bytes, std::size_t size) {
  request read;
  if (size != sizeof read) return std::nullopt;
  u32 kind;
  std::memcpy(&kind, static_cast<const char*>(bytes) + offsetof(request, kind), sizeof kind);
  if (kind < static_cast<u32>(request_kind::join) || kind > static_cast<u32>(request_kind::watch)) return std::nullopt;
  std::memcpy(static_cast<void*>(&read), bytes, sizeof read);
  if (read.format != shared_format || read.slot >= members_max || read.nice < -20 || read.nice > 19)
    return std::nullopt;
  return read;
}

std::optional<reply> decode_reply(const void* bytes, std::size_t size) {
  reply read;
  if (size != sizeof read) return std::nullopt;
  u32 kind;
  std::memcpy(&kind, static_cast<const char*>(bytes) + offsetof(reply, kind), sizeof kind);
  if (kind < static_cast<u32>(reply_kind::accepted) || kind > static_cast<u32>(reply_kind::end)) return std::nullopt;
  std::memcpy(static_cast<void*>(&read), bytes, sizeof read);
  if (read.format != shared_format || read.slot >= members_max) return std::nullopt;
  read.text.back() = '\0';
  return read;
}

reply refusal(int error, const std::string& text) {
  reply with;
  with.kind = reply_kind::refused;
  with.error = error;
  std::copy_n(text.data(), std::min(text.size(), text_bytes - 1), with.text.data());
  return with;
}

std::string text_of(const reply& from) { return {from.text.data(), ::strnlen(from.text.data(), text_bytes)}; }

bool send_packet(int socket, const void* bytes, std::size_t size, const std::vector<int>& passed) {
  iovec data{const_cast<void*>(bytes), size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * passed_max)] = {};
  msghdr message{};
  message.msg_iov = &data, message.msg_iovlen = 1;
  if (!passed.empty()) {
    const std::size_t passed_bytes = std::min<std::size_t>(passed.size(), passed_max) * sizeof(int);
    message.msg_control = control, message.msg_controllen = CMSG_SPACE(passed_bytes);
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(passed_bytes);
    std::memcpy(CMSG_DATA(head), passed.data(), passed_bytes);
  }
  for (;;) {
    if (::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return true;
    if (errno != EINTR) return false;
  }
}

received receive_packet(int socket, packet& into) {
  alignas(cmsghdr) char control[control_bytes];
  iovec data{into.bytes.data(), into.bytes.size()};
  for (;;) {
    msghdr message{};
    message.msg_iov = &data, message.msg_iovlen = 1;
    message.msg_control = control, message.msg_controllen = sizeof control;
    const ssize_t got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN ? received::nothing : received::closed;
    into.passed.clear();
    take_descriptors(message, into.passed);
    into.size = static_cast<std::size_t>(got);
    // An empty packet and the end of the connection look alike. No message is empty, so both end it.
    return got == 0 ? received::closed : received::packet;
  }
}

}  // namespace genesys::schedule::processes
