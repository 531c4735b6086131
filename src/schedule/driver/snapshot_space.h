// SPDX-License-Identifier: Apache-2.0
// Memory for snapshots, in pieces: device memory first, then pinned host memory. The driver reserves it when an
// instance is submitted, so that a snapshot never waits for an allocation. One thread at a time uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "target/device.h"

namespace genesys::schedule {

struct snapshot_limits {
  std::uint64_t device_bytes = std::uint64_t{8} << 30;
  std::uint64_t pinned_bytes = std::uint64_t{1} << 30;  // what does not fit spills there
};

class snapshot_space {
 public:
  // A snapshot is copied piece by piece. A piece is short enough that a copy of it holds up no kernel for long.
  static constexpr std::size_t piece_bytes = std::size_t{8} << 20;

  snapshot_space(detail::device& on, snapshot_limits limits) : on_(on), limits_(limits) {}
  ~snapshot_space();
  snapshot_space(const snapshot_space&) = delete;
  snapshot_space& operator=(const snapshot_space&) = delete;

  // How many pieces `bytes` take.
  static std::size_t pieces_of(std::uint64_t bytes) { return (bytes + piece_bytes - 1) / piece_bytes; }
  // Makes the space at least so many pieces large. False: it cannot be, and stays as it is.
  bool grow(std::size_t pieces);
  std::size_t pieces() const { return device_.size() + pinned_.size(); }
  std::size_t pinned_pieces() const { return pinned_.size(); }

  // Null: all are taken.
  void* take();
  void give(void* piece) { (is_pinned(piece) ? free_pinned_ : free_device_).push_back(piece); }

 private:
  bool is_pinned(const void* piece) const;
  detail::device& on_;
  const snapshot_limits limits_;
  std::vector<void*> device_, pinned_;  // pieces that exist
  std::vector<void*> free_device_, free_pinned_;
};

}  // namespace genesys::schedule
