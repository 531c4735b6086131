// SPDX-License-Identifier: Apache-2.0
// The driver's part for other processes: one instance stands for all that are more important and busy.
#include "schedule/driver/driver.h"

namespace genesys::schedule {

// The task exists from now on; while no more important process exists it is the least important one.
void driver::set_outside(outside_hooks* hooks) {
  const std::lock_guard hold(lock_);
  outside_ = hooks;
  if (hooks == nullptr || outside_task_ != 0) return;
  outside_task_ = ++last_task_;
  tasks_[outside_task_].latch = detail::aborts::latches_max - 1;  // its launches are never aborted
  set_outside_nice(nice_least);
  handle_events();
}

void driver::set_outside_nice(int nice) {
  tasks_.at(outside_task_).nice = nice;
  revise();
  events_.push_back({.kind = event_kind::task_added, .task = outside_task_, .nice = nice});
}

void driver::expect_outside(bool is_expected) {
  const std::lock_guard hold(lock_);
  set_outside_nice(is_expected || outside_instance_ != 0 ? nice_emergency : nice_least);
  handle_events();
}

void driver::occupy() {
  const std::lock_guard hold(lock_);
  occupy_now();
  handle_events();
}

void driver::occupy_now() {
  if (outside_instance_ != 0 || failed_ != nullptr) return;
  set_outside_nice(nice_emergency);
  outside_instance_ = ++last_instance_;
  outside_begun_ = outside_released_ = false;
  running& one = instances_[outside_instance_];
  one.task = outside_task_;
  one.done = std::make_shared<completion>();
  ++tasks_.at(outside_task_).unfinished;
  events_.push_back({.kind = event_kind::submitted, .task = outside_task_, .instance = outside_instance_});
}

void driver::begin_outside(instance_id id, running& one) {
  outside_begun_ = true;
  events_.push_back({.kind = event_kind::started, .instance = id, .attempt = one.attempt});
  if (outside_released_) {
    outside_instance_ = 0;
    events_.push_back({.kind = event_kind::finished, .instance = id, .attempt = one.attempt});
  }
}

void driver::release() {
  const std::lock_guard hold(lock_);
  if (outside_instance_ == 0) return;
  outside_released_ = true;
  if (!outside_begun_) return;  // it ends when it begins
  const instance_id id = std::exchange(outside_instance_, instance_id{0});
  events_.push_back({.kind = event_kind::finished, .instance = id, .attempt = instances_.at(id).attempt});
  handle_events();
}

bool driver::is_occupied() const {
  const std::lock_guard hold(lock_);
  return outside_instance_ != 0;
}

bool driver::has_drained() const {
  const std::lock_guard hold(lock_);
  return levels_.empty();
}

}  // namespace genesys::schedule
