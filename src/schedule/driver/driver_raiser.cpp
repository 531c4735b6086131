// SPDX-License-Identifier: Apache-2.0
// The driver's part that has the resident raiser come and go. Everything here runs under the driver's lock.
#include <algorithm>

#include "schedule/driver/driver.h"

namespace genesys::schedule {

// The resident raiser is there while some launch wants it: one that may be aborted. It takes a place from other blocks,
// and its multiprocessor may have none at all, because its shared memory is divided already. So blocks that come in one
// wave may come in two beside it. A launch that nobody aborts has all places. One that may be aborted has the raiser
// beside it if that costs little; otherwise a copy raises its flag, which takes some microseconds longer.
void driver::begin_beside_raiser(running& one) {
  if (raiser_ == nullptr) return;
  see_raiser_leave();
  const bool may_be_aborted = one.has_context && has_more_important(one.task), is_crowded = loses_places_to_raiser(one);
  one.wants_raiser = may_be_aborted && (!is_crowded || learnt_.bears_raiser(one.key));
  if (one.wants_raiser) {
    if (levels_.empty()) start_raiser();  // it becomes resident at once
  } else if (is_crowded && raiser_mark_ != 0 && !some_launch_wants_raiser()) {
    stop_raiser();
  }
}

// Its blocks are all resident at a time without the raiser, or come in fewer waves.
bool driver::loses_places_to_raiser(const running& one) {
  const auto code = one.timing != block_timer::none ? execution::code::timed
                    : one.has_context               ? execution::code::instrumented
                                                    : execution::code::plain;
  const std::uint64_t places = with_->blocks_at_a_time(one.request.what, code);
  if (places == 0) return false;
  const std::uint64_t left = places - places / std::max(1U, with_->limits().multiprocessors);
  return one.key.blocks <= places || (left != 0 && (one.key.blocks - 1) / places < (one.key.blocks - 1) / left);
}

bool driver::has_more_important(task_id task) const {
  const int nice = tasks_.at(task).nice;
  return std::any_of(tasks_.begin(), tasks_.end(), [nice](const auto& each) { return each.second.nice < nice; });
}

bool driver::some_launch_wants_raiser() const {
  return std::any_of(levels_.begin(), levels_.end(), [this](const auto& level) {
    return std::any_of(level.second.begin(), level.second.end(),
                       [this](instance_id id) { return instances_.at(id).wants_raiser; });
  });
}

void driver::start_raiser() {
  if (raiser_mark_ == 0) raiser_mark_ = with_->start_raiser(raiser_->start());
}

void driver::stop_raiser() {
  if (raiser_mark_ == 0 || raiser_stops_) return;
  raiser_->stop();
  raiser_stops_ = true;
}

void driver::see_raiser_leave() {
  if (raiser_mark_ == 0 || !with_->passed(raiser_mark_)) return;
  with_->forget(raiser_mark_);
  raiser_mark_ = 0;
  raiser_stops_ = false;
  // N5: a raise that came after its last look is stored by a copy.
  for (const auto& [level, queue] : levels_) {
    for (const instance_id id : queue) {
      if (const running& one = instances_.at(id); one.raised) (void)aborts_.acknowledged(one.abort);
    }
  }
}

// It leaves now and then by itself, and comes back beside launches, too: it is the first to get a place. After some
// time without an instance it is asked to leave.
void driver::look_after_raiser() {
  constexpr time_ns idle_max = 5'000'000;
  if (raiser_ == nullptr) return;
  see_raiser_leave();
  if (raiser_mark_ == 0 && some_launch_wants_raiser()) start_raiser();
  if (instances_.empty() && with_->now() - last_change_ > idle_max) stop_raiser();
}

}  // namespace genesys::schedule
