// SPDX-License-Identifier: Apache-2.0
#include "trace/recording_output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace genesys::trace {

void recording_output::begin(int file) {
  bytes_.clear();
  bytes_.reserve(space_bytes + section_bytes_max);  // so that put() allocates nothing
  sent_ = 0, calls_ = 0;
  file_ = file;
  error_.store(0, std::memory_order_relaxed);
}

void recording_output::put(const void* from, std::size_t bytes) {
  const char* const begin = static_cast<const char*>(from);
  bytes_.insert(bytes_.end(), begin, begin + bytes);
}

bool recording_output::write(int wait_ms) {
  while (sent_ < bytes_.size()) {
    if (error() != 0) {
      give_up();
      return true;
    }
    const ssize_t done = ::write(file_, bytes_.data() + sent_, bytes_.size() - sent_);
    if (done >= 0) {
      sent_ += static_cast<std::size_t>(done);
    } else if (errno == EAGAIN) {
      pollfd looked{file_, POLLOUT, 0};
      if (::poll(&looked, 1, wait_ms) == 0) return false;
    } else if (errno != EINTR) {
      error_.store(errno, std::memory_order_relaxed);
    }
  }
  written_.fetch_add(std::exchange(calls_, 0), std::memory_order_relaxed);
  bytes_.clear();
  sent_ = 0;
  return true;
}

void recording_output::give_up() {
  if (error() == 0) error_.store(EAGAIN, std::memory_order_relaxed);  // a section may be cut off: nothing may follow it
  add_dropped(std::exchange(calls_, 0));
  bytes_.clear();
  sent_ = 0;
}

}  // namespace genesys::trace
