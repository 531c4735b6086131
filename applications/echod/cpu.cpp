// SPDX-License-Identifier: Apache-2.0
#include "cpu.h"

#include <unistd.h>

#include <thread>
#include <vector>

namespace echod {
namespace {

// Linux's calls, with results as a kernel gets them.
struct native_calls {
  static long result(long value) { return value < 0 ? -errno : value; }
  long recvfrom(int fd, void* into, u64 bytes, int flags, sockaddr* from, u32* length) const {
    return result(::recvfrom(fd, into, bytes, flags, from, length));
  }
  long sendto(int fd, const void* data, u64 bytes, int flags, const sockaddr* to, u32 length) const {
    return result(::sendto(fd, data, bytes, flags, to, length));
  }
  long accept4(int fd, sockaddr* from, u32* length, int flags) const {
    return result(::accept4(fd, from, length, flags));
  }
  long close(int fd) const { return result(::close(fd)); }
};

struct thread_team {
  native_calls calls() const { return {}; }
  bool is_first() const { return true; }
  bool agrees(bool first_says) const { return first_says; }
};

}  // namespace

void serve_by_cpu(const task& t, u32 servers, const std::function<void()>& wait_and_end) {
  std::vector<std::thread> threads;
  for (u32 i = 0; i < servers; ++i) {
    threads.emplace_back([&t, i] {
      unsigned char* const buffer = t.buffers + u64{i} * buffer_bytes;
      server_memory mine{};
      if (i < t.udp_servers)
        serve_udp(thread_team{}, t, t.servers[i], buffer, mine);
      else
        serve_tcp(thread_team{}, t, t.servers[i], buffer);
    });
  }
  wait_and_end();
  for (std::thread& each : threads) each.join();
}

}  // namespace echod
