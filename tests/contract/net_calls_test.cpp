// SPDX-License-Identifier: Apache-2.0
// Calls on sockets and terminals, and signals, in each call mode and with pointers to each kind of memory, against the
// native call. Linux forgets the sockets' names with the sockets, so the native run and ours see the same bytes.
#include <linux/fs.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>

#include "script.h"

namespace contract {
namespace {

constexpr memory memories_built[] = {
    memory::arena,  memory::device,     memory::shared,  memory::private_,
#if defined(__CUDACC__)
    memory::pinned, memory::registered, memory::managed,
#endif
};

template <class T>
std::string bytes_of(const T& object) {
  return std::string(reinterpret_cast<const char*>(&object), sizeof object);
}

// An abstract address, in no file system, of `bytes` bytes.
std::string address(const std::string& name, std::size_t bytes = 40) {
  std::string text = bytes_of(sa_family_t{AF_UNIX}) + '\0' + "genesys-" + std::to_string(::getpid()) + "-" + name;
  text.resize(bytes, '.');
  return text;
}

class NetCalls : public testing::TestWithParam<std::tuple<call_mode, memory>> {
 protected:
  call_mode how() const { return std::get<0>(GetParam()); }
  memory where() const { return std::get<1>(GetParam()); }
  void SetUp() override {
    const auto all = memories();
    if (std::find(all.begin(), all.end(), where()) == all.end()) GTEST_SKIP() << "this device has no such memory";
  }

  using content = book::content;
  content bytes(u32 arg, const std::string& data, u32 offset = 0) const {
    return {arg, where(), data.size(), data, offset};
  }
  content space(u32 arg, u64 size, u32 offset = 0) const { return {arg, where(), size, {}, offset}; }
  content length(u32 arg, long value, u32 offset = 0) const {
    return bytes(arg, bytes_of(static_cast<u32>(value)), offset);
  }
  u32 made_socket(int type) { return b.raw(SYS_socket, {AF_UNIX, type | SOCK_CLOEXEC, 0}); }
  u32 bound(const std::string& name, int type = SOCK_DGRAM) {
    const u32 made = made_socket(type);
    b.on(made, call::bind, {0, static_cast<long>(name.size())}, {bytes(1, name, 3)});
    return made;
  }

