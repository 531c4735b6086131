// SPDX-License-Identifier: Apache-2.0
// What the layers of the plugin have in common: a store of blocks. Layers stand on each other (plugin.cpp builds the
// stack), and nbdkit's threads call the highest one, several at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <system_error>

namespace genesys::nbd {

using u64 = std::uint64_t;
using u32 = std::uint32_t;

constexpr u64 block_bytes = 4096;

// Offsets and sizes are in bytes and multiples of block_bytes, unless a store says otherwise. What fails throws
// std::system_error; its code is the answer to the client.
class block_store {
 public:
  virtual ~block_store() = default;

  virtual u64 bytes() const = 0;
  // Calls that overlap in a granule of so many bytes are made one after the other, unless both read.
  virtual u64 granule_bytes() const = 0;
  virtual void read(u64 offset, std::span<std::byte> into) = 0;
  virtual void write(u64 offset, std::span<const std::byte> from) = 0;
  // Afterwards the range reads as zeros. `gives_back`: its space may be given back; if not, it stays taken.
  virtual void zero(u64 offset, u64 bytes, bool gives_back) = 0;
  // Afterwards the range may read as anything. Gives space back, if that is wanted.
  virtual void trim(u64 offset, u64 bytes) = 0;
  // What was written before is durable afterwards.
  virtual void flush() = 0;
  // The last call: nobody reads or writes any more.
  virtual void close() = 0;
};

[[noreturn]] inline void fail(int number, const char* what) {
  throw std::system_error(number, std::generic_category(), what);
}

}  // namespace genesys::nbd
