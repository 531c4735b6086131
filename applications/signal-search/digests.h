// SPDX-License-Identifier: Apache-2.0
// Threads of the CPU that compute SHA-512 of units of the file. Any thread may give them units.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "options.h"
#include "support/threads.h"

namespace search {

// The file as it was when the search began.
struct input {
  int fd;
  std::uint64_t bytes;
  std::uint32_t units;
};

class digests {
 public:
  using digest = std::array<unsigned char, 64>;

  digests(const settings& chosen, const input& from, unsigned threads);
  ~digests();
  digests(const digests&) = delete;
  digests& operator=(const digests&) = delete;

  void add(std::uint32_t unit);
  // No more will be added: waits until all are there, and returns them, sorted by unit. Throws std::runtime_error: a
  // unit cannot be read, or the file was cut.
  std::vector<std::pair<std::uint32_t, digest>> finish();

 private:
  void serve();
  void end();

  const settings& chosen_;
  const input from_;
  std::mutex lock_;  // of what follows
  std::condition_variable changed_;
  std::deque<std::uint32_t> waiting_;
  std::vector<std::pair<std::uint32_t, digest>> done_;
  std::string wrong_;
  bool ends_ = false;
  std::optional<application::thread_group> threads_;
};

}  // namespace search
