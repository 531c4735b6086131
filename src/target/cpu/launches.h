// SPDX-License-Identifier: Apache-2.0
// Launches from their start to their end: which launch may begin (streams), which block is next, which host threads
// wait. Host threads add launches and wait; carriers take blocks and report their end. One lock guards it all. A launch
// takes the same memory whatever the size of its grid.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "genesys/detail/target/cpu.h"
#include "genesys/detail/wire/abort.h"
#include "target/cpu/block.h"

namespace genesys::detail::cpu {

struct launch_state {
  // Constant from the start.
  std::uint64_t number;  // counts the device's launches from 1
  dims grid, block;
  unsigned threads, warps;  // in a block
  std::uint64_t blocks;     // in the grid
  std::size_t shared_bytes;
  void* stream;
  std::function<void()> body;
  std::optional<aborts::launch_context> abort;  // the launch may end early (abort.h)

  // Under the lock.
  std::uint64_t blocks_taken = 0, blocks_ended = 0;
  std::vector<std::uint64_t> resident;   // blocks, by carrier
  std::uint64_t resident_max;            // of a carrier: its share, so that a small grid is spread
  std::shared_ptr<launch_state> itself;  // set when the last block has ended, for the janitor to drop

  std::atomic<bool> ended{false};
  sanitizers::order_tag began, finished;  // orders this launch's threads after and before others
};

class launches {
 public:
  explicit launches(unsigned carriers) : carriers_(carriers) {}

  // Host threads.
  std::shared_ptr<launch_state> add(dims grid, dims block, std::size_t shared_bytes, void* stream,
                                    std::function<void()> body, const aborts::launch_context* abort);
  bool wait(launch_state&, const unsigned* timeout_ms);
  static bool done(launch_state&);
  std::size_t pending() const;
  void wait_all();
  /// Wakes all carriers; their takes fail from now on.
  void close();

  // Carriers.
  /// Makes `place` the next block with at most free_warps warps. Null: there is none. With `sleep` it waits for one,
  /// and null means that the device is closed.
  launch_state* take(carrier_link&, unsigned free_warps, resident_block& place, bool sleep);
  /// A hint that take() would find a block.
  bool offers() const { return open_hint_ != 0; }
  bool is_closed() const;
  /// The block's threads have left, or the launch was aborted before the block began; `place` is empty again.
  void block_ended(carrier_link&, resident_block& place);

  /// Calls with(fiber) for the fiber that the carrier runs, if there is one. Its launch stays until with() returns.
  /// (monitor)
  void look_at_running(const carrier_link&, const std::function<void(const fiber&)>& with) const;

 private:
  struct stream {
    std::deque<std::shared_ptr<launch_state>> queue;  // the first one runs
    sanitizers::order_tag finished;                   // comes after all launches that have ended
  };
  // Under the lock.
  void open(launch_state&);
  launch_state* find(unsigned carrier, unsigned free_warps);

  const unsigned carriers_;
  mutable std::mutex mutex_;
  std::condition_variable work_, ended_;
  std::map<void*, stream> streams_;
  std::vector<launch_state*> open_;  // launches with blocks that no carrier has taken
  std::size_t turn_ = 0;             // find() takes from the open launches in rotation
  std::size_t pending_ = 0;
  std::uint64_t count_ = 0;
  bool closed_ = false;
  relaxed<std::size_t> open_hint_;
};

}  // namespace genesys::detail::cpu
