// SPDX-License-Identifier: Apache-2.0
#include "checker.h"

#include <algorithm>

namespace genesys::schedule {

void checker::violate(const std::string& property, instance_id id) {
  ++violations_[property];
  if (first_.empty())
    first_ = property + ": instance " + std::to_string(id) + " at " + std::to_string(machine_->now()) + " ns";
}

void checker::knows(instance_id id, task_id task, const true_kernel& kernel) {
  all_[id].task = task;
  all_[id].kernel = kernel;
}

void checker::expect_all_complete() {
  for (const auto& [id, one] : all_) {
    if (!one.submitted || !one.completed) violate("completed exactly once", id);
  }
}

// As far as the policy is told: a launch that is short, and whose snapshot takes long for that.
bool checker::is_undivided(const kernel_facts& facts) const {
  if (facts.times.run == 0 || facts.times.run > options_.undivided_max || options_.snapshot_share_max == 0)
    return false;
  return static_cast<double>(facts.snapshot_bytes) / options_.copy_bytes_per_ns >
         options_.snapshot_share_max * static_cast<double>(facts.times.run);
}

bool checker::needs_snapshot(const truth& one) const {
  const kernel_facts& facts = one.kernel.told;
  const int nice = nice_.at(one.task);
  if (!facts.abortable || facts.idempotent || nice == nice_emergency || is_undivided(facts)) return false;
  return std::any_of(nice_.begin(), nice_.end(), [&](const auto& other) { return other.second < nice; });
}

// All earlier instances of its task are complete, or live in the GPU and not to be aborted.
bool checker::has_oldest_right(instance_id id) const {
  for (const instance_id earlier : unfinished_.at(all_.at(id).task)) {
    if (earlier == id) return true;
    const truth& other = all_.at(earlier);
    if (!other.in_gpu || other.abort_decided) return false;
  }
  return false;
}

void checker::check_launch(instance_id id, truth& one) {
  if (!one.submitted || one.completed || one.ended_whole) violate("completed exactly once", id);
  if (one.in_gpu) violate("launched once at a time", id);
  if (one.submitted && !one.completed && !has_oldest_right(id)) violate("first come first served in a task", id);
  if (one.dirty || one.rolls_back) violate("runs after the roll-back", id);
  if (one.kept == snapshot::copying || one.kept == snapshot::stopping) violate("one writer of a transaction", id);
  const bool has_snapshot = one.kept == snapshot::whole && one.really_whole;
  one.unprotected = !one.kernel.told.idempotent && !has_snapshot;
  if (needs_snapshot(one) && !has_snapshot && !is_space_scarce_) violate("runs after its snapshot", id);
  for (const auto& [task, of] : unfinished_) {
    if (task == one.task || nice_.at(task) != nice_emergency) continue;
    for (const instance_id other : of) {
      if (all_.at(other).in_gpu && !all_.at(other).ended_whole) violate("emergency is never preempted", other);
    }
  }
}

void checker::acted(const action& what) {
  truth& one = all_.at(what.instance);
  switch (what.kind) {
    case action_kind::launch:
      check_launch(what.instance, one);
      launched_.push_back(what.instance);
      one.copied_since = never;
      one.in_gpu = one.really_in_gpu = one.was_launched = true;
      one.started = one.abort_decided = false;
      break;
    case action_kind::raise_abort:
      if (nice_.at(one.task) == nice_emergency) violate("emergency is never preempted", what.instance);
      if (!one.kernel.told.abortable) violate("not abortable is never aborted", what.instance);
      if (one.unprotected) violate("aborted only with its snapshot", what.instance);
      one.abort_decided = true;
      break;
    case action_kind::prepare_snapshot:
      if (one.kept == snapshot::copying || one.kept == snapshot::stopping || one.really_in_gpu || one.dirty ||
          one.rolls_back || unfinished_.at(one.task).front() != what.instance) {
        violate("one writer of a transaction", what.instance);
      }
      if (is_undivided(one.kernel.told)) violate("no snapshot for a short launch", what.instance);
      prepared_.push_back(what.instance);
      one.copied_since = std::min(one.copied_since, machine_->now());
      one.kept = snapshot::copying;
      one.stored_before = what.stored_bytes;
      one.really_whole = false;
      break;
    case action_kind::stop_snapshot:
      one.kept = snapshot::stopping;
      break;
    case action_kind::discard_snapshot:
      if (one.dirty || one.rolls_back) violate("a snapshot is kept until its roll-back", what.instance);
      one.kept = snapshot::none;
      break;
    case action_kind::roll_back:
      if (one.really_in_gpu) violate("roll-back after the drain", what.instance);
      if (!one.really_whole) violate("rolls back to a whole snapshot", what.instance);
      if (one.rolls_back) violate("one writer of a transaction", what.instance);
      one.rolls_back = true;
      break;
    case action_kind::complete:
      if (one.completed || !one.ended_whole) violate("completed exactly once", what.instance);
      one.completed = true;
      one.completed_at = machine_->now();
      break;
  }
}

void checker::begins_to_run(instance_id id) { all_.at(id).started = true; }
void checker::snapshot_whole(instance_id id) { all_.at(id).really_whole = true; }
void checker::occupant_changed() { check_inversion(); }

void checker::drained(instance_id id, bool whole, bool wrote) {
  truth& one = all_.at(id);
  one.really_in_gpu = false;
  one.ended_whole = whole;
  if (!whole && wrote && !one.kernel.told.idempotent) one.dirty = true;
}

void checker::rolled_back(instance_id id) {
  truth& one = all_.at(id);
  if (one.really_in_gpu) violate("one writer of a transaction", id);
  one.dirty = false;
}

void checker::begin_oldest(task_id task) {
  std::vector<instance_id>& of = unfinished_[task];
  if (!of.empty() && all_.at(of.front()).oldest_since == never) all_.at(of.front()).oldest_since = machine_->now();
}

void checker::handles(const event& what) {
  switch (what.kind) {
    case event_kind::task_added:
      nice_[what.task] = what.nice;
      break;
    case event_kind::task_removed:
      nice_.erase(what.task);
      break;
    case event_kind::submitted:
      all_.at(what.instance).submitted = true;
      unfinished_[what.task].push_back(what.instance);
      begin_oldest(what.task);
      break;
    case event_kind::revised:
      if (truth& one = all_.at(what.instance); !one.was_launched) one.kernel.told = what.facts;
      break;
    case event_kind::snapshot_finished:
      all_.at(what.instance).kept = snapshot::whole;
      break;
    case event_kind::snapshot_stopped:
      all_.at(what.instance).kept = snapshot::none;
      break;
    case event_kind::finished: {
      truth& one = all_.at(what.instance);
      one.in_gpu = false;
      ended_at_[one.task] = machine_->now();
      std::vector<instance_id>& of = unfinished_[one.task];
      if (of.front() == what.instance && one.oldest_since != never)
        longest_as_oldest_ = std::max(longest_as_oldest_, machine_->now() - one.oldest_since);
      of.erase(std::remove(of.begin(), of.end(), what.instance), of.end());
      begin_oldest(one.task);
      break;
    }
    case event_kind::aborted:
      all_.at(what.instance).in_gpu = false;
      break;
    case event_kind::rolled_back:
      all_.at(what.instance).rolls_back = false;
      break;
    default:
      break;
  }
}

// It could be launched now, as far as it alone is concerned.
bool checker::is_ready(instance_id id, const truth& one) const {
  if (!one.submitted || one.completed || one.in_gpu || one.ended_whole || one.dirty || one.rolls_back) return false;
  if (one.kept == snapshot::copying || one.kept == snapshot::stopping) return false;
  const auto of = unfinished_.find(one.task);
  if (of == unfinished_.end() || of->second.empty() || of->second.front() != id) return false;
  for (const instance_id later : of->second) {
    if (all_.at(later).in_gpu) return false;  // it is being aborted
  }
  return !needs_snapshot(one) || one.kept == snapshot::whole;
}

void checker::handled() {
  check_idle();
  check_critical_path();
  check_snapshots();
  check_inversion();
  launched_.clear();
  prepared_.clear();
}

void checker::check_snapshots() {
  unsigned copying = 0, stopping = 0;
  std::uint64_t bytes = 0;
  for (const auto& [task, of] : unfinished_) {
    for (const instance_id id : of) {
      const truth& one = all_.at(id);
      copying += one.kept == snapshot::copying;
      stopping += one.kept == snapshot::stopping;
      if (one.kept != snapshot::none) bytes += one.kernel.told.snapshot_bytes;
    }
  }
  if (copying > options_.transactions_max || stopping > options_.transactions_max)
    violate("bounded number of transactions", 0);
  if (bytes > options_.snapshot_space_bytes) violate("bounded space of snapshots", 0);
}

// The most important instance that is ready, or launched and not started; 0: there is none above `nice`.
instance_id checker::most_important_pending(int nice) const {
  instance_id most = 0;
  for (const auto& [task, of] : unfinished_) {
    if (of.empty() || nice_.at(task) >= nice) continue;
    const truth& first = all_.at(of.front());
    const bool is_pending = first.in_gpu && !first.started && !first.abort_decided;
    if (!is_pending && !is_ready(of.front(), first)) continue;
    most = of.front();
    nice = nice_.at(task);
  }
  return most;
}

// The occupant is less important than that instance. How long that may last is the bound: of an abort, or of the blocks
// of what cannot be aborted.
void checker::check_inversion() {
  if (!checks_inversion_) return;
  const time_ns now = machine_->now();
  const instance_id occupant = machine_->occupant();
  const instance_id pending = occupant == 0 ? 0 : most_important_pending(nice_.at(all_.at(occupant).task));
  if (inverted_for_ != 0) {
    const time_ns so_far = now - inverted_since_;
    longest_inversion_ = std::max(longest_inversion_, so_far);
    if (only_abortable_) longest_abortable_ = std::max(longest_abortable_, so_far);
    if (so_far > inversion_bound_) violate("bounded inversion", inverted_for_);
  }
  if (pending != inverted_for_) {
    inverted_for_ = pending;
    inverted_since_ = now;
    inversion_bound_ = 0;
    only_abortable_ = true;
  }
  if (pending == 0) return;
  const truth& runs = all_.at(occupant);
  bool can_abort = true;
  for (const instance_id id : unfinished_.at(runs.task)) {  // an abort must abort later launches, too
    const truth& launch = all_.at(id);
    if (launch.in_gpu && (!launch.kernel.told.abortable || launch.unprotected)) can_abort = false;
  }
  only_abortable_ = only_abortable_ && can_abort;
  const time_ns way = can_abort ? options_.wait_max + options_.drain_max + times_.event_most + times_.action_most +
                                      std::max(times_.abort_least, runs.kernel.told.times.abort)
                                : runs.kernel.block;
  // It may be held back for more important ones meanwhile.
  const auto holds = std::count_if(all_.begin(), all_.end(), [&](const auto& each) {
    const truth& one = each.second;
    return one.kept == snapshot::copying && is_copied_soon(one) && nice_.at(one.task) < nice_.at(all_.at(pending).task);
  });
  inversion_bound_ = std::max(inversion_bound_, times_.event_most + times_.action_most + way +
                                                    static_cast<time_ns>(holds) * 2 * options_.hold_max);
}

}  // namespace genesys::schedule
