// SPDX-License-Identifier: Apache-2.0
// What the daemon's threads wait for: epoll(7) and eventfd(2). Any thread.
#pragma once

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace genesys::detail::serving {

inline constexpr int events_max = 64;  // that one look takes

// Also from a signal handler.
inline void notify_event(int event) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(event, &one, sizeof one);
}
inline void clear_event(int event) {
  std::uint64_t rings;
  [[maybe_unused]] const ssize_t read = ::read(event, &rings, sizeof rings);
}

inline bool watch_for(int events, int fd, std::uint64_t tag) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = tag;
  return ::epoll_ctl(events, EPOLL_CTL_ADD, fd, &event) == 0;
}

}  // namespace genesys::detail::serving
