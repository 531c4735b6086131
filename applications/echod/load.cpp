// SPDX-License-Identifier: Apache-2.0
// echo-load: sends messages to an echo server and checks what comes back.
#include <netinet/tcp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <vector>

#include "options.h"
#include "support/server.h"
#include "support/threads.h"

namespace {

using namespace echod;
using application::address_of;
using application::descriptor;
using application::fail;
using clock_type = std::chrono::steady_clock;

// The bytes of message `number`.
void fill(std::vector<unsigned char>& message, u64 number) {
  std::memcpy(message.data(), &number, sizeof number);
  for (std::size_t i = sizeof number; i < message.size(); i += 61) message[i] = static_cast<unsigned char>(number + i);
}
u64 number_of(const std::vector<unsigned char>& message) {
  u64 number = 0;
  std::memcpy(&number, message.data(), sizeof number);
  return number;
}
bool is_whole(const std::vector<unsigned char>& message) {
  const u64 number = number_of(message);
  for (std::size_t i = sizeof number; i < message.size(); i += 61)
    if (message[i] != static_cast<unsigned char>(number + i)) return false;
  return true;
}

int connected(const load_settings& chosen) {
  const int fd = ::socket(AF_INET, (chosen.tcp ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);
  const sockaddr_in to = address_of(chosen.address, chosen.port);
  if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
    fail(chosen.address + ", port " + std::to_string(chosen.port));
  const timeval limit{0, 20'000};
  const int large = 4 << 20, yes = 1;
  (void)::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  (void)::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
  if (chosen.tcp) (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return fd;
}

void send_whole(int fd, const std::vector<unsigned char>& message) {
  for (std::size_t sent = 0; sent < message.size();) {
    const ssize_t n = ::send(fd, message.data() + sent, message.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) fail("send");
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
}

constexpr auto lost_after = std::chrono::milliseconds(100), answers_within = std::chrono::milliseconds(2000);

struct figures {
  u64 done = 0, lost = 0, wrong = 0;
};

// Messages that are under way, at most a window of them.
class under_way {
 public:
  explicit under_way(u32 window) : sent_(window) {}
  // Whether the message was under way. Replaces it.
  bool take(u64 number, u64 next, clock_type::time_point now) {
    for (message& each : sent_) {
      if (each.number != number) continue;
      each = {next, now};
      return true;
    }
    return false;
  }
  // The number of a message that counts as lost, or none.
  std::optional<u64> lost(clock_type::time_point now) const {
    for (const message& each : sent_)
      if (now - each.since > lost_after) return each.number;
    return std::nullopt;
  }
  void begin(u32 i, u64 number) { sent_[i] = {number, clock_type::now()}; }

 private:
  struct message {
    u64 number;
    clock_type::time_point since;
  };
  std::vector<message> sent_;
};

// Keeps `window` datagrams under way. One that does not come back within 100 ms is lost; if it comes later, it does not
// count.
figures ask_by_udp(const load_settings& chosen, u32 window, clock_type::time_point end) {
  const descriptor fd(connected(chosen));
  std::vector<unsigned char> out(chosen.bytes), in(chosen.bytes + 1);
  figures got;
  under_way sent(window);
  u64 next = 0;
  const auto send_next = [&] {
    fill(out, next++);
    send_whole(fd.get(), out);
  };
  for (u32 i = 0; i < window; ++i) {
    sent.begin(i, next);
    send_next();
  }
  for (auto looked = clock_type::now();;) {
    const ssize_t n = ::recv(fd.get(), in.data(), in.size(), 0);
    if (n < 0 && errno != EINTR && errno != EAGAIN) fail(chosen.address + ", port " + std::to_string(chosen.port));
    const auto now = clock_type::now();
    if (now >= end) return got;
    if (n >= 0 && (static_cast<std::size_t>(n) != chosen.bytes || !is_whole(in) || number_of(in) >= next)) {
      ++got.wrong;
    } else if (n >= 0 && sent.take(number_of(in), next, now)) {
      ++got.done;
      send_next();
    }
    if (now - looked < lost_after / 4) continue;
    looked = now;
    while (const auto gone = sent.lost(now)) {
      ++got.lost;
      sent.take(*gone, next, now);
      send_next();
    }
  }
}

// Keeps `window` messages under way, which come back in their order.
figures ask_by_tcp(const load_settings& chosen, u32 window, clock_type::time_point end) {
  const descriptor fd(connected(chosen));
  std::vector<unsigned char> out(chosen.bytes), in(chosen.bytes);
  figures got;
  u64 next = 0;
  const auto send_next = [&] {
    fill(out, next++);
    send_whole(fd.get(), out);
  };
  for (u32 i = 0; i < window; ++i) send_next();
  std::size_t filled = 0;
  for (auto came = clock_type::now(); clock_type::now() < end;) {
    const ssize_t n = ::recv(fd.get(), in.data() + filled, in.size() - filled, 0);
    if (n < 0 && errno != EINTR && errno != EAGAIN) fail(chosen.address + ", port " + std::to_string(chosen.port));
    if (n == 0) throw std::runtime_error("the server has closed the connection");
    if (n < 0 && clock_type::now() - came > answers_within)
      throw std::runtime_error("the server does not answer: it may serve fewer connections at a time than --clients");
    if (n < 0) continue;
    came = clock_type::now();
    filled += static_cast<std::size_t>(n);
    if (filled < in.size()) continue;
    got.wrong += !is_whole(in) || number_of(in) != got.done;
    filled = 0;
    ++got.done;
    send_next();
  }
  return got;
}

int run(const load_settings& chosen) {
  const u32 window = std::clamp(chosen.window, 1u, std::max(1u, (256u << 10) / chosen.bytes));
  const auto begin = clock_type::now();
  const auto end =
      begin + std::chrono::duration_cast<clock_type::duration>(std::chrono::duration<double>(chosen.seconds));
  std::vector<figures> each(chosen.clients);
  const auto ask = [&](unsigned i) { each[i] = (chosen.tcp ? ask_by_tcp : ask_by_udp)(chosen, window, end); };
  application::thread_group(chosen.clients, ask, [] {}).join();
  figures sum;
  for (const figures& one : each) sum.done += one.done, sum.lost += one.lost, sum.wrong += one.wrong;
  const double took = application::seconds_since(begin);
  const double rate = static_cast<double>(sum.done) / took;
  std::printf("%.0f messages/s, %.2f MB/s, %llu lost, %llu wrong\n", rate, rate * chosen.bytes / 1e6,
              static_cast<unsigned long long>(sum.lost), static_cast<unsigned long long>(sum.wrong));
  application::flush_output();
  return sum.wrong != 0 || sum.done == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) { return application::run_program("echo-load", 1, argc, argv, parse_load, run); }
