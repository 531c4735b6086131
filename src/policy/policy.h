// SPDX-License-Identifier: Apache-2.0
// What a kernel may not ask for, whatever it writes: calls that would end or replace the process or change the OS
// thread of a worker, and descriptors that belong to the runtime. Asked by the executor before each call. (Profiles
// come later.)
#pragma once

#include <array>
#include <atomic>

#include "genesys/detail/protocol.h"

namespace genesys::detail {

class policy {
 public:
  // Whether the call with this number is never made; the answer is -EOPNOTSUPP.
  static bool refuses(u32 number);

  // Descriptors that kernels cannot reach: for them they are closed (-EBADF). Set-up may add to them at any time.
  void protect(int fd);
  void release(int fd);
  bool is_protected(u64 fd) const {
    const auto low = static_cast<u32>(fd);  // as Linux does
    return low < descriptors_max && ((words_[low / 64].load(std::memory_order_relaxed) >> low % 64) & 1) != 0;
  }

 private:
  static constexpr u32 descriptors_max = 1u << 16;
  std::array<std::atomic<u64>, descriptors_max / 64> words_{};
};

}  // namespace genesys::detail
