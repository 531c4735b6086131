// SPDX-License-Identifier: Apache-2.0
// Controls: the policy with one deliberate fault, in what it is told or in what it decides. Each breaks one property,
// which shows that the check of that property can fail.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "schedule/policy/priority_policy.h"

namespace genesys::schedule {

enum class fault {
  none,
  completes_twice,
  never_completes_one,
  runs_whole_again,     // takes every end of a launch with an abort for aborted
  ignores_order,        // each instance is a task of its own
  takes_no_snapshots,   // all kernels count as idempotent
  aborts_everything,    // all kernels count as abortable
  forgets_emergency,    // emergency is nice 10
  never_preempts,       // all tasks have one nice value
  launches_late,        // a launch waits for the next event
  rolls_back_at_abort,  // without waiting for the drain
  forgets_roll_back,    // takes it for done
  prepares_twice,
  forgets_bound,       // of transactions
  forgets_holds,       // stores all snapshots beside what runs
  holds_too_long,      // a hundred times
  divides_everything,  // takes snapshots for short launches, too
  divides_too_little,  // takes none for long ones
  waits_too_long,      // for the next instance of a task
  ignores_revisions,
};

class broken_policy final : public policy {
 public:
  broken_policy(fault which, const policy_options& options) : fault_(which), inner_(changed(which, options)) {}

  void handle(const event& what, time_ns now, actions& out) override;
  time_ns next_deadline() const override { return inner_.next_deadline(); }

 private:
  static policy_options changed(fault which, policy_options options) {
    if (which == fault::forgets_bound) options.transactions_max = 100, options.hold_max = 0;  // more at a time
    if (which == fault::forgets_holds) options.hold_max = 0;
    if (which == fault::holds_too_long) options.hold_max *= 100;
    if (which == fault::divides_everything) options.undivided_max = 0;
    if (which == fault::divides_too_little) options.undivided_max *= 100;
    if (which == fault::waits_too_long) options.gap_max *= 10'000;
    return options;
  }
  void tell(event what, time_ns now, actions& out);

  const fault fault_;
  priority_policy inner_;
  actions held_;
  std::set<instance_id> has_abort_, dropped_;
  std::map<task_id, int> nice_;
};

}  // namespace genesys::schedule
