// SPDX-License-Identifier: Apache-2.0
// The driver's part that chooses the code of a launch: with polls, or the original. Everything here runs under the
// driver's lock.
#include <algorithm>
#include <utility>

#include "schedule/driver/driver.h"

namespace genesys::schedule {

// Whether it can be aborted, as the policy is told. A launch that is to measure its blocks needs no decision on its
// polls before that.
kernel_facts driver::choose_code(running& one) {
  instance_request& request = one.request;
  kernel_facts facts{.kernel = request.kernel, .idempotent = request.idempotent, .times = learnt_[one.key]};
  const bool is_to_be_timed = request.what.timed_code != kernel_launch::timing::none && learnt_.wants_blocks(one.key);
  facts.abortable = one.has_verdict;
  one.leaves_space = facts.abortable && !is_to_be_timed && leaves_space(one);
  if (one.leaves_space || (!is_to_be_timed && is_short(one))) facts.abortable = false;
  if (facts.abortable && !facts.idempotent) {
    std::uint64_t bytes = 0;
    for (const range& each : request.write_set) bytes += each.bytes;
    const std::size_t pieces = snapshot_space::pieces_of(bytes);
    facts.snapshot_bytes = pieces * snapshot_space::piece_bytes;
    if (!reserve_for(tasks_.at(one.task), pieces)) facts.abortable = false;
  }
  facts.leaves_space = one.leaves_space;
  request.abortable = facts.abortable;
  return facts;
}

bool driver::is_short(const running& one) const {
  const time_ns block = learnt_[one.key].block;
  return block != 0 && block < options_.short_block;
}

// Whether all that more important tasks have launched is resident beside it: at once, or soon, when some of its blocks
// have left. Of a task that has not launched nothing is known.
bool driver::leaves_space(const running& one) {
  if (!options_.shares_multiprocessors) return false;
  const int nice = tasks_.at(one.task).nice;
  const bool are_known = std::all_of(tasks_.begin(), tasks_.end(), [nice](const auto& each) {
    return each.second.nice >= nice || each.second.has_launched;
  });
  const multiprocessor_limits on = with_->limits();
  if (!are_known || on.multiprocessors == 0) return false;
  const block_needs needs = with_->needs_of(one.request.what, execution::code::plain);
  const launch_shape own = shape_of(needs, one.key.blocks, on);
  launch_shape rest = own;
  while (!shapes_.all_fit_beside(rest, nice, on)) {
    // Blocks that run longer than others may have the other half of the places.
    if (2 * (own.resident - rest.resident + 1) > own.resident) return false;
    --rest.resident;
  }
  return rest == own || leave_soon(one, own.resident - rest.resident, own);
}

// Blocks that come in many waves do not leave all at a time: one by one, in equal intervals.
bool driver::leave_soon(const running& one, unsigned blocks, const launch_shape& own) const {
  constexpr std::uint64_t waves_least = 4;
  const std::uint64_t places = std::uint64_t{own.of.at_a_time} * with_->limits().multiprocessors;
  if (one.key.blocks < waves_least * places) return false;
  const time_ns run = learnt_[one.key].run, mean_block = run * places / one.key.blocks;
  return run != 0 && mean_block * blocks / own.resident <= options_.short_block;
}

// The code with polls may need more than the original.
void driver::note_shape(task_id task, const instance_request& request) {
  task_state& of = tasks_.at(task);
  const kernel_launch& what = request.what;
  const multiprocessor_limits on = with_->limits();
  if (on.multiprocessors == 0) return;
  const std::uint64_t blocks = std::uint64_t{what.blocks.x} * what.blocks.y * what.blocks.z;
  bool is_new = !std::exchange(of.has_launched, true);
  const auto add = [&](execution::code which) {
    is_new = shapes_.add(of.nice, shape_of(with_->needs_of(what, which), blocks, on)) || is_new;
  };
  add(execution::code::plain);
  if (request.abortable && what.instrumented != nullptr) add(execution::code::instrumented);
  if (what.timed_code != kernel_launch::timing::none && what.timed != nullptr) add(execution::code::timed);
  if (is_new) revise();
}

// Launches that wait, and were to leave space for what was known before.
void driver::revise() {
  for (auto each = space_left_.begin(); each != space_left_.end();) {
    running& one = instances_.at(*each);
    const kernel_facts facts = choose_code(one);
    if (one.leaves_space) {
      ++each;
      continue;
    }
    events_.push_back({.kind = event_kind::revised, .instance = *each, .facts = facts});
    each = space_left_.erase(each);
  }
}

}  // namespace genesys::schedule
