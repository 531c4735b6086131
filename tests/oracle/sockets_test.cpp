// SPDX-License-Identifier: Apache-2.0
// Sockets: addresses on loopback, and in a folder.
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "oracle.h"
#include "world.h"

namespace oracle {
namespace {

using enum plan_id;

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return to;
}

contract::descriptor udp() {
  contract::descriptor s(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const sockaddr_in any = loopback(0);
  if (::bind(s.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any) != 0) throw std::runtime_error("bind");
  return s;
}

sockaddr_in address_of(int fd) {
  sockaddr_in at{};
  socklen_t length = sizeof at;
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &length);
  return at;
}

constexpr int spare_socket = 301;

TEST(Sockets, Addresses) {
  trials t;
  const contract::descriptor here = udp(), there = udp();
  const sockaddr_in to = address_of(there.get()), none = loopback(0);
  const u32 whole = sizeof to, part = 5, none_at_all = 0;
  const auto fresh = [&](trial& one) {
    one.before = [] {
      const int made = ::socket(AF_INET, SOCK_DGRAM, 0);
      ::dup2(made, spare_socket);
      ::close(made);
    };
    one.after = [](const outcome&) { ::close(spare_socket); };
  };
  fresh(t.good(bind, {spare_socket, object(none), whole}));
  fresh(t.any(bind, {spare_socket, object(none), 3}));
  t.good(connect, {here.get(), object(to), whole});
  t.good(getsockname, {there.get(), output(whole), object(whole)});
  t.any(getsockname, {there.get(), output(whole), object(part)});
  t.any(getsockname, {there.get(), output(whole), object(none_at_all)});
  t.any(getsockname, {there.get(), output(whole), object(-1)});
  t.good(getpeername, {here.get(), output(whole), object(whole)}).before = [&] {
    ::connect(here.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to);
  };
  t.any(getpeername, {there.get(), output(whole), object(whole)});
  t.any(listen, {here.get(), 1});
  t.any(shutdown, {there.get(), 2});
  t.check();
}

TEST(Sockets, Messages) {
  trials t;
  const contract::descriptor here = udp(), there = udp();
  const sockaddr_in to = address_of(there.get());
  const u32 whole = sizeof to;
  const auto empty = [&] {
    char drop[2000];
    while (::recv(there.get(), drop, sizeof drop, MSG_DONTWAIT) >= 0) {
    }
  };
  t.good(sendto, {here.get(), bytes("hello"), 5, 0, object(to), whole}).before = empty;
  t.any(sendto, {here.get(), bytes("hello"), 5, 0, nullptr, 0}).before = empty;
  const auto sent = [&](trial& one) {
    one.before = [&, empty] {
      empty();
      (void)::sendto(here.get(), "0123456789", 10, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to);
    };
  };
  for (const u64 size : {4, 10, 50}) {
    sent(t.good(recvfrom, {there.get(), output(size), size, 0, output(whole), object(whole)}));
    sent(t.good(recvfrom, {there.get(), output(size), size, MSG_DONTWAIT, nullptr, nullptr}));
  }
  t.any(recvfrom, {there.get(), output(10), 10, MSG_DONTWAIT, nullptr, nullptr}).before = empty;
  t.check();
}

TEST(Sockets, Connections) {
  trials t;
  world w;
  const contract::descriptor listening(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const sockaddr_in any = loopback(0);
  ASSERT_EQ(::bind(listening.get(), reinterpret_cast<const sockaddr*>(&any), sizeof any), 0);
  ASSERT_EQ(::listen(listening.get(), 10), 0);
  const sockaddr_in to = address_of(listening.get());
  const u32 whole = sizeof to;
  int asking = -1;
  const auto asked = [&](trial& one) -> trial& {
    gives_descriptor(one);
    one.before = [&] {
      if (asking >= 0) ::close(asking);
      for (int old; (old = ::accept(listening.get(), nullptr, nullptr)) >= 0;) ::close(old);
      asking = ::socket(AF_INET, SOCK_STREAM, 0);
      if (::connect(asking, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
        throw std::runtime_error("connect");
    };
    return one;
  };
  asked(t.good(accept, {listening.get(), varying(output(whole), {{2, 2}}), object(whole)}));
  asked(t.good(accept, {listening.get(), nullptr, nullptr}));
  asked(t.good(accept4, {listening.get(), varying(output(whole), {{2, 2}}), object(whole), SOCK_CLOEXEC}));
  asked(t.any(accept4, {listening.get(), nullptr, nullptr, -1}));
  t.good(listen, {listening.get(), 5});
  t.any(accept, {listening.get(), nullptr, nullptr}).before = [&] {
    for (int old; (old = ::accept(listening.get(), nullptr, nullptr)) >= 0;) ::close(old);
  };
  int pair[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  t.good(shutdown, {pair[0], SHUT_RD});
  t.any(shutdown, {pair[0], 9});
  t.check();
  ::close(asking);
  ::close(pair[0]);
  ::close(pair[1]);
}

TEST(Sockets, Options) {
  trials t;
  const contract::descriptor s = udp();
  const u32 word = 4, none = 0, half = 2, long_one = 100;
  const timeval second{1, 0};
  t.good(setsockopt, {s.get(), SOL_SOCKET, SO_REUSEADDR, object(1), word});
  t.good(setsockopt, {s.get(), SOL_SOCKET, SO_RCVTIMEO, object(second), sizeof second});
  t.good(setsockopt, {s.get(), SOL_SOCKET, SO_RCVBUF, object(100'000), word});
  t.any(setsockopt, {s.get(), SOL_SOCKET, SO_REUSEADDR, object(1), 1});
  t.any(setsockopt, {s.get(), SOL_SOCKET, 9999, object(1), word});
  t.any(setsockopt, {s.get(), SOL_SOCKET, SO_REUSEADDR, object(1), -1});
  t.good(getsockopt, {s.get(), SOL_SOCKET, SO_TYPE, output(4), object(word)});
  t.any(getsockopt, {s.get(), SOL_SOCKET, SO_TYPE, output(2), object(half)});
  t.any(getsockopt, {s.get(), SOL_SOCKET, SO_TYPE, output(100), object(long_one)});
  t.any(getsockopt, {s.get(), SOL_SOCKET, SO_RCVTIMEO, output(100), object(long_one)});
  t.any(getsockopt, {s.get(), SOL_SOCKET, SO_TYPE, output(4), object(none)});
  t.any(getsockopt, {s.get(), SOL_SOCKET, SO_TYPE, output(4), object(-1)});
  t.any(getsockopt, {s.get(), SOL_SOCKET, 9999, output(4), object(word)});
  t.check();
}

// The options' values hold addresses that nothing resolves.
TEST(Sockets, OptionsWithAddresses) {
  const contract::descriptor s = udp();
  const std::string filter(16, 1);
  const u32 length = 64;
  for (const auto& [level, name] : {std::pair{SOL_SOCKET, 26}, {SOL_SOCKET, 51}, {0, 64}, {41, 64}, {283, 4}}) {
    const trial set{setsockopt, {s.get(), level, name, bytes(filter), 16}};
    EXPECT_EQ(make_through_genesys(set, memory::arena, scope::thread, 0).value, -EOPNOTSUPP) << level << " " << name;
    const trial high{setsockopt, {s.get(), level + (1l << 32), name + (1l << 40), bytes(filter), 16}};
    EXPECT_EQ(make_through_genesys(high, memory::device, scope::thread, 0).value, -EOPNOTSUPP) << "with upper halves";
  }
  for (const auto& [level, name] : {std::pair{SOL_SOCKET, 26}, {6, 35}}) {
    const trial get{getsockopt, {s.get(), level, name, output(64), object(length)}};
    EXPECT_EQ(make_through_genesys(get, memory::arena, scope::thread, 0).value, -EOPNOTSUPP) << level << " " << name;
  }
}

}  // namespace
}  // namespace oracle
