// SPDX-License-Identifier: Apache-2.0
// What a policy decides. The driver carries the actions of one event out in their order; it need not wait for one
// before the next. None of them can fail for the policy: a driver that fails ends the task.
#pragma once

#include <vector>

#include "schedule/policy/kernel_facts.h"

namespace genesys::schedule {

enum class action_kind : std::uint8_t {
  // Raise the abort flag of this launch. The kernel may have ended already, or end whole all the same. Aborts of a task
  // take effect in their order: the later launches come first, because none of them may start after an earlier one was
  // aborted. So a launch polls at its entry.
  raise_abort,
  // Launch the instance. `level`: the driver uses a stream whose priority is above those of lower levels, so that its
  // blocks go before the blocks of launches that are still in the GPU. Launches of one task keep their order.
  launch,
  // Copy the write set, from `stored_bytes` on; other kernels run meanwhile.
  prepare_snapshot,
  stop_snapshot,     // the driver reports snapshot_stopped, or snapshot_finished if that was first
  discard_snapshot,  // its space is free for others at once
  roll_back,         // copy the snapshot back, beside what runs
  complete,          // give the instance's future its completion; the space of its snapshot is free
};

struct action {
  action_kind kind = action_kind::complete;
  instance_id instance = 0;
  unsigned attempt = 0;            // launch and raise_abort
  unsigned level = 0;              // launch: from 0
  std::uint64_t stored_bytes = 0;  // prepare_snapshot
};
using actions = std::vector<action>;

const char* name_of(action_kind kind);

}  // namespace genesys::schedule
