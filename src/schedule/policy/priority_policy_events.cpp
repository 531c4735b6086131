// SPDX-License-Identifier: Apache-2.0
// priority_policy: what each event changes. Each function checks first, so that an impossible event changes nothing.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "schedule/policy/priority_policy.h"

namespace genesys::schedule {
namespace {

[[noreturn]] void refuse(const event& what, const std::string& why) {
  throw std::logic_error(std::string("genesys: ") + name_of(what.kind) + ", instance " + std::to_string(what.instance) +
                         ", task " + std::to_string(what.task) + ": " + why);
}

}  // namespace

instance& priority_policy::known(const event& what) const {
  const auto found = instances_.find(what.instance);
  if (found == instances_.end()) refuse(what, "there is no such instance");
  return *found->second;
}

instance& priority_policy::known_launch(const event& what) const {
  instance& one = known(what);
  if (!one.is_in_gpu() || one.attempt != what.attempt) {
    refuse(what, "launch " + std::to_string(what.attempt) + " is not in the GPU; the instance is " +
                     name_of(one.state) + " after launch " + std::to_string(one.attempt));
  }
  return one;
}

void priority_policy::on_task_added(const event& what) {
  if (what.nice < nice_emergency || what.nice > nice_least) refuse(what, "a nice value is from -20 to 19");
  task& of = tasks_[what.task];
  of.id = what.task;
  of.nice = what.nice;
}

void priority_policy::on_task_removed(const event& what) {
  const auto found = tasks_.find(what.task);
  if (found == tasks_.end()) refuse(what, "there is no such task");
  if (!found->second.pool.empty()) refuse(what, "it has unfinished instances");
  tasks_.erase(found);
}

void priority_policy::on_submitted(const event& what, time_ns now) {
  const auto found = tasks_.find(what.task);
  if (found == tasks_.end()) refuse(what, "there is no such task");
  if (instances_.count(what.instance) != 0) refuse(what, "it was submitted before");
  auto made = std::make_unique<instance>();
  made->id = what.instance;
  made->task = what.task;
  made->issue = issued_++;
  made->facts = what.facts;
  made->submitted_at = made->since = now;
  found->second.note_submission(now, options_);
  instances_.emplace(what.instance, made.get());
  found->second.pool.push_back(std::move(made));
  account_waiting(found->second, now);
  ++counted_[what.facts.kernel].submitted;
}

void priority_policy::on_revised(const event& what) {
  instance& one = known(what);
  if (one.state == instance_state::waiting && one.attempt == 0 && !one.holds_space) one.facts = what.facts;
}

void priority_policy::on_snapshot_finished(const event& what, time_ns now) {
  instance& one = known(what);
  const time_ns since = one.since;
  if (one.state != instance_state::snapshotting && one.state != instance_state::stopping)
    refuse(what, "no snapshot of it is in preparation");
  one.enter(instance_state::prepared, now);
  kernel_statistics& counted = counted_[one.facts.kernel];
  ++counted.snapshots;
  counted.snapshot_ns += now - since;
  counted.snapshot_bytes += one.facts.snapshot_bytes - one.stored_bytes;
  one.stored_bytes = one.facts.snapshot_bytes;
}

void priority_policy::on_snapshot_stopped(const event& what, time_ns now) {
  instance& one = known(what);
  const time_ns since = one.since;
  if (one.state != instance_state::stopping) refuse(what, "its snapshot was not to stop");
  if (what.stored_bytes < one.stored_bytes || what.stored_bytes > one.facts.snapshot_bytes)
    refuse(what, "it stored less than before, or more than there is");
  one.enter(instance_state::waiting, now);
  kernel_statistics& counted = counted_[one.facts.kernel];
  ++counted.snapshots_stopped;
  counted.snapshot_ns += now - since;
  counted.snapshot_bytes += what.stored_bytes - one.stored_bytes;
  one.stored_bytes = what.stored_bytes;
}

void priority_policy::on_started(const event& what, time_ns now) {
  instance& one = known_launch(what);
  one.started_at = now;
  if (one.state == instance_state::launched) one.enter(instance_state::running, now);
  for (instance* other : in_gpu_) {
    if (other->level < one.level) other->abort_at = never;  // it has left its blocks' resources
  }
}

void priority_policy::on_finished(const event& what, time_ns now, actions& out) {
  instance& one = known_launch(what);
  task& of = tasks_.at(one.task);
  kernel_statistics& counted = counted_[one.facts.kernel];
  if (one.state == instance_state::aborting) ++counted.finished_in_spite_of_abort;
  ++counted.completed;
  const time_ns started = one.started_at != 0 ? one.started_at : one.since;
  const time_ns waited = started - one.submitted_at;
  counted.waited_ns += waited;
  counted.waited_most_ns = std::max(counted.waited_most_ns, waited);
  one.enter(instance_state::finished, now);
  leave_gpu(one, now);
  if (one.holds_space) discard(one, out);
  // The next launch goes before the completion (the paper's fast launch track).
  later_.push_back({.kind = action_kind::complete, .instance = one.id});
  of.note_progress(now);
  forget(one);
  if (of.pool.empty()) of.note_empty(now);
  account_waiting(of, now);
}

void priority_policy::on_aborted(const event& what, time_ns now) {
  instance& one = known_launch(what);
  if (one.state != instance_state::aborting) refuse(what, "no abort was raised");
  task& of = tasks_.at(one.task);
  if (one.issue < of.finished_issues) refuse(what, "a later instance of its task has finished");
  kernel_statistics& counted = counted_[one.facts.kernel];
  if (one.started_at != 0) counted.wasted_ns += now - one.started_at;
  one.started_at = 0;
  ++one.aborts;
  leave_gpu(one, now);
  if (one.facts.idempotent) {
    one.enter(instance_state::waiting, now);
  } else if (!what.wrote) {
    one.enter(instance_state::prepared, now);
  } else {
    one.enter(instance_state::rolling_back, now);
    roll_backs_.push_back(&one);
  }
  account_waiting(of, now);
}

void priority_policy::on_rolled_back(const event& what, time_ns now) {
  instance& one = known(what);
  const time_ns since = one.since;
  if (one.state != instance_state::rolling_back) refuse(what, "it is not being rolled back");
  one.enter(instance_state::prepared, now);
  kernel_statistics& counted = counted_[one.facts.kernel];
  ++counted.roll_backs;
  counted.roll_back_ns += now - since;
}

void priority_policy::forget(instance& one) {
  task& of = tasks_.at(one.task);
  of.finished_issues = std::max(of.finished_issues, one.issue + 1);
  instances_.erase(one.id);
  of.pool.erase(std::find_if(of.pool.begin(), of.pool.end(), [&](const auto& each) { return each.get() == &one; }));
}

}  // namespace genesys::schedule
