// SPDX-License-Identifier: Apache-2.0
// What the driver of a policy tells it. The driver reports what has happened, in any interleaving of different
// instances, and in causal order for one instance. Each launch ends with exactly one `finished` or `aborted`, also if
// the abort and the end of the kernel race: the GPU's marks decide which of the two it is.
#pragma once

#include "schedule/policy/kernel_facts.h"

namespace genesys::schedule {

enum class event_kind : std::uint8_t {
  task_added,         // task, nice; for a task that exists: its new nice value
  task_removed,       // task, which has no unfinished instances
  submitted,          // task, instance, facts; its dependencies on other tasks are met
  revised,            // instance, facts: other ones than at its submission. Has no effect if it was launched meanwhile
  snapshot_finished,  // instance; also if the snapshot was to stop but was whole before
  snapshot_stopped,   // instance, stored_bytes: what need not be copied again
  started,            // instance, attempt: the first block runs. May be left out; see preemption.h
  finished,           // instance, attempt: all blocks ran to their end, whether an abort was raised or not
  aborted,            // instance, attempt, wrote: a block left early, and the drain is over
  rolled_back,        // instance
  time_passed,        // nothing else: next_deadline() has passed
};

struct event {
  event_kind kind = event_kind::time_passed;
  task_id task = 0;
  int nice = 0;
  instance_id instance = 0;
  unsigned attempt = 0;  // which launch of the instance, from 1
  kernel_facts facts{};
  std::uint64_t stored_bytes = 0;
  bool wrote = true;  // false: no block of this launch got further than its first poll
};

const char* name_of(event_kind kind);

}  // namespace genesys::schedule
