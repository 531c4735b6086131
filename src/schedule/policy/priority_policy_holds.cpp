// SPDX-License-Identifier: Apache-2.0
// priority_policy: what waits although the GPU could run it, because it would be in the way. Each wait has a bound.
//
//   hold   A snapshot is short and its instance would be launched if it were stored: the holder. Copies are kernels,
//          too, and would wait for the blocks of what is launched beside them. So what is less important is not
//          launched, and is neither copied nor rolled back. At most hold_max for each launch of the holder.
//   gap    A task launches one instance after the other, and the next one mostly comes soon after the end of the last
//          one. A launch in the gap that cannot end in it would be aborted, or its blocks would delay the next
//          instance. So would a launch behind one that is in the GPU. At most gap_max after the end of an instance, or
//          gap_not_abortable_max.
#include <algorithm>

#include "schedule/policy/priority_policy.h"

namespace genesys::schedule {

// `launchable`: in their order. If one of them comes before each such snapshot, none is on the critical path.
void priority_policy::find_holder(const std::vector<candidate>& launchable, time_ns now) {
  holder_.reset();
  for (auto& [id, of] : tasks_) {
    instance* const first = of.oldest();
    if (first == nullptr || first->state != instance_state::snapshotting) continue;
    // What is launched after such a wait is not aborted for the same snapshot.
    if (!is_short(*first) || first->held_idle >= options_.hold_max || held(*first) >= options_.hold_max) continue;
    const candidate one{&of, first, of.effective_nice(now, options_)};
    if (!holder_ || one < *holder_) holder_ = one;
  }
  if (!holder_) return;
  if (!may_precede(*holder_, true) || (!launchable.empty() && launchable.front() < *holder_)) holder_.reset();
}

// What it would preempt at its launch makes way now, so that its snapshot has the GPU.
void priority_policy::make_way_for_holder(time_ns now, actions& out) {
  if (!holder_->next->is_holder) ++counted_[holder_->next->facts.kernel].holds;
  holder_->next->is_holder = true;
  (void)make_way(*holder_, false, now, out);
}

// What cannot be aborted may run beside a snapshot for long. That time does not count against the time for which the
// GPU may wait, but less important instances that would preempt it are not held back for longer either.
time_ns& priority_policy::held(instance& holder) const { return has_live() ? holder.held_beside : holder.held_idle; }

// A launch behind another one of its task is not urgent. It would run beside a snapshot of a more important instance.
bool priority_policy::has_better_snapshot(const candidate& one) const {
  return std::any_of(tasks_.begin(), tasks_.end(), [&](const auto& each) {
    const instance* const first = each.second.oldest();
    return each.second.nice < one.of->nice && first != nullptr && first->state == instance_state::snapshotting;
  });
}

// Less important, with aging and without.
bool priority_policy::is_held_back(const candidate& one) const {
  return holder_ && one.of->nice > holder_->of->nice && *holder_ < one;
}

// If another task has a launch in the GPU, the gap is over, or that launch would be preempted.
bool priority_policy::is_in_gap(const candidate& one, time_ns now) {
  const auto is_of_other = [&](const instance* other) { return other->is_live() && other->task != one.of->id; };
  if (std::any_of(in_gpu_.begin(), in_gpu_.end(), is_of_other)) return false;
  if (one.next->facts.leaves_space) return false;
  if (one.nice <= nice_most) return false;  // whatever its nice value, aging has an end
  const kernel_times& times = one.next->facts.times;
  if (times.block != 0 && times.block <= options_.drain_max) return false;  // it leaves soon, and keeps what it did
  // Pauses vary, and a launch that cannot be aborted may stay for long. To wait as long as it delays others is at most
  // twice as bad as to know the pause.
  time_ns most = options_.gap_max;
  if (!would_be_abortable(*one.next))
    most = std::max(most, std::min(options_.gap_not_abortable_max, times.block != 0 ? times.block : never));
  for (const auto& [id, of] : tasks_) {
    if (of.nice >= one.nice || !of.is_in_gap(options_)) continue;
    if (now >= of.empty_since + most || (times.run != 0 && times.run <= of.gap)) continue;
    gap_until_ = std::min(gap_until_, of.empty_since + most);
    return true;
  }
  return false;
}

// The copies of a roll-back would be in the way of the holder's snapshot.
void priority_policy::roll_back(time_ns now, actions& out) {
  std::erase_if(roll_backs_, [&](instance* one) {
    task& of = tasks_.at(one->task);
    if (is_held_back({&of, one, of.effective_nice(now, options_)})) return false;
    one->since = now;
    out.push_back({.kind = action_kind::roll_back, .instance = one->id});
    return true;
  });
}

}  // namespace genesys::schedule
