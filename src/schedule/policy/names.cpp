// SPDX-License-Identifier: Apache-2.0
// The names of events and actions, for messages and reports.
#include "schedule/policy/action.h"
#include "schedule/policy/event.h"

namespace genesys::schedule {

const char* name_of(event_kind kind) {
  switch (kind) {
    case event_kind::task_added:
      return "task_added";
    case event_kind::task_removed:
      return "task_removed";
    case event_kind::submitted:
      return "submitted";
    case event_kind::revised:
      return "revised";
    case event_kind::snapshot_finished:
      return "snapshot_finished";
    case event_kind::snapshot_stopped:
      return "snapshot_stopped";
    case event_kind::started:
      return "started";
    case event_kind::finished:
      return "finished";
    case event_kind::aborted:
      return "aborted";
    case event_kind::rolled_back:
      return "rolled_back";
    case event_kind::time_passed:
      return "time_passed";
  }
  return "?";
}

const char* name_of(action_kind kind) {
  switch (kind) {
    case action_kind::raise_abort:
      return "raise_abort";
    case action_kind::launch:
      return "launch";
    case action_kind::prepare_snapshot:
      return "prepare_snapshot";
    case action_kind::stop_snapshot:
      return "stop_snapshot";
    case action_kind::discard_snapshot:
      return "discard_snapshot";
    case action_kind::roll_back:
      return "roll_back";
    case action_kind::complete:
      return "complete";
  }
  return "?";
}

}  // namespace genesys::schedule
