// SPDX-License-Identifier: Apache-2.0
// The policy of the paper on idempotence-based preemptive scheduling (section 3.5), with aging and with a choice
// between abort, drain and waiting. docs/schedule-policy.md has its rules and its bounds. The driver of the policy owns
// it.
//
// Invariants, after each event:
//  - A task's instances are launched in the order of issue, and only while none of the earlier ones is being aborted or
//    rolled back.
//  - Of the launches of one task in the GPU, those that are aborted are the last ones.
//  - Only an instance that is idempotent or has a whole snapshot is aborted, and none of an emergency task.
//  - If the GPU has no live launch, each instance that is launchable is held back: for the snapshot of a more important
//    one, or for the next one of a more important task; both have bounds (priority_policy_holds.cpp).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "schedule/policy/policy.h"
#include "schedule/policy/statistics.h"
#include "schedule/policy/task.h"

namespace genesys::schedule {

class priority_policy final : public policy {
 public:
  explicit priority_policy(const policy_options& options) : options_(options) {}

  void handle(const event& what, time_ns now, actions& out) override;
  time_ns next_deadline() const override;

  const statistics& counted() const { return counted_; }
  // For a report: calls `show(instance)` for each unfinished instance, by task and in the order of issue.
  template <class function>
  void for_each_instance(function show) const {
    for (const auto& [id, each] : tasks_)
      for (const auto& one : each.pool) show(static_cast<const instance&>(*one));
  }

 private:
  struct candidate {
    task* of;
    instance* next;
    int nice;  // with aging
    bool operator<(const candidate& other) const {
      return std::tuple(nice, next->issue) < std::tuple(other.nice, other.next->issue);
    }
  };

  // priority_policy_events.cpp: each takes one kind of event.
  void on_task_added(const event& what);
  void on_task_removed(const event& what);
  void on_submitted(const event& what, time_ns now);
  void on_revised(const event& what);
  void on_snapshot_finished(const event& what, time_ns now);
  void on_snapshot_stopped(const event& what, time_ns now);
  void on_started(const event& what, time_ns now);
  void on_finished(const event& what, time_ns now, actions& out);
  void on_aborted(const event& what, time_ns now);
  void on_rolled_back(const event& what, time_ns now);
  instance& known(const event& what) const;
  instance& known_launch(const event& what) const;
  void forget(instance& one);

  // priority_policy.cpp: what runs.
  void dispatch(time_ns now, actions& out);
  std::vector<candidate> candidates(time_ns now);
  instance* next_of(task& of) const;
  bool may_precede(const candidate& one, bool is_best) const;
  bool has_live() const;
  bool make_way(const candidate& one, bool is_launched, time_ns now, actions& out);
  void launch(const candidate& one, time_ns now, actions& out);
  void abort(instance& one, time_ns now, actions& out);
  void abort_overdue(time_ns now, actions& out);
  void leave_gpu(instance& one, time_ns now);
  void account_waiting(task& of, time_ns now);
  int protected_nice(const instance& one, time_ns now) const;

  // priority_policy_holds.cpp: what waits although the GPU could run it.
  void find_holder(const std::vector<candidate>& launchable, time_ns now);
  void make_way_for_holder(time_ns now, actions& out);
  time_ns& held(instance& holder) const;
  bool is_held_back(const candidate& one) const;
  bool has_better_snapshot(const candidate& one) const;
  bool is_in_gap(const candidate& one, time_ns now);
  void roll_back(time_ns now, actions& out);

  // priority_policy_snapshots.cpp: transactions.
  bool prepare(bool before_launches, time_ns now, actions& out);
  void stop_held_back(time_ns now, actions& out);
  void stop(instance& one, time_ns now, actions& out);
  bool is_undivided(const instance& one) const;
  bool is_short(const instance& one) const;
  bool stop_one(int nice, time_ns now, actions& out);
  void discard(instance& one, actions& out);
  bool may_be_restored(const task& of, const instance& one) const;
  bool needs_snapshot(const task& of, const instance& one) const;
  bool can_have_space(const task& of, const instance& one) const;
  bool is_discardable(const instance& one) const;
  bool would_be_abortable(const instance& one) const;
  bool has_more_important(int nice) const;
  unsigned count(instance_state state) const;

  const policy_options options_;
  std::map<task_id, task> tasks_;
  std::unordered_map<instance_id, instance*> instances_;  // unfinished
  std::vector<instance*> in_gpu_;                         // in the order of launch
  std::uint64_t issued_ = 0;
  std::uint64_t held_bytes_ = 0;  // of snapshots
  time_ns now_ = 0;
  std::optional<candidate> holder_;    // its snapshot is being stored, and what is less important waits
  time_ns gap_until_ = never;          // what waits for the next instance of a task waits until then
  std::vector<instance*> roll_backs_;  // that have not begun
  actions later_;                      // of this event: after what the launch of another instance needs
  statistics counted_;
};

}  // namespace genesys::schedule
