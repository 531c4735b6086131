// SPDX-License-Identifier: Apache-2.0
// The snapshot of one instance: what its kernel may write, as it was before the launch. It is copied in pieces, can
// stop after each and go on from there (the paper's Nr_store), and is copied back in the same pieces. The driver calls
// it under its lock.
#pragma once

#include <deque>
#include <vector>

#include "schedule/classify/launch_verdict.h"
#include "schedule/driver/execution.h"
#include "schedule/driver/snapshot_space.h"

namespace genesys::schedule {

class snapshot {
 public:
  snapshot(execution& with, snapshot_space& space, std::vector<range> write_set);
  ~snapshot();  // no copy is under way
  snapshot(const snapshot&) = delete;
  snapshot& operator=(const snapshot&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t stored_bytes() const { return stored_bytes_; }

  // Begins to copy what is not stored, or everything back.
  void store();
  void restore();
  // No more copies begin. Those under way end.
  void stop() { wanted_ = way::none; }
  // Lets copies go on: a few are under way at a time. True: none is, and none will begin before the next call of
  // store() or restore().
  bool is_idle();
  bool is_stored() const { return next_store_ == pieces_.size() && under_way_.empty(); }

 private:
  enum class way { none, store, restore };
  struct piece {
    std::byte* in_use;  // the kernel's memory
    std::size_t bytes;
    std::byte* kept;
  };
  struct copying {
    execution::mark mark;
    std::size_t bytes;  // that are stored when it has ended; 0: copied back
  };
  static constexpr std::size_t ahead_max = 4;  // copies under way: two run, and two wait in their streams

  execution& with_;
  snapshot_space& space_;
  std::vector<piece> pieces_;
  std::vector<void*> taken_;
  std::deque<copying> under_way_;
  std::size_t next_store_ = 0, next_restore_ = 0;
  std::uint64_t bytes_ = 0, stored_bytes_ = 0;
  way wanted_ = way::none;
};

}  // namespace genesys::schedule