  book b;
};

TEST_P(NetCalls, Datagrams) {
  u32 number = 0;
  for (const u32 offset : {0u, 1u, 7u}) {
    for (const long capacity : {0l, 1l, 2l, 15l, 16l, 39l, 40l, 41l, 110l, 128l, 129l, 1000l, -1l, -128l}) {
      const long n = 100 + number;
      const std::string to = address("to" + std::to_string(number)), from = address("from" + std::to_string(number++));
      b.begin();
      b.about("room for an address of " + std::to_string(capacity) + " at +" + std::to_string(offset));
      const u32 receiver = bound(to), sender = bound(from);
      const u64 fits = static_cast<u64>(std::clamp(capacity, 1l, 256l));
      const auto send = [&](long size, long flags = 0) {
        b.on(sender, call::sendto, {0, size, flags, 0, static_cast<long>(to.size())},
             {space(1, static_cast<u64>(size), offset), bytes(4, to, offset)});
      };
      const auto receive = [&](long size, long flags) {
        b.on(receiver, call::recvfrom, {0, size, flags, 0, 0},
             {space(1, static_cast<u64>(size), offset), space(4, fits, offset), length(5, capacity, offset)});
      };
      send(n);
      receive(n, 0);
      send(n);
      receive(n / 2, MSG_PEEK);
      receive(n / 2, MSG_TRUNC | MSG_PEEK);
      receive(n / 2, 0);
      send(0);
      receive(10, 0);
      send(0);
      receive(0, 0);
      send(n, MSG_DONTWAIT);
      b.on(receiver, call::recvfrom, {0, n, 0, 0, 0}, {space(1, static_cast<u64>(n))});  // without the sender's address
      send(n);
      b.on(receiver, call::recvfrom, {0, n, 0, 0, 0}, {space(1, static_cast<u64>(n)), length(5, capacity)});
      send(n);
      b.on(receiver, call::recvfrom, {0, n, 0, 0, 0},  // an address without a place for its length
           {space(4, fits)});
      if (how().wait == contract::wait::blocking)
        receive(n, MSG_DONTWAIT);  // with tickets, scripts take -EAGAIN for a lack of them
      b.on(sender, call::sendto, {0, n, 0, 0, 0}, {space(1, static_cast<u64>(n))});
      b.on(sender, call::sendto, {0, n, 0, 0, 129}, {space(1, static_cast<u64>(n)), bytes(4, to)});
      b.on(sender, call::sendto, {0, n, 0, 0, -1}, {space(1, static_cast<u64>(n)), bytes(4, to)});
      b.on(sender, call::close, {});
      b.on(receiver, call::close, {});
    }
  }
  b.check(how());
}

TEST_P(NetCalls, LargeMessages) {
  constexpr u64 largest = 60'000;
  u32 number = 0;
  for (const u64 size : {u64{2000}, largest}) {
    if (size > (where() == memory::private_ ? 3000 : fits_shared)) continue;
    const std::string to = address("large" + std::to_string(number++));
    b.begin();
    const u32 socket = bound(to);
    const long n = static_cast<long>(size);
    b.on(socket, call::sendto, {0, n, 0, 0, static_cast<long>(to.size())}, {space(1, size, 5), bytes(4, to)});
    b.on(socket, call::recvfrom, {0, n, 0, 0, 0}, {space(1, size, 9), space(4, 128), length(5, 128)});
    b.on(socket, call::close, {});
  }
  b.check(how());
}

TEST_P(NetCalls, Connections) {
  u32 number = 0;
  for (const long capacity : {0l, 1l, 40l, 128l, -5l}) {
    const std::string to = address("listens" + std::to_string(number++));
    const u64 fits = static_cast<u64>(std::clamp(capacity, 1l, 256l));
    b.begin();
    b.about("room for an address of " + std::to_string(capacity));
    const u32 listening = bound(to, SOCK_STREAM), client = b.add(call::socket, {AF_UNIX, SOCK_STREAM, 0});
    const auto names = [&](u32 socket) {
      b.on(socket, call::getsockname, {0, 0}, {space(1, fits, 2), length(2, capacity, 1)});
      b.on(socket, call::getpeername, {0, 0}, {space(1, fits, 2), length(2, capacity, 1)});
    };
    names(listening);
    b.on(client, call::connect, {0, static_cast<long>(to.size())}, {bytes(1, to)});
    b.on(listening, call::listen, {3});
    b.on(client, call::connect, {0, static_cast<long>(to.size())}, {bytes(1, to)});
    const u32 served = b.on(listening, call::accept4, {0, 0, SOCK_CLOEXEC}, {space(1, fits), length(2, capacity)});
    names(client);
    if (capacity >= 0) {  // with a negative one the connection is not accepted
      names(served);
      b.on(client, call::write, {0, 100}, {space(1, 100)});
      b.on(served, call::recvfrom, {0, 60, 0, 0, 0}, {space(1, 60), space(4, fits), length(5, capacity)});
      b.on(served, call::recvfrom, {0, 60, 0, 0, 0}, {space(1, 60)});
      if (how().wait == contract::wait::blocking)
        b.on(served, call::recvfrom, {0, 60, MSG_DONTWAIT, 0, 0}, {space(1, 60)});
      b.on(client, call::shutdown, {SHUT_WR});
      b.on(served, call::recvfrom, {0, 60, 0, 0, 0}, {space(1, 60), space(4, fits), length(5, capacity)});
      b.on(client, call::sendto, {0, 10, MSG_NOSIGNAL, 0, 0}, {space(1, 10)});
      b.on(served, call::shutdown, {9});
      b.on(served, call::close, {});
    }
    b.on(listening, call::recvfrom, {0, 60, 0, 0, 0}, {space(1, 60)});
    b.on(listening, call::read, {0, 60}, {space(1, 60)});
    b.on(client, call::accept4, {0, 0, 0});
    b.on(client, call::close, {});
    b.on(listening, call::close, {});
  }
  b.check(how());
}

TEST_P(NetCalls, PairsAndPipes) {
  for (const u32 offset : {0u, 3u}) {
    b.begin();
    b.add(call::pipe2, {0, O_CLOEXEC}, {space(0, 8, offset)});
    b.add(call::pipe2, {0, -1}, {space(0, 8, offset)});
    b.add(call::socketpair, {AF_UNIX, SOCK_STREAM, 0, 0}, {space(3, 8, offset)});
    b.add(call::socketpair, {AF_UNIX, 0x4000'0000 | SOCK_STREAM, 0, 0}, {space(3, 8, offset)});
    b.add(call::socket, {-1, SOCK_STREAM, 0});
  }
  b.check(how());
}

TEST_P(NetCalls, WhatIsNoSocket) {
  b.begin();
  const u32 file = b.open("file", O_RDWR | O_CREAT, where());
  b.on(file, call::recvfrom, {0, 10, 0, 0, 0}, {space(1, 10), space(4, 20), length(5, 20)});
  b.on(file, call::sendto, {0, 10, 0, 0, 16}, {space(1, 10), space(4, 16)});
  b.on(file, call::bind, {0, 16}, {space(1, 16)});
  b.on(file, call::connect, {0, 16}, {space(1, 16)});
  b.on(file, call::getsockname, {0, 0}, {space(1, 20), length(2, 20)});
  b.on(file, call::accept4, {0, 0, 0}, {space(1, 20), length(2, 20)});
  b.on(file, call::listen, {1});
  b.on(file, call::shutdown, {SHUT_RD});
  b.on(file, call::close, {});
  b.check(how());
}

TEST_P(NetCalls, Terminals) {
  const winsize size{33, 77, 1, 2};
  for (const u32 offset : {0u, 1u, 8u}) {
    b.begin();
    const u32 terminal =
        b.add(call::openat, {AT_FDCWD, 0, O_RDWR | O_NOCTTY | O_CLOEXEC}, {bytes(1, std::string("/dev/ptmx") + '\0')});
    const auto on = [&](unsigned long request, std::vector<content> buffers) {
      b.on(terminal, call::ioctl, {static_cast<long>(request), 0}, std::move(buffers));
    };
    on(TIOCGWINSZ, {space(2, sizeof size, offset)});
    on(TIOCSWINSZ, {bytes(2, bytes_of(size), offset)});
    on(TIOCGWINSZ, {space(2, sizeof size, offset)});
    on(TCGETS, {space(2, sizeof(genesys::linux_termios), offset)});
    on(TCSETS, {bytes(2, bytes_of(genesys::linux_termios{0x500, 5, 0xbf, 0x8a3b, 0, {3, 28, 127, 21, 4}}), offset)});
    on(TCGETS, {space(2, sizeof(genesys::linux_termios), offset)});
    on(TIOCGPGRP, {space(2, 4, offset)});
    on(FIONREAD, {space(2, 4, offset)});
    on(BLKGETSIZE64, {space(2, 8, offset)});
    b.on(terminal, call::ioctl, {TCFLSH, 2});
    b.on(terminal, call::ioctl, {TCFLSH, 7});
    for (const unsigned long request : {TIOCGWINSZ, TIOCSWINSZ, TCGETS, TCSETS, FIONREAD}) {
      b.on(terminal, call::ioctl, {static_cast<long>(request), 0});
    }
    b.on(terminal, call::close, {});
    // (Not the number just closed: another script, which runs at the same time, may have it again.)
    constexpr long nobodys = 1 << 20;
    b.add(call::ioctl, {nobodys, TIOCGWINSZ, 0}, {space(2, sizeof size, offset)});
  }
  b.check(how());
}

TEST_P(NetCalls, IoctlsOfAllFiles) {
  b.begin();
  const u32 file = b.open("file", O_RDWR | O_CREAT, where());
  b.on(file, call::write, {0, 100}, {space(1, 100)});
  b.on(file, call::lseek, {40, SEEK_SET});
  b.on(file, call::ioctl, {FIONREAD, 0}, {space(2, 4, 1)});
  b.on(file, call::ioctl, {FIONREAD, 0x10});
  b.on(file, call::ioctl, {FIONBIO, 0}, {bytes(2, bytes_of(1))});
  b.on(file, call::ioctl, {FIONBIO, 0}, {bytes(2, bytes_of(0))});
  b.on(file, call::ioctl, {FIONBIO, 0x10});
  for (const long request : {long{FIOCLEX}, long{FIONCLEX}}) {
    b.on(file, call::ioctl, {request, 0x10});
    b.on(file, call::raw, {F_GETFD});
    b.number_of_last(SYS_fcntl);
  }
  b.on(file, call::ioctl, {TCGETS, 0}, {space(2, 36)});
  b.on(file, call::close, {});
  b.check(how());
}

TEST_P(NetCalls, SignalsToAsk) {
  siginfo_t info{};
  info.si_code = SI_QUEUE;
  info.si_pid = ::getpid();
  b.begin();
  for (const long signal : {0l, 65l, -1l}) {  // no signal is sent
    for (const long whom : {long{::getpid()}, 0x7fff'fffel}) {
      b.add(call::rt_sigqueueinfo, {whom, signal, 0}, {bytes(2, bytes_of(info), 3)});
      b.add(call::rt_sigqueueinfo, {whom, signal, 0});
    }
  }
  b.check(how());
}

INSTANTIATE_TEST_SUITE_P(Each, NetCalls,
                         testing::Combine(testing::ValuesIn(call_modes()), testing::ValuesIn(memories_built)),
                         [](const testing::TestParamInfo<std::tuple<call_mode, memory>>& info) {
                           return name_of(std::get<1>(info.param)) + name_of(std::get<0>(info.param));
                         });

// A request that the table lacks never reaches Linux, and a request that it has is checked, by number as by name.
TEST(Ioctl, ByNumber) {
  for (const call_mode how : {in_threads, in_blocks}) {
    book b;
    b.begin();
    const auto raw = [&](std::vector<long> args, long value) {
      b.raw(SYS_ioctl, std::move(args));
      b.must_give(value);
    };
    long on_stack = 0;
    for (const long request : {0x5412l /* TIOCSTI */, 0l, -1l, 0x8927l /* SIOCGIFHWADDR */}) {
      raw({1, request, reinterpret_cast<long>(&on_stack)}, -EOPNOTSUPP);
      raw({-1, request, 0}, -EOPNOTSUPP);
    }
    raw({-1, FIONREAD, 0}, -EBADF);
    raw({-1, 0x7'0000'0000l | FIONREAD, 0}, -EBADF);
    const u32 file = b.open("file", O_RDWR | O_CREAT, memory::device);
    b.on(file, call::raw, {FIONREAD, reinterpret_cast<long>(&on_stack)});
    b.number_of_last(SYS_ioctl);
    b.must_give(-EFAULT);
    b.on(file, call::raw, {FIOCLEX});
    b.number_of_last(SYS_ioctl);
    b.on(file, call::close, {});
    b.check(how);
    EXPECT_EQ(on_stack, 0);
  }
}

}  // namespace
}  // namespace contract
