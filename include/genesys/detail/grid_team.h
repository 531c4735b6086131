// SPDX-License-Identifier: Apache-2.0
// The team of a grid: in each block the threads that have not left, which agree as a block does (team.h), and of all
// blocks one that makes the call (grid.h). A producer is made by the last block to come, and the others run on; a
// consumer by the first, and the others wait for it, if it is waited for.
#pragma once

#include "genesys/detail/team.h"

namespace genesys::detail {

template <ordering o>
class grid_team : public block_team<o> {
  using in_block = block_team<o>;
  static constexpr bool is_consumer = o == ordering::consumer;

 public:
  static constexpr scope_kind scope = scope_kind::grid;

  GENESYS_KERNEL explicit grid_team(const area& a) : in_block(a), area_(a) {}

  // After begin(): the block's part in the call. Known to the caller; of a producer, to all. `is_lasting`: with a
  // ticket.
  GENESYS_KERNEL void sit_down(u32 number, bool is_lasting) {
    if (this->is_caller()) {
      seat_ = take_seat(area_, shared<block_state>().grid, number, !is_consumer, is_lasting);
      in_block::agreed().seat = seat_;
    }
    if constexpr (!is_consumer) {
      this->meet();
      seat_ = in_block::agreed().seat;
    }
  }
  GENESYS_KERNEL bool makes() const { return seat_.part == grid_part::makes; }
  GENESYS_KERNEL const grid_seat& seat() const { return seat_; }
  // Of a block that does not make the call: what it gets instead of waiting.
  GENESYS_KERNEL i64 left_out() const { return seat_.part == grid_part::refused ? -EAGAIN : -EINPROGRESS; }

  // The caller of a consumer in a block that does not make the call: its result.
  GENESYS_KERNEL i64 await_maker() const {
    if (seat_.part == grid_part::refused) return -EAGAIN;
    const i64 value = await_seat(area_, seat_.slot);
    pass_seat(area_, seat_.slot);
    return value;
  }

  GENESYS_KERNEL void gather() {
    in_block::gather();
    seat_ = in_block::agreed().seat;
  }
  // The last step of a consumer that was waited for.
  GENESYS_KERNEL void conclude(i64 value) const {
    if (this->is_caller() && makes()) {
      publish_seat(area_, seat_.slot, value);
      pass_seat(area_, seat_.slot);
    }
    this->part();
  }
  // Of a call that nobody waits for.
  GENESYS_KERNEL void forget() const {
    if (this->is_caller() && seat_.slot != 0) pass_seat(area_, seat_.slot);
  }

 private:
  const area& area_;
  grid_seat seat_{};
};

}  // namespace genesys::detail
