// SPDX-License-Identifier: Apache-2.0
// One kernel instance in the policy: its state, and which state may follow which. docs/schedule-policy.md draws it.
//
//   here            the paper (Figures 10 and 11)
//   waiting         POOL
//   snapshotting    SNAP
//   stopping        P_SNAP: the snapshot was canceled and has not yet stopped
//   prepared        POOL with all pages stored (Nr_store): memory equals the snapshot
//   launched        SLOT: in the GPU's hands, no block has started
//   running         RUN
//   aborting        P_SLOT, P_RUN: the abort is raised, the drain is not over
//   rolling_back    post-preemption
//   finished        DONE
#pragma once

#include "schedule/policy/kernel_facts.h"

namespace genesys::schedule {

enum class instance_state : std::uint8_t {
  waiting,
  snapshotting,
  stopping,
  prepared,
  launched,
  running,
  aborting,
  rolling_back,
  finished,
};

const char* name_of(instance_state state);
bool may_follow(instance_state from, instance_state to);

struct instance {
  instance_id id = 0;
  task_id task = 0;
  std::uint64_t issue = 0;  // its number in the order of submission, over all tasks
  kernel_facts facts;
  time_ns submitted_at = 0;

  instance_state state = instance_state::waiting;
  time_ns since = 0;  // the state

  // The snapshot.
  bool holds_space = false;
  std::uint64_t stored_bytes = 0;
  // So long less important launches were held back for it since its last launch: while the GPU had no launch, and while
  // it had one.
  bool is_holder = false;
  time_ns held_idle = 0, held_beside = 0;

  // The launch. `launch_nice`: the task's value with aging when it was launched.
  unsigned attempt = 0, level = 0;
  int launch_nice = 0;
  bool can_abort = false;
  bool displaced = false;    // its blocks leave at their end, for a launch of a higher level
  time_ns abort_at = never;  // displaced: if that launch has not started by then, this one is aborted
  time_ns started_at = 0;    // 0: no block has started, as far as is known
  time_ns longest_run = 0;   // of the launches that were aborted
  unsigned aborts = 0;       // in a row

  time_ns waits_until = never;  // a candidate that waits for the end of a launch

  // In the GPU, and not to leave it before its end.
  bool is_live() const { return state == instance_state::launched || state == instance_state::running; }
  bool is_in_gpu() const { return is_live() || state == instance_state::aborting; }
  // What a whole run takes, as far as is known.
  time_ns run_estimate() const { return facts.times.run > longest_run ? facts.times.run : longest_run; }
  // Throws std::logic_error if that state cannot follow.
  void enter(instance_state next, time_ns now);
};

}  // namespace genesys::schedule
