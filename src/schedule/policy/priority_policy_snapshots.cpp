// SPDX-License-Identifier: Apache-2.0
// priority_policy: which snapshots are taken, and where their space comes from.
#include <algorithm>

#include "schedule/policy/priority_policy.h"

namespace genesys::schedule {

bool priority_policy::has_more_important(int nice) const {
  return std::any_of(tasks_.begin(), tasks_.end(), [&](const auto& each) { return each.second.nice < nice; });
}

unsigned priority_policy::count(instance_state state) const {
  return static_cast<unsigned>(std::count_if(tasks_.begin(), tasks_.end(), [&](const auto& each) {
    return each.second.oldest() != nullptr && each.second.oldest()->state == state;
  }));
}

// A short launch that is drained costs a more important instance at most its run, and its own task no snapshot.
bool priority_policy::is_undivided(const instance& one) const {
  const time_ns run = one.run_estimate();
  if (run == 0 || run > options_.undivided_max || options_.snapshot_share_max == 0) return false;
  const double snapshot = static_cast<double>(one.facts.snapshot_bytes) / options_.copy_bytes_per_ns;
  return snapshot > options_.snapshot_share_max * static_cast<double>(run);
}

// What is left of its snapshot is short enough to hold others back.
bool priority_policy::is_short(const instance& one) const {
  const auto left = static_cast<double>(one.facts.snapshot_bytes - one.stored_bytes);
  return options_.hold_max != 0 && left / options_.copy_bytes_per_ns <= static_cast<double>(options_.hold_max);
}

// A snapshot is of use only if a more important task may abort the kernel, and its abort needs a roll-back.
bool priority_policy::may_be_restored(const task& of, const instance& one) const {
  return one.facts.abortable && !one.facts.idempotent && !of.is_emergency() && has_more_important(of.nice);
}

bool priority_policy::needs_snapshot(const task& of, const instance& one) const {
  return may_be_restored(of, one) && !is_undivided(one);
}

bool priority_policy::would_be_abortable(const instance& one) const {
  return one.facts.abortable && (one.facts.idempotent || one.state == instance_state::prepared);
}

// While an instance is not launched, memory is as in its snapshot, so the snapshot can be taken again.
bool priority_policy::is_discardable(const instance& one) const {
  return one.holds_space && (one.state == instance_state::prepared || one.state == instance_state::waiting);
}

// Whether there is space for its snapshot, or would be without snapshots of less important tasks.
bool priority_policy::can_have_space(const task& of, const instance& one) const {
  if (one.holds_space) return true;
  std::uint64_t needed = held_bytes_ + one.facts.snapshot_bytes;
  for (const auto& [id, other] : tasks_) {
    const instance* const first = other.oldest();
    if (other.nice > of.nice && first != nullptr && is_discardable(*first)) needed -= first->facts.snapshot_bytes;
  }
  return needed <= options_.snapshot_space_bytes;
}

void priority_policy::discard(instance& one, actions& out) {
  held_bytes_ -= one.facts.snapshot_bytes;
  one.holds_space = false;
  one.stored_bytes = 0;
  out.push_back({.kind = action_kind::discard_snapshot, .instance = one.id});
}

void priority_policy::stop(instance& one, time_ns now, actions& out) {
  counted_[one.facts.kernel].snapshot_ns += now - one.since;
  one.enter(instance_state::stopping, now);
  out.push_back({.kind = action_kind::stop_snapshot, .instance = one.id});
}

// Stops the least important snapshot in preparation that is less important than `nice`. False: there is none, or too
// many are stopping.
bool priority_policy::stop_one(int nice, time_ns now, actions& out) {
  if (count(instance_state::stopping) >= options_.transactions_max) return false;
  instance* least = nullptr;
  for (auto& [id, of] : tasks_) {
    instance* const first = of.oldest();
    if (first == nullptr || first->state != instance_state::snapshotting || of.nice <= nice) continue;
    if (least == nullptr || of.nice > tasks_.at(least->task).nice) least = first;
  }
  if (least == nullptr) return false;
  stop(*least, now, out);
  return true;
}

// The snapshots of less important instances would take a share of the copies from the one that others are held back
// for.
void priority_policy::stop_held_back(time_ns now, actions& out) {
  if (!holder_) return;
  for (auto& [id, of] : tasks_) {
    instance* const first = of.oldest();
    if (first == nullptr || first->state != instance_state::snapshotting) continue;
    if (!is_held_back({&of, first, of.effective_nice(now, options_)})) continue;
    if (count(instance_state::stopping) >= options_.transactions_max) return;
    stop(*first, now, out);
  }
}

// Only the oldest instance of a task can have a snapshot: the earlier ones would change what it copies.
// Returns whether a snapshot began. `before_launches`: what is prepared may be launched in this event, so its snapshot
// is not discarded for a long one.
bool priority_policy::prepare(bool before_launches, time_ns now, actions& out) {
  std::vector<candidate> wanting;
  for (auto& [id, of] : tasks_) {
    instance* const first = of.oldest();
    if (first != nullptr && first->state == instance_state::waiting && needs_snapshot(of, *first))
      wanting.push_back({&of, first, of.effective_nice(now, options_)});
  }
  bool has_begun = false;
  if (wanting.empty()) return false;
  std::sort(wanting.begin(), wanting.end());
  if (before_launches) find_holder(candidates(now), now);
  for (const candidate& one : wanting) {
    if (!can_have_space(*one.of, *one.next) || is_held_back(one)) continue;
    const bool has_space =
        one.next->holds_space || held_bytes_ + one.next->facts.snapshot_bytes <= options_.snapshot_space_bytes;
    if (before_launches && !has_space && !is_short(*one.next)) return has_begun;
    if (count(instance_state::snapshotting) >= options_.transactions_max && !stop_one(one.of->nice, now, out)) continue;
    while (!one.next->holds_space && held_bytes_ + one.next->facts.snapshot_bytes > options_.snapshot_space_bytes) {
      instance* least = nullptr;
      for (auto& [id, other] : tasks_) {
        instance* const first = other.oldest();
        if (first == nullptr || other.nice <= one.of->nice || !is_discardable(*first)) continue;
        if (least == nullptr || other.nice > tasks_.at(least->task).nice) least = first;
      }
      if (least->state == instance_state::prepared) least->enter(instance_state::waiting, now);
      ++counted_[least->facts.kernel].snapshots_discarded;
      discard(*least, out);
    }
    if (!one.next->holds_space) held_bytes_ += one.next->facts.snapshot_bytes;
    one.next->holds_space = true;
    one.next->enter(instance_state::snapshotting, now);
    out.push_back(
        {.kind = action_kind::prepare_snapshot, .instance = one.next->id, .stored_bytes = one.next->stored_bytes});
    find_holder(candidates(now), now);
    has_begun = true;
  }
  return has_begun;
}

}  // namespace genesys::schedule
