// SPDX-License-Identifier: Apache-2.0
#include "cpu.h"

#include <unistd.h>

#include <thread>
#include <vector>

#include "support/thread_calls.h"

namespace echod {
namespace {

struct native_calls : application::thread_calls {
  static long accept4(int fd, sockaddr* from, u32* length, int flags) {
    return result(::accept4(fd, from, length, flags));
  }
  static long close(int fd) { return result(::close(fd)); }
};

struct thread_team {
  static native_calls calls() { return {}; }
  static constexpr bool is_first() { return true; }
  static bool agrees(bool first_says) { return first_says; }
};

}  // namespace

void serve_by_cpu(const task& t, u32 servers, const std::function<void()>& wait_and_end) {
  std::vector<std::thread> threads;
  for (u32 i = 0; i < servers; ++i) {
    threads.emplace_back(
        [&t, i] { i < t.udp_servers ? serve_udp(thread_team{}, t, i) : serve_tcp(thread_team{}, t, i); });
  }
  wait_and_end();
  for (std::thread& each : threads) each.join();
}

}  // namespace echod
