// SPDX-License-Identifier: Apache-2.0
#include "schedule/policy/priority_policy.h"

#include <algorithm>
#include <stdexcept>

#include "schedule/policy/preemption.h"

namespace genesys::schedule {

void priority_policy::handle(const event& what, time_ns now, actions& out) {
  if (now < now_) throw std::logic_error("genesys: time goes backwards");
  // Chosen before the event changes what is in the GPU.
  time_ns* const held_so_far = holder_ ? &held(*holder_->next) : nullptr;
  switch (what.kind) {
    case event_kind::task_added:
      on_task_added(what);
      break;
    case event_kind::task_removed:
      on_task_removed(what);
      break;
    case event_kind::submitted:
      on_submitted(what, now);
      break;
    case event_kind::revised:
      on_revised(what);
      break;
    case event_kind::snapshot_finished:
      on_snapshot_finished(what, now);
      break;
    case event_kind::snapshot_stopped:
      on_snapshot_stopped(what, now);
      break;
    case event_kind::started:
      on_started(what, now);
      break;
    case event_kind::finished:
      on_finished(what, now, out);
      break;
    case event_kind::aborted:
      on_aborted(what, now);
      break;
    case event_kind::rolled_back:
      on_rolled_back(what, now);
      break;
    case event_kind::time_passed:
      break;
  }
  if (held_so_far != nullptr) *held_so_far += now - now_;
  now_ = now;
  abort_overdue(now, out);
  // Before the launches, because a snapshot may hold them back. Its action comes after them all the same.
  actions copies;
  prepare(true, now, copies);
  dispatch(now, out);
  if (holder_) make_way_for_holder(now, out);
  out.insert(out.end(), copies.begin(), copies.end());
  stop_held_back(now, out);  // one of these, too, if the launches have changed what is held back
  // This may stop the snapshot that others were held back for.
  if (prepare(false, now, out) && !has_live()) dispatch(now, out);
  roll_back(now, out);
  out.insert(out.end(), later_.begin(), later_.end());
  later_.clear();
}

time_ns priority_policy::next_deadline() const {
  time_ns first = gap_until_;
  if (holder_) first = std::min(first, now_ + options_.hold_max - held(*holder_->next));
  for (const instance* one : in_gpu_) first = std::min(first, one->abort_at);
  // Only the next instance of a task waits for others, and before it are its launches in the GPU.
  for (const auto& [id, of] : tasks_) {
    for (std::size_t i = 0; i < of.pool.size() && i <= options_.launches_max; ++i) {
      if (of.pool[i]->waits_until > now_) first = std::min(first, of.pool[i]->waits_until);
    }
  }
  return first;
}

// The instance that the task may launch next, or null.
instance* priority_policy::next_of(task& of) const {
  unsigned live = 0;
  const instance* before = nullptr;
  // None while the drain of a later instance is not over: the two would write at the same time.
  const auto drains = [&](const instance* one) { return one->task == of.id && one->state == instance_state::aborting; };
  if (std::any_of(in_gpu_.begin(), in_gpu_.end(), drains)) return nullptr;
  for (const auto& one : of.pool) {
    if (one->is_live() && !one->displaced) {
      if (++live >= options_.launches_max) return nullptr;
      before = one.get();
      continue;
    }
    const bool needs = needs_snapshot(of, *one);
    if (one->state == instance_state::prepared) return one.get();
    if (one->state != instance_state::waiting) return nullptr;
    if (before == nullptr) return !needs || !can_have_space(of, *one) ? one.get() : nullptr;
    // A snapshot holds what the earlier launch has written. And an abort of that launch must abort this one, too; where
    // nobody is more important there are no aborts.
    if (needs) return nullptr;
    const bool is_safe = !before->can_abort || would_be_abortable(*one) || !has_more_important(of.nice);
    return is_safe ? one.get() : nullptr;
  }
  return nullptr;
}

std::vector<priority_policy::candidate> priority_policy::candidates(time_ns now) {
  std::vector<candidate> found;
  for (auto& [id, of] : tasks_) {
    instance* const next = next_of(of);
    if (next == nullptr) continue;
    // Aging is for one instance; what is launched after it must not profit.
    found.push_back({&of, next, next == of.oldest() ? of.effective_nice(now, options_) : of.nice});
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Aging decides who is next where a launch ends, and protects what runs; it gives no right to abort.
int priority_policy::protected_nice(const instance& one, time_ns now) const {
  if (tasks_.at(one.task).is_emergency()) return nice_emergency;  // also of one that was made so after the launch
  return one.displaced ? tasks_.at(one.task).effective_nice(now, options_) : one.launch_nice;
}

bool priority_policy::has_live() const {
  return std::any_of(in_gpu_.begin(), in_gpu_.end(), [](const instance* one) { return one->is_live(); });
}

// Whether the instance may be launched now, as far as all live launches are concerned.
bool priority_policy::may_precede(const candidate& one, bool is_best) const {
  return std::all_of(in_gpu_.begin(), in_gpu_.end(), [&](const instance* other) {
    if (!other->is_live()) return true;
    if (other->task == one.of->id) return is_best;
    return one.of->nice < protected_nice(*other, now_);
  });
}

void priority_policy::dispatch(time_ns now, actions& out) {
  for (bool launched = true; launched;) {
    launched = false;
    const std::vector<candidate> found = candidates(now);
    find_holder(found, now);
    gap_until_ = never;
    for (std::size_t i = 0; i < found.size() && !launched; ++i) {
      if (!may_precede(found[i], i == 0 && !has_better_snapshot(found[i])) || is_held_back(found[i]) ||
          is_in_gap(found[i], now))
        continue;
      if (!make_way(found[i], true, now, out)) return;
      launch(found[i], now, out);
      launched = true;
    }
  }
}

// Has the live launches of other tasks leave the GPU, or be displaced. False: the instance waits for one of them. A
// task in the GPU has its launches in the order of issue, and an abort must hit the last ones. `is_launched`: at once.
// Otherwise what is better drained, or nearly at its end, goes on.
bool priority_policy::make_way(const candidate& one, bool is_launched, time_ns now, actions& out) {
  const std::vector<instance*> present = in_gpu_;
  bool waits = false;
  std::map<task_id, bool> keeps;  // a later launch of this task is not aborted
  for (auto each = present.rbegin(); each != present.rend(); ++each) {
    instance& other = **each;
    if (!other.is_live() || other.displaced || other.task == one.of->id) continue;
    const bool is_first = std::none_of(present.begin(), present.end(), [&](const instance* earlier) {
      return earlier->task == other.task && earlier->issue < other.issue && earlier->is_live();
    });
    preemption_choice choice;
    if (!keeps[other.task] && other.can_abort) {
      choice.how = preemption::abort;
      if (is_first) {
        const bool may_wait = one.next->waits_until == never || now < one.next->waits_until;
        choice = choose_preemption(other, protected_nice(other, now), one.of->nice, now, may_wait, options_);
      }
    }
    switch (choice.how) {
      case preemption::abort:
        ++counted_[other.facts.kernel].aborts;
        abort(other, now, out);
        break;
      case preemption::drain:
        keeps[other.task] = true;
        if (!is_launched) break;
        ++counted_[other.facts.kernel].drains;
        other.displaced = true;
        other.abort_at = choice.limit == never ? never : now + choice.limit;
        break;
      case preemption::wait:
        waits = true;
        if (!is_launched) break;
        if (one.next->waits_until == never) {
          ++counted_[other.facts.kernel].waits;
          one.next->waits_until = now + choice.limit;
        }
        break;
    }
    account_waiting(tasks_.at(other.task), now);
  }
  return !waits;
}

void priority_policy::launch(const candidate& one, time_ns now, actions& out) {
  instance& next = *one.next;
  unsigned level = 0;
  for (const instance* other : in_gpu_) {
    if (other->task == next.task) {
      level = other->level;
      break;
    }
    level = std::max(level, other->level + 1);
  }
  kernel_statistics& counted = counted_[next.facts.kernel];
  ++counted.launches;
  if (next.state == instance_state::waiting && needs_snapshot(*one.of, next)) ++counted.launches_without_snapshot;
  if (may_be_restored(*one.of, next) && is_undivided(next)) ++counted.undivided;
  next.can_abort = would_be_abortable(next) && !one.of->is_emergency();
  next.enter(instance_state::launched, now);
  ++next.attempt;
  next.level = level;
  next.launch_nice = one.nice;
  next.displaced = false;
  next.abort_at = next.waits_until = never;
  next.held_idle = next.held_beside = 0;
  next.is_holder = false;
  in_gpu_.push_back(&next);
  account_waiting(*one.of, now);
  out.push_back({.kind = action_kind::launch, .instance = next.id, .attempt = next.attempt, .level = level});
}

void priority_policy::abort(instance& one, time_ns now, actions& out) {
  one.enter(instance_state::aborting, now);
  const time_ns lost = tasks_.at(one.task).lose_run(now);
  if (one.started_at != 0) one.longest_run = std::max(one.longest_run, std::min(lost, now - one.started_at));
  one.displaced = false;
  one.abort_at = never;
  out.push_back({.kind = action_kind::raise_abort, .instance = one.id, .attempt = one.attempt});
}

// A displaced launch whose blocks did not leave in time is aborted, if the launch above it has not started.
void priority_policy::abort_overdue(time_ns now, actions& out) {
  for (instance* one : in_gpu_) {
    if (one->abort_at > now) continue;
    ++counted_[one->facts.kernel].aborts;
    abort(*one, now, out);
    account_waiting(tasks_.at(one->task), now);
  }
}

// After this the launches that it displaced go on, if none above them is left.
void priority_policy::leave_gpu(instance& one, time_ns now) {
  in_gpu_.erase(std::find(in_gpu_.begin(), in_gpu_.end(), &one));
  for (instance* other : in_gpu_) {
    if (!other->displaced || std::any_of(in_gpu_.begin(), in_gpu_.end(), [&](const instance* above) {
          return above->is_live() && above->level > other->level;
        })) {
      continue;
    }
    other->launch_nice = protected_nice(*other, now);
    other->displaced = false;
    other->abort_at = never;
    account_waiting(tasks_.at(other->task), now);
  }
}

void priority_policy::account_waiting(task& of, time_ns now) {
  const bool has_gpu = std::any_of(in_gpu_.begin(), in_gpu_.end(), [&](const instance* one) {
    return one->task == of.id && one->is_live() && !one->displaced;
  });
  if (of.pool.empty()) {
    of.begin_idling();
  } else if (has_gpu) {
    of.begin_running(now);
  } else {
    of.begin_waiting(now);
  }
}

}  // namespace genesys::schedule
