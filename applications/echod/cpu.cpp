// SPDX-License-Identifier: Apache-2.0
#include "cpu.h"

#include <unistd.h>

#include "support/thread_calls.h"
#include "support/threads.h"

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
  static void pause_ms(u32 length) { ::usleep(length * 1000); }
  static constexpr bool is_first() { return true; }
  static bool agrees(bool first_says) { return first_says; }
};

}  // namespace

void serve_by_cpu(const task& t, u32 servers, const std::function<void()>& wait, const std::function<void()>& end) {
  const auto serve = [&t](u32 i) {
    i < t.udp_servers ? serve_udp(thread_team{}, t, i) : serve_tcp(thread_team{}, t, i);
  };
  application::thread_group threads(servers, serve, end);
  wait();
  end();
  threads.join();
}

}  // namespace echod
