// SPDX-License-Identifier: Apache-2.0
// checker: for what the GPU may wait, and for how long; and what must not be beside a snapshot on the critical path.
#include <algorithm>

#include "checker.h"

namespace genesys::schedule {

// Without a launch in the GPU, all that could be launched is held back for a time that is bounded.
void checker::check_idle() {
  bool is_live = false, is_active = false;
  instance_id ready = 0, without_excuse = 0;
  for (const auto& [task, of] : unfinished_) {
    for (const instance_id id : of) {
      const truth& one = all_.at(id);
      is_live = is_live || (one.in_gpu && !one.abort_decided);
      is_active = is_active || one.in_gpu || one.rolls_back || one.kept == snapshot::copying ||
                  one.kept == snapshot::stopping || one.dirty;
    }
  }
  if (!is_live) {
    for (const auto& [task, of] : unfinished_) {
      // Where nothing else is under way, it could at least be prepared, or be launched without a snapshot.
      if (of.empty() || (is_active && !is_ready(of.front(), all_.at(of.front())))) continue;
      ready = of.front();
      if (!find_excuse(all_.at(ready))) without_excuse = ready;
    }
  }
  if (ready == 0) {
    idle_since_ = never;
    held_for_.clear();
    gaps_.clear();
    return;
  }
  if (without_excuse != 0) violate("work-conserving", without_excuse);
  idle_since_ = std::min(idle_since_, machine_->now());
  if (machine_->now() - idle_since_ > held_for_.size() * options_.hold_max + gaps_.size() * gap_most({}))
    violate("work-conserving", ready);
}

// It waits for a short snapshot of a more important instance, or for the next instance of a more important task.
bool checker::find_excuse(const truth& ready) {
  bool found = false;
  for (const auto& [id, one] : all_) {
    if (one.kept != snapshot::copying || !is_copied_soon(one) || nice_.at(one.task) >= nice_.at(ready.task)) continue;
    held_for_.insert(id);
    found = true;
  }
  if (found || !is_long(ready.kernel.told)) return found;
  for (const auto& [task, since] : ended_at_) {
    const auto of = unfinished_.find(task);
    if (nice_.at(task) >= nice_.at(ready.task) || (of != unfinished_.end() && !of->second.empty())) continue;
    if (machine_->now() - since > gap_most(ready.kernel.told)) continue;
    gaps_.insert({task, since});
    found = true;
  }
  return found;
}

bool checker::is_copied_soon(const truth& one) const {
  return static_cast<double>(one.kernel.told.snapshot_bytes - one.stored_before) / options_.copy_bytes_per_ns <=
         static_cast<double>(options_.hold_max);
}

// At most so long it waits in a gap. An idempotent kernel that polls can be aborted at any time.
time_ns checker::gap_most(const kernel_facts& facts) const {
  if (facts.abortable && facts.idempotent) return options_.gap_max;
  return std::max(options_.gap_max, options_.gap_not_abortable_max);
}

// Its blocks do not leave soon, as far as the policy is told.
bool checker::is_long(const kernel_facts& facts) const {
  return facts.times.block == 0 || facts.times.block > options_.drain_max;
}

// The GPU has a launch, or could have one, whose task has this nice value or is more important.
bool checker::has_launch_from(int nice) const {
  for (const auto& [task, of] : unfinished_) {
    if (nice_.at(task) > nice) continue;
    for (const instance_id id : of) {
      const truth& one = all_.at(id);
      if ((one.in_gpu && !one.abort_decided) || is_ready(id, one)) return true;
    }
  }
  return false;
}

// While a short snapshot is stored and nothing as important could run. Aging changes what is important, and scarce
// space what is stored first.
void checker::check_critical_path() {
  if (!checks_inversion_ || is_space_scarce_) return;
  for (const auto& [task, of] : unfinished_) {
    if (of.empty()) continue;
    const truth& copied = all_.at(of.front());
    if (copied.kept != snapshot::copying || !is_copied_soon(copied)) continue;
    if (machine_->now() - copied.copied_since >= options_.hold_max || has_launch_from(nice_.at(task))) continue;
    check_way_for(of.front(), copied);
  }
}

void checker::check_way_for(instance_id id, const truth& copied) {
  const int nice = nice_.at(copied.task);
  for (const instance_id other : launched_) {
    if (nice_.at(all_.at(other).task) > nice) violate("no launch beside a snapshot that is waited for", other);
  }
  for (const instance_id other : prepared_) {
    const truth& one = all_.at(other);
    if (other != id && one.kept == snapshot::copying && nice_.at(one.task) > nice)
      violate("no copy beside a snapshot that is waited for", other);
  }
  // What can only be aborted.
  instance_id must_leave = 0;
  for (const auto& [other, one] : all_) {
    if (!one.in_gpu || one.abort_decided) continue;
    const kernel_facts& facts = one.kernel.told;
    if (!facts.abortable || one.unprotected || facts.times.run != 0 || !is_long(facts)) return;
    must_leave = other;
  }
  if (must_leave != 0) violate("makes way for a snapshot that is waited for", must_leave);
}

}  // namespace genesys::schedule
