// SPDX-License-Identifier: Apache-2.0
// Datagrams on loopback. On one side threads receive them with recvmmsg or send them with sendmmsg; on the other side
// are kernels, or as many threads.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "direct/parts.h"
#include "genesys/genesys.h"
#include "support/measure.h"
#include "support/native_threads.h"

namespace direct {

using measure::numbers;
using measure::scaled;

namespace {

class sockets {
 public:
  explicit sockets(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      const int one = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0),
                other = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      if (one < 0 || other < 0) throw measure::failure("no sockets");
      ours_.push_back(one);
      theirs_.push_back(other);
      bind_one(one);
      bind_one(other);
      connect_to(one, other);
      connect_to(other, one);
    }
  }
  ~sockets() {
    for (const int fd : ours_) ::close(fd);
    for (const int fd : theirs_) ::close(fd);
  }
  sockets(const sockets&) = delete;
  sockets& operator=(const sockets&) = delete;
  const std::vector<int>& ours() const { return ours_; }
  const std::vector<int>& theirs() const { return theirs_; }

 private:
  static sockaddr* as_address(sockaddr_in& at) { return reinterpret_cast<sockaddr*>(&at); }
  static void bind_one(int fd) {
    constexpr int capacity = 4 << 20;
    (void)::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &capacity, sizeof capacity);
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::bind(fd, as_address(any), sizeof any) != 0) throw measure::failure("no port on loopback");
  }
  static void connect_to(int fd, int other) {
    sockaddr_in at{};
    socklen_t length = sizeof at;
    if (::getsockname(other, as_address(at), &length) != 0 || ::connect(fd, as_address(at), length) != 0)
      throw measure::failure("no connection on loopback");
  }
  std::vector<int> ours_, theirs_;
};

// `batch` messages of `bytes` each, for one thread.
class messages {
 public:
  static constexpr unsigned batch = 64;
  explicit messages(unsigned bytes) : data_(std::size_t{batch} * bytes) {
    for (unsigned i = 0; i < batch; ++i) {
      pieces_[i] = {data_.data() + std::size_t{i} * bytes, bytes};
      all_[i].msg_hdr.msg_iov = &pieces_[i];
      all_[i].msg_hdr.msg_iovlen = 1;
    }
  }
  // Returns how many it received. It waits at most a few milliseconds.
  unsigned receive(int fd) {
    pollfd ready{fd, POLLIN, 0};
    int got = ::recvmmsg(fd, all_, batch, MSG_DONTWAIT, nullptr);
    if (got < 0 && ::poll(&ready, 1, 5) > 0) got = ::recvmmsg(fd, all_, batch, MSG_DONTWAIT, nullptr);
    return got < 0 ? 0 : static_cast<unsigned>(got);
  }
  unsigned send(int fd) {
    const int sent = ::sendmmsg(fd, all_, batch, 0);
    return sent < 0 ? 0 : static_cast<unsigned>(sent);
  }

 private:
  std::vector<char> data_;
  iovec pieces_[batch] = {};
  mmsghdr all_[batch] = {};
};

// One direction of datagrams: move() moves them by kernels or threads; on the other side threads send or receive as
// fast as they can. Returns the datagrams received in a second.
double datagrams_a_second(const sockets& over, baseline::native_threads& others, unsigned bytes, bool we_receive,
                          u64 ns, const std::function<double()>& move) {
  std::atomic<bool> over_now{false};
  std::vector<double> took(others.count());
  double moved = 0;
  const auto begin = measure::clock::now();
  std::jthread mover([&] {
    moved = move();
    over_now.store(true);
  });
  others([&](unsigned rank) {
    messages some(bytes);
    const int fd = over.theirs()[rank];
    while (!over_now.load(std::memory_order_relaxed)) took[rank] += we_receive ? some.send(fd) : some.receive(fd);
    return true;
  });
  mover.join();
  const double seconds = std::min(measure::seconds_since(begin), double(ns) / 1e9);
  double sum = 0;
  for (const double one : took) sum += one;
  return (we_receive ? moved : sum) / seconds;
}

}  // namespace

void udp(bench& all, shared& in) {
  constexpr unsigned rings = 4;
  const sockets over(rings);
  runtime& direct = in.direct.at(rings);
  genesys::runtime& rt = *direct;
  int* const fds = static_cast<int*>(rt.allocate_device(rings * sizeof(int)));
  rt.copy_to_device(fds, over.ours().data(), rings * sizeof(int));
  baseline::native_threads natives(rings), others(rings);
  for (const unsigned bytes : {64u, 1024u}) {
    for (const bool receives : {true, false}) {
      const std::string name = std::string(receives ? "received" : "sent") + "_" + std::to_string(bytes) + "B";
      const auto kernels = [&] {
        // A caller that waits at the end of the round gets an empty datagram.
        std::jthread ends([&](const std::stop_token& stop) {
          const auto end = measure::clock::now() + std::chrono::nanoseconds(in.round_ns);
          while (!stop.stop_requested()) {
            if (receives && measure::clock::now() > end) {
              for (const int fd : over.theirs()) (void)::send(fd, nullptr, 0, MSG_DONTWAIT);
            } else {
              std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
          }
        });
        return direct.calls(
            datagrams{.fds = fds, .sockets = rings, .bytes = bytes, .callers = in.callers, .receives = receives},
            in.round_ns);
      };
      const auto threads = [&] {
        std::vector<double> moved(rings);
        natives([&](unsigned rank) {
          messages some(bytes);
          const auto end = measure::clock::now() + std::chrono::nanoseconds(in.round_ns);
          while (measure::clock::now() < end)
            moved[rank] += receives ? some.receive(over.ours()[rank]) : some.send(over.ours()[rank]);
          return true;
        });
        double sum = 0;
        for (const double one : moved) sum += one;
        return sum;
      };
      numbers by_kernels, by_threads;
      for (unsigned round = 0; round <= in.rounds; ++round) {
        const double mine = datagrams_a_second(over, others, bytes, receives, in.round_ns, kernels);
        const double theirs = datagrams_a_second(over, others, bytes, receives, in.round_ns, threads);
        if (round == 0) continue;
        by_kernels.push_back(mine);
        by_threads.push_back(theirs);
      }
      all.keep("udp_" + name + "_direct", "M/s", scaled(by_kernels, 1e-6));
      all.keep("udp_" + name + "_threads", "M/s", scaled(by_threads, 1e-6));
      if (all.on_gpu())
        all.keep("udp_" + name + "_direct_to_threads", "ratio", measure::ratios(by_kernels, by_threads));
    }
  }
  rt.free_device(fds);
}

}  // namespace direct
