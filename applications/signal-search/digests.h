// SPDX-License-Identifier: Apache-2.0
// Threads of the CPU that compute SHA-512 of units of the file. Any thread may give them units.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace search {

class digests {
 public:
  using digest = std::array<unsigned char, 64>;

  digests(int fd, std::size_t unit_bytes, unsigned threads);
  ~digests();
  digests(const digests&) = delete;
  digests& operator=(const digests&) = delete;

  void add(std::uint32_t unit);
  // No more will be added: waits until all are there, and returns them, sorted by unit. Throws std::runtime_error: a
  // unit cannot be read.
  std::vector<std::pair<std::uint32_t, digest>> finish();

 private:
  void serve();

  const int fd_;
  const std::size_t unit_bytes_;
  std::mutex lock_;  // of what follows
  std::condition_variable changed_;
  std::deque<std::uint32_t> waiting_;
  std::vector<std::pair<std::uint32_t, digest>> done_;
  std::string wrong_;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace search
