// SPDX-License-Identifier: Apache-2.0
// echo-load: sends messages to an echo server and checks what comes back.
#include <netinet/tcp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include "options.h"
#include "support/server.h"

namespace {

using namespace echod;
using application::address_of;
using application::descriptor;
using application::fail;
using clock_type = std::chrono::steady_clock;

std::atomic<u64> messages{0}, lost{0}, wrong{0};

// The bytes of message `number`.
void fill(std::vector<unsigned char>& message, u64 number) {
  std::memcpy(message.data(), &number, sizeof number);
  for (std::size_t i = sizeof number; i < message.size(); i += 61) message[i] = static_cast<unsigned char>(number + i);
}
bool is_whole(const std::vector<unsigned char>& message, u64 next) {
  u64 number = 0;
  std::memcpy(&number, message.data(), sizeof number);
  if (number >= next) return false;
  for (std::size_t i = sizeof number; i < message.size(); i += 61)
    if (message[i] != static_cast<unsigned char>(number + i)) return false;
  return true;
}

int connected(const load_settings& chosen) {
  const int fd = ::socket(AF_INET, (chosen.tcp ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);
  const sockaddr_in to = address_of(chosen.address, chosen.port);
  if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
    fail(chosen.address + ", port " + std::to_string(chosen.port));
  const timeval limit{0, 100'000};
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

// Keeps `window` messages under way. A datagram that does not come back within 100 ms is lost.
void client(const load_settings& chosen, u32 window, clock_type::time_point end) {
  const descriptor fd(connected(chosen));
  std::vector<unsigned char> out(chosen.bytes), in(chosen.bytes + 1);
  u64 next = 0, done = 0, gone = 0, bad = 0;
  const auto send_next = [&] {
    fill(out, next++);
    send_whole(fd.get(), out);
  };
  for (u32 i = 0; i < window; ++i) send_next();
  std::size_t filled = 0;
  while (clock_type::now() < end) {
    const std::size_t space = chosen.tcp ? chosen.bytes - filled : in.size();
    const ssize_t n = ::recv(fd.get(), in.data() + filled, space, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) {
      if (chosen.tcp) throw std::runtime_error("the server does not answer");
      gone += window;
      for (u32 i = 0; i < window; ++i) send_next();
      continue;
    }
    if (n <= 0) fail("the server has closed the connection");
    filled += static_cast<std::size_t>(n);
    if (chosen.tcp && filled < chosen.bytes) continue;
    in.resize(filled);
    bad += filled != chosen.bytes || !is_whole(in, next);
    in.resize(chosen.bytes + 1);
    filled = 0;
    ++done;
    send_next();
  }
  messages += done;
  lost += gone;
  wrong += bad;
}

int run(const load_settings& chosen) {
  const u32 window = std::clamp(chosen.window, 1u, std::max(1u, (256u << 10) / chosen.bytes));
  const auto begin = clock_type::now();
  const auto end =
      begin + std::chrono::duration_cast<clock_type::duration>(std::chrono::duration<double>(chosen.seconds));
  std::vector<std::thread> clients;
  std::mutex lock;
  std::string failed;
  for (u32 i = 0; i < chosen.clients; ++i) {
    clients.emplace_back([&] {
      try {
        client(chosen, window, end);
      } catch (const std::exception& error) {
        const std::lock_guard hold(lock);
        failed = error.what();
      }
    });
  }
  for (std::thread& each : clients) each.join();
  if (!failed.empty()) throw std::runtime_error(failed);
  const double took = application::seconds_since(begin);
  const double rate = static_cast<double>(messages) / took;
  std::printf("%.0f messages/s, %.2f MB/s, %llu lost, %llu wrong\n", rate, rate * chosen.bytes / 1e6,
              static_cast<unsigned long long>(lost), static_cast<unsigned long long>(wrong));
  return wrong != 0 || messages == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) { return application::run_program("echo-load", 1, argc, argv, parse_load, run); }
