// SPDX-License-Identifier: Apache-2.0
// The team of a grid: in each block the threads that have not left, which agree as a block's team does (team.h), and
// among all blocks the one that makes the call (grid_call.h). A producer's call is made by the last block to arrive,
// and the others go on. A consumer's is made by the first, and the others wait for its result, unless the call is
// posted.
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

  // After begin(): determines the block's part in the call. The leader knows it; for a producer, all threads.
  // `is_lasting`: the call has a ticket.
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
  // The result in a block that does not make the call and does not wait for it.
  GENESYS_KERNEL i64 skipped_result() const { return slot_.part == grid_role::refused ? -EAGAIN : -EINPROGRESS; }

  // The leader of a consumer, in a block that does not make the call: waits for the result.
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
  // The last step of a consumer's blocking call.
  GENESYS_KERNEL void conclude(i64 value) const {
    if (this->is_leader() && makes()) {
      finish_grid_call(context_, slot_.slot, value);
      pass_grid_call(context_, slot_.slot);
    }
    this->part();
  }
  // The last step of a posted call.
  GENESYS_KERNEL void forget() const {
    if (this->is_leader() && slot_.slot != 0) pass_grid_call(context_, slot_.slot);
  }

 private:
  const device_context& context_;
  grid_slot slot_{};
};

}  // namespace genesys::detail::team
