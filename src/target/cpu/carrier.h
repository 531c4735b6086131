// SPDX-License-Identifier: Apache-2.0
// The scheduler of one OS thread: takes blocks, gives their threads turns in random order, ends blocks. Everything runs
// on the carrier's own OS thread, except functions that are marked (host) or (monitor).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "target/cpu/block.h"
#include "target/cpu/fiber.h"
#include "target/cpu/launches.h"

namespace genesys::detail::cpu {

class carrier : public carrier_link {
 public:
  /// At most `warps_max` warps are resident; a block with more warps runs alone. (host)
  carrier(unsigned index, unsigned warps_max, std::size_t stack_bytes, std::uint64_t seed, launches&);

  /// The OS thread's function: returns when the launches are closed and all blocks have ended.
  void work();

  /// How many warp hints one carrier has. Carrier i has those from i times this number on. (host)
  static unsigned hints(unsigned warps_max) { return warps_max > block_warps_max ? warps_max : block_warps_max; }
  /// How many threads are resident. (monitor)
  unsigned threads_resident() const { return threads_resident_; }

 private:
  bool admit();
  void let_others_run(bool all_wait);
  void begin(resident_block&, const launch_state&);
  void end(resident_block&);
  resident_block* empty_block();
  void round();
  void draw(std::size_t position);
  std::uint32_t random_below(std::uint32_t limit);

  launches& launches_;
  const unsigned warps_max_;
  std::uint64_t random_;
  std::optional<stack_pool> stacks_, errand_stacks_;
  std::unique_ptr<std::byte[]> signal_stack_;

  std::vector<fiber*> ready_, next_;  // fibers with a turn in this round, in the next one
  std::unique_ptr<fiber[]> fibers_;
  std::vector<fiber*> free_fibers_;
  std::deque<resident_block> blocks_;
  std::vector<resident_block*> free_blocks_;
  std::vector<unsigned> free_hints_;
  unsigned blocks_resident_ = 0, warps_resident_ = 0;
  relaxed<unsigned> threads_resident_;
  bool only_pauses_ = false;  // all turns of the last round ended in pause()
  unsigned rounds_without_work_ = 0;
};

}  // namespace genesys::detail::cpu
