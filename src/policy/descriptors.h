// SPDX-License-Identifier: Apache-2.0
// Descriptors by number: sets of them, and the host's own descriptors, which kernels cannot use. Any thread.
#pragma once

#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <utility>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

template <u32 numbers>
class descriptors_below {
 public:
  static constexpr u32 limit = numbers;
  // Whether that changed anything.
  bool add(u64 fd) { return change(fd, true); }
  bool remove(u64 fd) { return change(fd, false); }
  bool has(u64 fd) const {
    const auto low = static_cast<u32>(fd);  // as Linux does
    return low < limit && ((words_[low / 64].load(std::memory_order_relaxed) >> low % 64) & 1) != 0;
  }
  // Visits all members. visit() may remove them.
  template <class F>
  void each(F visit) const {
    for (u32 i = 0; i < limit / 64; ++i) {
      for (u64 word = words_[i].load(std::memory_order_relaxed); word != 0; word &= word - 1)
        visit(u64{i} * 64 + static_cast<u64>(std::countr_zero(word)));
    }
  }

 private:
  bool change(u64 fd, bool to) {
    const auto low = static_cast<u32>(fd);
    if (low >= limit) return false;
    const u64 bit = u64{1} << low % 64;
    std::atomic<u64>& word = words_[low / 64];
    const u64 before =
        to ? word.fetch_or(bit, std::memory_order_relaxed) : word.fetch_and(~bit, std::memory_order_relaxed);
    return ((before & bit) != 0) != to;
  }
  std::array<std::atomic<u64>, limit / 64> words_{};
};
using descriptor_set = descriptors_below<1u << 16>;

// Descriptors that kernels cannot use: calls with them give -EBADF. The sets hold for all runtimes of the process.
// Linux gives no larger number unless fs.nr_open is raised.
using protected_set = descriptors_below<1u << 20>;
// The runtimes' own. A number is in the set as long as the descriptor is open, so Linux cannot give it to a kernel
// meanwhile.
inline protected_set own_descriptors;
// Descriptors of others: the driver's; and, in a child of fork(), those of its parent's runtimes. Their owners close
// them without notice, and Linux may then give a number to a kernel.
inline protected_set foreign_descriptors;

// A descriptor of the host's own, closed at its end.
class own_descriptor {
 public:
  own_descriptor() = default;
  explicit own_descriptor(int fd) { take(fd); }
  ~own_descriptor() { reset(); }
  own_descriptor(own_descriptor&& from) noexcept : fd_(std::exchange(from.fd_, -1)) {}
  // The number stays protected meanwhile.
  own_descriptor& operator=(own_descriptor&& from) noexcept {
    reset();
    fd_ = std::exchange(from.fd_, -1);
    return *this;
  }

  void take(int fd) {
    reset();
    fd_ = fd;
    if (fd >= 0) own_descriptors.add(static_cast<u64>(fd));
  }
  void reset() {
    if (fd_ < 0) return;
    const int fd = release();
    ::close(fd);
  }
  // The caller owns the descriptor from now on.
  int release() {
    if (fd_ >= 0) own_descriptors.remove(static_cast<u64>(fd_));
    return std::exchange(fd_, -1);
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

}  // namespace genesys::detail
