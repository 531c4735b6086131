// SPDX-License-Identifier: Apache-2.0
// A task: its nice value, its run pool, and how long it has waited. The run pool holds all unfinished instances in the
// order of issue, whatever their state, so a preempted instance never has to find its place again.
#pragma once

#include <deque>
#include <memory>

#include "schedule/policy/instance.h"
#include "schedule/policy/options.h"

namespace genesys::schedule {

struct task {
  task_id id = 0;
  int nice = 0;
  std::deque<std::unique_ptr<instance>> pool;
  std::uint64_t finished_issues = 0;  // the issue of the latest finished instance, plus 1

  // Aging: the time without progress. The task waits while it has instances, and none of them has the GPU; the time of
  // a launch that is aborted counts, too. An instance that finishes is progress.
  time_ns waited = 0;
  time_ns waiting_since = never, running_since = never;  // never: it does not now

  // While its pool is empty: how soon the next instance mostly comes. 0: not known.
  time_ns gap = 0;
  time_ns empty_since = never;

  void note_empty(time_ns now) { empty_since = now; }
  void note_submission(time_ns now, const policy_options& options);
  // The next instance mostly comes within gap_max of the end of the last one.
  bool is_in_gap(const policy_options& options) const {
    return empty_since != never && gap != 0 && 2 * gap <= options.gap_max;
  }

  bool is_emergency() const { return nice == nice_emergency; }
  instance* oldest() const { return pool.empty() ? nullptr : pool.front().get(); }

  void begin_waiting(time_ns now) {
    running_since = never;
    if (waiting_since == never) waiting_since = now;
  }
  void begin_running(time_ns now) {
    if (waiting_since != never) waited += now - waiting_since;
    waiting_since = never;
    if (running_since == never) running_since = now;
  }
  void begin_idling() {
    waited = 0;
    waiting_since = running_since = never;
  }
  void note_progress(time_ns now) {
    waited = 0;
    if (waiting_since != never) waiting_since = now;
    if (running_since != never) running_since = now;
  }
  // A launch is aborted. Returns how long the task had the GPU.
  time_ns lose_run(time_ns now) {
    const time_ns lost = running_since != never ? now - running_since : 0;
    waited += lost;
    if (running_since != never) running_since = now;
    return lost;
  }
  // The nice value with aging.
  int effective_nice(time_ns now, const policy_options& options) const;
};

}  // namespace genesys::schedule
