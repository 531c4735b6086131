// SPDX-License-Identifier: Apache-2.0
// How a launch in the GPU makes way for a more important instance: abort, drain or waiting, by estimated cost.
//
//   abort   its blocks leave at their next poll. What they did is lost, and may have to be rolled back.
//   drain   the other instance is launched at once, at a higher level. Resident blocks run to their end; the rest of
//           the blocks waits in the GPU. Nothing is lost. The only way for a launch that cannot be aborted.
//   wait    the other instance is not launched before this launch has ended. Nothing is lost.
//
// Drain and wait depend on estimates that may be wrong, so each has a time limit after which the launch is aborted. For
// drain the limit counts until the other instance has started. A driver that cannot see a start reports `started`
// together with the launch; the limit then has no effect.
#pragma once

#include "schedule/policy/instance.h"
#include "schedule/policy/options.h"

namespace genesys::schedule {

enum class preemption : std::uint8_t { abort, drain, wait };

struct preemption_choice {
  preemption how = preemption::drain;
  time_ns limit = never;  // how long drain or wait may take; never: it cannot be aborted
};

// `nice`: of the instance that is to go first. `allow_wait`: it has not waited yet.
preemption_choice choose_preemption(const instance& running, int running_nice, int nice, time_ns now, bool allow_wait,
                                    const policy_options& options);

}  // namespace genesys::schedule
