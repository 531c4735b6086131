// SPDX-License-Identifier: Apache-2.0
// What the recorder has for its file and the file has not taken yet. The recorder's thread uses it; any thread reads
// the counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace genesys::trace {

class recording_output {
 public:
  // Throws bad_alloc. `file` does not block, and stays the caller's.
  void begin(int file);

  // Whether there is space for another section.
  bool has_space() const { return bytes_.size() < space_bytes; }
  void put(const void* from, std::size_t bytes);
  // What was put has so many calls more.
  void add_calls(std::uint64_t count) { calls_ += count; }
  void add_dropped(std::uint64_t count) { dropped_.fetch_add(count, std::memory_order_relaxed); }

  // Writes what the file takes. If it takes nothing (a pipe whose reader is slow), waits for it at most so long. False:
  // something is left. After an error (a full disk) all that is put is dropped, and counted.
  bool write(int wait_ms);
  // Drops what is left, and all that follows.
  void give_up();

  std::uint64_t written() const { return written_.load(std::memory_order_relaxed); }  // calls in files
  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }  // calls that are lost
  int error() const { return error_.load(std::memory_order_relaxed); }                // errno of this file, or 0

 private:
  static constexpr std::size_t space_bytes = 1 << 20, section_bytes_max = 1 << 17;

  int file_ = -1;
  std::vector<char> bytes_;
  std::size_t sent_ = 0;  // of them
  std::uint64_t calls_ = 0;
  std::atomic<std::uint64_t> written_{0}, dropped_{0};
  std::atomic<int> error_{0};
};

}  // namespace genesys::trace
