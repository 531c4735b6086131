// SPDX-License-Identifier: Apache-2.0
// The highest layer: requests of any offset and size become whole blocks, and those that overlap wait for each other.
// nbdkit's threads call it, several at once.
#pragma once

#include <array>
#include <memory>
#include <shared_mutex>

#include "block_store.h"

namespace genesys::nbd {

class whole_blocks {
 public:
  explicit whole_blocks(std::unique_ptr<block_store> below) : below_(std::move(below)) {}

  u64 bytes() const { return below_->bytes(); }
  void read(u64 offset, std::span<std::byte> into);
  void write(u64 offset, std::span<const std::byte> from);
  void zero(u64 offset, u64 bytes, bool gives_back);
  void trim(u64 offset, u64 bytes);  // of the whole blocks in the range
  void flush() { below_->flush(); }
  void close() { below_->close(); }

 private:
  static constexpr u64 locks_count = 64;

  // Holds the locks of a range's granules, each once and the lowest first, so that no two holders wait for each other.
  class held;

  // `edit` gets the whole block in which [offset, offset + bytes) lies.
  template <class Edit>
  void edit_block(u64 offset, Edit edit);

  std::unique_ptr<block_store> below_;
  std::array<std::shared_mutex, locks_count> locks_;
};

}  // namespace genesys::nbd
