// SPDX-License-Identifier: Apache-2.0
// Mappings that a kernel has given up, but that CUDA would not let go before the kernel ends (cudaHostUnregister waits
// for it). They are held here, within bounds, until no run is in flight. Used by mappings, under its lock.
#pragma once

#include <list>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

class quarantine {
 public:
  // Addresses that nobody may use, and memory that is taken all the same.
  struct held {
    u64 begin, bytes;
  };

  quarantine(u64 bytes_max, u64 count_max) : bytes_max_(bytes_max), count_max_(count_max) {}

  // False: there is no room left; nothing is held then.
  bool take(const held& one) {
    if (all_.size() >= count_max_ || one.bytes > bytes_max_ || bytes_ > bytes_max_ - one.bytes) return false;
    std::list<held> entry{one};
    take_always(entry);
    return true;
  }
  // What cannot be used, but has to be let go some time. (The entry becomes a part of it: no memory is needed.)
  void take_always(std::list<held>& entry) {
    bytes_ += entry.front().bytes;
    all_.splice(all_.end(), entry);
  }

  // No run is in flight: what was held is the caller's to let go.
  std::list<held> release() {
    bytes_ = 0;
    std::list<held> all;
    all.swap(all_);
    return all;
  }

  u64 bytes() const { return bytes_; }

 private:
  const u64 bytes_max_, count_max_;
  u64 bytes_ = 0;
  std::list<held> all_;
};

}  // namespace genesys::detail
