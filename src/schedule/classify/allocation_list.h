// SPDX-License-Identifier: Apache-2.0
// The memory that kernels may be given, for the verdicts on launches: what genesys::scheduler has allocated, or what a
// program under the stand-in has. Any thread may call it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <shared_mutex>
#include <vector>

#include "schedule/classify/launch_verdict.h"

namespace genesys::schedule {

class allocation_list {
 public:
  // What overlaps it is removed: the driver has given those addresses out again.
  void add(std::uint64_t base, std::uint64_t bytes, allocation::kind what);
  // A piece of physical memory that is mapped into a reserved range. Pieces that touch are one allocation, because a
  // program uses them as one.
  void add_mapped(std::uint64_t base, std::uint64_t bytes);
  // The allocation that begins there. Whether there was one.
  bool remove(std::uint64_t base);
  // Whether the address is in one.
  bool holds(std::uint64_t address) const;
  // The part of mapped pieces that lies in the range.
  void remove_mapped(std::uint64_t base, std::uint64_t bytes);
  // A module has ended, and its variables with it.
  void remove_variables();
  // A context has ended, and its memory with it.
  void clear();
  // How often clear() was called.
  std::uint64_t times_cleared() const { return times_cleared_.load(std::memory_order_relaxed); }

  // Sorted by base, not overlapping.
  std::vector<allocation> copy() const;
  // A number that changes whenever the list does, so that a copy can be kept.
  std::uint64_t version() const;

 private:
  struct entry {
    std::uint64_t bytes;
    allocation::kind what;
    bool is_mapped;
  };
  void cut(std::uint64_t base, std::uint64_t end, bool keeps_rest);

  mutable std::shared_mutex changing_;
  std::map<std::uint64_t, entry> entries_;
  std::uint64_t version_ = 0;
  std::atomic<std::uint64_t> times_cleared_{0};
};

}  // namespace genesys::schedule
