// SPDX-License-Identifier: Apache-2.0
#include "schedule/policy/instance.h"

#include <stdexcept>
#include <string>

namespace genesys::schedule {

const char* name_of(instance_state state) {
  switch (state) {
    case instance_state::waiting:
      return "waiting";
    case instance_state::snapshotting:
      return "snapshotting";
    case instance_state::stopping:
      return "stopping";
    case instance_state::prepared:
      return "prepared";
    case instance_state::launched:
      return "launched";
    case instance_state::running:
      return "running";
    case instance_state::aborting:
      return "aborting";
    case instance_state::rolling_back:
      return "rolling back";
    case instance_state::finished:
      return "finished";
  }
  return "?";
}

bool may_follow(instance_state from, instance_state to) {
  using enum instance_state;
  switch (from) {
    case waiting:
      return to == snapshotting || to == launched;
    case snapshotting:
      return to == prepared || to == stopping;
    case stopping:
      return to == prepared || to == waiting;
    case prepared:
      return to == launched || to == waiting;  // waiting: the snapshot was discarded
    case launched:
      return to == running || to == aborting || to == finished;
    case running:
      return to == aborting || to == finished;
    case aborting:
      return to == rolling_back || to == prepared || to == waiting || to == finished;
    case rolling_back:
      return to == prepared;
    case finished:
      return false;
  }
  return false;
}

void instance::enter(instance_state next, time_ns now) {
  if (!may_follow(state, next)) {
    throw std::logic_error("genesys: instance " + std::to_string(id) + " is " + name_of(state) + ", so it cannot be " +
                           name_of(next));
  }
  state = next;
  since = now;
}

}  // namespace genesys::schedule
