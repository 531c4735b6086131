// SPDX-License-Identifier: Apache-2.0
// The PTX that the rewriter inserts into one kernel. All names begin with a prefix that the text does not have.
#pragma once

#include <string>
#include <string_view>

#include "schedule/rewrite/inserted_text.h"
#include "schedule/rewrite/poll_plan.h"

namespace genesys::schedule {

class poll_text {
 public:
  // prefix: `genesys_`
  poll_text(std::string prefix, const poll_plan& plan, const rewrite_settings& settings)
      : prefix_(std::move(prefix)), plan_(plan), settings_(settings) {}

  // The declaration of launch_context.
  static std::string parameter(std::string_view prefix);
  static constexpr int declarations = 3;  // statements of entry() that are no instructions
  // Behind the brace that opens the body: registers, and the poll at the entry. A kernel with polls in loops also
  // starts its clock there.
  std::string entry() const;
  // In place of a barrier.
  std::string vote(const planned_vote& one, const sync_point& barrier);
  // For a vote in one of several passes: what stands before the barrier. `done`: a label behind it.
  std::string stripped_vote(const planned_vote& one, const sync_point& barrier, const std::string& done);
  // Before a step of a warp.
  std::string warp_vote(const planned_warp_vote& one);
  // Before the first instruction of a loop.
  std::string poll(const planned_poll& one);
  // For a loop that is strip-mined: behind the poll, and where the inner loop ends.
  std::string strip_begin(const strip& one, std::uint32_t iterations) const;
  std::string strip_end(const strip& one) const;
  // Before the brace that closes the body: what a thread does that leaves. It comes last.
  std::string leave() const;

  // A label that no text has.
  std::string new_label();

 private:
  std::string expanded(std::string_view text) const { return schedule::expanded(text, prefix_); }
  std::string load_context(std::string_view into, std::uint32_t offset) const;
  std::string block_number() const { return expanded(block_number_text); }
  std::string address_of_flag() const;
  std::string limit_of(const strip& one) const;
  std::string test_and_look(bool looks, bool fresh);
  // If threads leave only by votes of the block, it is enough that the threads of one warp look. A block whose first
  // warp has ended is not aborted any more; it runs to its end.
  bool one_warp_looks() const { return !plan_.votes.empty() && plan_.polls.empty() && plan_.warp_votes.empty(); }
  std::string way_out(bool arrives);
  bool has_arrivals() const { return plan_.arrive_at >= 0; }
  std::string counted(bool at_entry, const std::string& end) const;
  std::string skip_until_due(std::string_view label, std::uint32_t gap_clocks) const;

  std::string prefix_;
  const poll_plan& plan_;
  const rewrite_settings& settings_;
  int labels_ = 0;
  int ways_out_ = 0;
};

}  // namespace genesys::schedule
