// SPDX-License-Identifier: Apache-2.0
// The interface between a policy and its driver. A policy is a pure function of the events so far: it has no thread,
// reads no clock and touches no GPU, so a test can simulate it. The driver calls it from one thread at a time.
#pragma once

#include "schedule/policy/action.h"
#include "schedule/policy/event.h"

namespace genesys::schedule {

class policy {
 public:
  virtual ~policy() = default;

  // Takes one event and appends what is to be done. `now` never decreases. Throws std::logic_error for an event that
  // cannot have happened, such as the end of a launch that has ended; the policy is then as before.
  virtual void handle(const event& what, time_ns now, actions& out) = 0;

  // When the policy wants a time_passed, if no other event comes before; or never.
  virtual time_ns next_deadline() const = 0;
};

}  // namespace genesys::schedule
