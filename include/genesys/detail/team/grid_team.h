// SPDX-License-Identifier: Apache-2.0
// The team of a grid: in each block the threads that have not left, which agree as a block does (team.h), and of all
// blocks one that makes the call (grid.h). A producer is made by the last block to come, and the others run on; a
// consumer by the first, and the others wait for it, if it is waited for.
#pragma once

#include "genesys/detail/team/team.h"

namespace genesys::detail::team {

template <ordering o>
class grid_team : public block_team<o> {
  using in_block = block_team<o>;
  static constexpr bool is_consumer = o == ordering::consumer;

 public:
  static constexpr scope_kind scope = scope_kind::grid;

  GENESYS_KERNEL explicit grid_team(const device_context& a) : in_block(a), context_(a) {}

  // After begin(): the block's part in the call. Known to the caller; of a producer, to all. `is_lasting`: with a
  // ticket.
  GENESYS_KERNEL void decide(u32 number, bool is_lasting) {
    if (this->is_leader()) {
      slot_ = decide_grid_call(context_, shared<block_state>().grid, number, !is_consumer, is_lasting);
      in_block::agreed().grid = slot_;
    }
    if constexpr (!is_consumer) {
      this->sync();
      slot_ = in_block::agreed().grid;
    }
  }
  GENESYS_KERNEL bool makes() const { return slot_.part == grid_role::makes; }
  GENESYS_KERNEL const grid_slot& slot() const { return slot_; }
  // Of a block that does not make the call: what it gets instead of waiting.
  GENESYS_KERNEL i64 skipped_result() const { return slot_.part == grid_role::refused ? -EAGAIN : -EINPROGRESS; }

  // The caller of a consumer in a block that does not make the call: its result.
  GENESYS_KERNEL i64 wait_for_maker() const {
    if (slot_.part == grid_role::refused) return -EAGAIN;
    const i64 value = wait_for_grid_call(context_, slot_.slot);
    pass_grid_call(context_, slot_.slot);
    return value;
  }

  GENESYS_KERNEL void gather() {
    in_block::gather();
    slot_ = in_block::agreed().grid;
  }
  // The last step of a consumer that was waited for.
  GENESYS_KERNEL void conclude(i64 value) const {
    if (this->is_leader() && makes()) {
      finish_grid_call(context_, slot_.slot, value);
      pass_grid_call(context_, slot_.slot);
    }
    this->part();
  }
  // Of a call that nobody waits for.
  GENESYS_KERNEL void forget() const {
    if (this->is_leader() && slot_.slot != 0) pass_grid_call(context_, slot_.slot);
  }

 private:
  const device_context& context_;
  grid_slot slot_{};
};

}  // namespace genesys::detail::team
