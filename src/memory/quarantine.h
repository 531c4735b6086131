// SPDX-License-Identifier: Apache-2.0
// Host mappings that a kernel has unmapped, but that CUDA cannot release before the kernel ends (cudaHostUnregister
// waits for it). The quarantine holds them, within bounds, until no run is in flight. Used by mappings, under its lock.
#pragma once

#include <list>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

class quarantine {
 public:
  // Addresses that must not be used, and whose memory is still taken.
  struct held {
    u64 begin, bytes;
  };

  quarantine(u64 bytes_max, u64 count_max) : bytes_max_(bytes_max), count_max_(count_max) {}

  // False: the quarantine is full; it does not take the memory.
  bool take(const held& one) {
    if (all_.size() >= count_max_ || one.bytes > bytes_max_ || bytes_ > bytes_max_ - one.bytes) return false;
    std::list<held> entry{one};
    take_always(entry);
    return true;
  }
  // Takes memory that kernels cannot use but that must be released later. It splices the entry in, so it needs no
  // memory.
  void take_always(std::list<held>& entry) {
    bytes_ += entry.front().bytes;
    all_.splice(all_.end(), entry);
  }

  // Empties the quarantine. The caller must release the memory. No run may be in flight.
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
