// SPDX-License-Identifier: Apache-2.0
// sendmsg, recvmsg and similar calls: addresses, several pieces, and control data.
#include <netinet/in.h>
#include <sys/socket.h>

#include "oracle.h"
#include "world.h"

namespace oracle {
namespace {

using enum plan_id;

// Two sockets that send each other datagrams.
struct pair {
  int ends[2];
  pair(int domain, int type) { EXPECT_EQ(::socketpair(domain, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0); }
  ~pair() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  void empty() const {
    char drop[2000], control[200];
    for (const int end : ends) {
      int error;  // an error that recvmmsg kept for the next call
      socklen_t length = sizeof error;
      ::getsockopt(end, SOL_SOCKET, SO_ERROR, &error, &length);
      iovec to{drop, sizeof drop};
      msghdr m{};
      m.msg_iov = &to;
      m.msg_iovlen = 1;
      m.msg_control = control;
      m.msg_controllen = sizeof control;
      while (::recvmsg(end, &m, MSG_DONTWAIT) >= 0) {
        for (cmsghdr* c = CMSG_FIRSTHDR(&m); c != nullptr; c = CMSG_NXTHDR(&m, c)) {
          if (c->cmsg_type == SCM_RIGHTS) ::close(*reinterpret_cast<int*>(CMSG_DATA(c)));
        }
        m.msg_controllen = sizeof control;
      }
    }
  }
};

contract::descriptor udp(sockaddr_in& at) {
  contract::descriptor s(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  at = {};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof at;
  EXPECT_EQ(::bind(s.get(), reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
  EXPECT_EQ(::getsockname(s.get(), reinterpret_cast<sockaddr*>(&at), &length), 0);
  return s;
}

// Control data with a descriptor.
std::string rights(int fd) {
  std::string control(CMSG_SPACE(sizeof fd), '\0');
  cmsghdr head{};
  head.cmsg_len = CMSG_LEN(sizeof fd);
  head.cmsg_level = SOL_SOCKET;
  head.cmsg_type = SCM_RIGHTS;
  std::memcpy(control.data(), &head, sizeof head);
  std::memcpy(control.data() + CMSG_LEN(0), &fd, sizeof fd);
  return control;
}

TEST(Messages, Addresses) {
  trials t;
  sockaddr_in here_at, there_at;
  const contract::descriptor here = udp(here_at), there = udp(there_at);
  const u32 whole = sizeof there_at;
  const auto empty = [&] {
    char drop[2000];
    while (::recv(there.get(), drop, sizeof drop, MSG_DONTWAIT) >= 0) {
    }
  };
  const message_parts to_there{.name = object(there_at), .name_bytes = whole, .data = {bytes("hello"), bytes("world")}};
  t.good(sendmsg, {here.get(), message(to_there), 0}).before = empty;
  message_parts wrong = to_there;
  wrong.name_bytes = 3;
  t.any(sendmsg, {here.get(), message(wrong), 0}).before = empty;
  wrong.name_bytes = ~0u;
  t.any(sendmsg, {here.get(), message(wrong), 0}).before = empty;
  t.any(sendmsg, {here.get(), message({.data = {bytes("hello")}}), 0}).before = empty;
  const auto sent = [&](trial& one) {
    one.before = [&, empty] {
      empty();
      (void)::sendto(here.get(), "0123456789", 10, 0, reinterpret_cast<const sockaddr*>(&there_at), sizeof there_at);
    };
  };
  for (const u32 name_space : {16u, 5u, 0u, 100u}) {
    const argument name = name_space == 0 ? argument(nullptr) : output(name_space);
    sent(t.good(recvmsg,
                {there.get(), message({.name = name, .name_bytes = name_space, .data = {output(4), output(50)}}), 0}));
  }
  sent(t.good(recvmsg, {there.get(), message({.data = {output(2), output(3)}}), MSG_TRUNC}));
  sent(t.good(recvmsg, {there.get(), message({.data = {}}), 0}));
  t.any(recvmsg, {there.get(), message({.data = {output(4)}}), MSG_DONTWAIT}).before = empty;
  t.any(recvmsg, {there.get(), message({.data = {output(4)}}), MSG_ERRQUEUE}).before = empty;
  t.check();
}

TEST(Messages, Along) {
  trials t;
  const pair p(AF_UNIX, SOCK_DGRAM);
  const auto empty = [&] { p.empty(); };
  const contract::descriptor passed(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const std::string one_right = rights(passed.get());
  const auto with = [](const std::string& control, u64 length) {
    return message({.data = {bytes("hello")}, .control = bytes(control), .control_bytes = length});
  };
  t.good(sendmsg, {p.ends[0], with(one_right, one_right.size()), 0}).before = empty;
  t.any(sendmsg, {p.ends[0], with(rights(1 << 20), one_right.size()), 0}).before = empty;
  t.any(sendmsg, {p.ends[0], with(one_right, 7), 0}).before = empty;
  t.any(sendmsg, {p.ends[0], with(one_right, ~u64{0}), 0}).before = empty;
  const auto sent = [&](trial& one) -> trial& {
    one.before = [&] {
      p.empty();
      std::string control = rights(passed.get());
      char text[] = "hello";
      iovec from{text, 5};
      msghdr m{};
      m.msg_iov = &from;
      m.msg_iovlen = 1;
      m.msg_control = control.data();
      m.msg_controllen = control.size();
      EXPECT_EQ(::sendmsg(p.ends[0], &m, 0), 5);
    };
    one.after = [](const outcome& o) {
      constexpr u32 control = 4;  // the blob's number: after the arguments and the vector
      int fd;
      if (o.value != 5 || o.memory.size() <= control || o.memory[control].size() < CMSG_LEN(sizeof fd)) return;
      std::memcpy(&fd, o.memory[control].data() + CMSG_LEN(0), sizeof fd);
      ::close(fd);
    };
    return one;
  };
  const auto into = [](u64 control) {
    return message({.data = {output(3), output(20)},
                    .control = control == 0 ? argument(nullptr) : varying(output(control), {{CMSG_LEN(0), 4}}),
                    .control_bytes = control});
  };
  for (const u64 control : {CMSG_SPACE(sizeof(int)), u64{100}, u64{10}, u64{0}})
    sent(t.good(recvmsg, {p.ends[1], into(control), MSG_CMSG_CLOEXEC}));
  t.check();
}

TEST(Messages, Several) {
  trials t;
  const pair p(AF_UNIX, SOCK_DGRAM);
  const auto empty = [&] { p.empty(); };
  const std::vector<message_parts> two = {{.data = {bytes("hello"), bytes("world")}}, {.data = {bytes("again")}}};
  t.good(sendmmsg, {p.ends[0], messages(two), 2, 0}).before = empty;
  t.any(sendmmsg, {p.ends[0], messages(two), 0, 0}).before = empty;
  t.any(sendmmsg, {p.ends[0], messages({two[0], {.data = {{0x10, 5}}}}), 2, 0}).before = empty;
  const auto sent = [&](trial& one) -> trial& {
    one.before = [&] {
      p.empty();
      EXPECT_EQ(::send(p.ends[0], "0123456789", 10, 0), 10);
      EXPECT_EQ(::send(p.ends[0], "abc", 3, 0), 3);
    };
    return one;
  };
  const auto three = [] {
    return messages({{.data = {output(4), output(3)}},
                     {.name = output(20), .name_bytes = 20, .data = {output(9)}},
                     {.data = {output(5)}}});
  };
  sent(t.good(recvmmsg, {p.ends[1], three(), 3, 0, nullptr}));
  sent(t.good(recvmmsg, {p.ends[1], three(), 3, MSG_TRUNC, nullptr}));
  const timespec second{1, 0};
  sent(t.good(recvmmsg, {p.ends[1], three(), 3, MSG_DONTWAIT, varying(object(second))}));
  const timespec wrong{1, -1};
  sent(t.any(recvmmsg, {p.ends[1], three(), 3, 0, object(wrong)}));
  t.any(recvmmsg, {p.ends[1], three(), 3, MSG_DONTWAIT, nullptr}).before = empty;
  t.check();
}

}  // namespace
}  // namespace oracle
