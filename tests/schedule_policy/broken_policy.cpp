// SPDX-License-Identifier: Apache-2.0
#include "broken_policy.h"

#include <utility>

namespace genesys::schedule {

void broken_policy::tell(event what, time_ns now, actions& out) {
  switch (fault_) {
    case fault::runs_whole_again:
      if (what.kind == event_kind::finished && has_abort_.count(what.instance) != 0) what.kind = event_kind::aborted;
      break;
    case fault::ignores_order:
      if (what.kind == event_kind::task_added) nice_[what.task] = what.nice;
      if (what.kind == event_kind::submitted) {
        const auto own = static_cast<task_id>(1000 + what.instance);
        inner_.handle({.kind = event_kind::task_added, .task = own, .nice = nice_[what.task]}, now, out);
        what.task = own;
      }
      break;
    case fault::takes_no_snapshots:
      what.facts.idempotent = true;
      break;
    case fault::ignores_revisions:
      if (what.kind == event_kind::revised) what = {.kind = event_kind::time_passed};
      break;
    case fault::aborts_everything:
      what.facts.abortable = true;
      break;
    case fault::forgets_emergency:
      if (what.kind == event_kind::task_added && what.nice == nice_emergency) what.nice = 10;
      break;
    case fault::never_preempts:
      what.nice = 0;
      break;
    default:
      break;
  }
  inner_.handle(what, now, out);
}

void broken_policy::handle(const event& what, time_ns now, actions& out) {
  actions decided;
  tell(what, now, decided);
  out.insert(out.end(), held_.begin(), held_.end());
  held_.clear();
  for (std::size_t i = 0; i < decided.size(); ++i) {
    const action each = decided[i];
    if (each.kind == action_kind::raise_abort) has_abort_.insert(each.instance);
    if (each.kind == action_kind::launch) has_abort_.erase(each.instance);
    if (fault_ == fault::launches_late && each.kind == action_kind::launch) {
      held_.push_back(each);
      continue;
    }
    if (fault_ == fault::never_completes_one && each.kind == action_kind::complete && each.instance % 5 == 0) continue;
    if (each.kind == action_kind::roll_back) {
      if (fault_ == fault::rolls_back_at_abort && dropped_.erase(each.instance) != 0) continue;
      if (fault_ == fault::forgets_roll_back) {
        inner_.handle({.kind = event_kind::rolled_back, .instance = each.instance}, now, decided);
        continue;
      }
    }
    out.push_back(each);
    if (fault_ == fault::completes_twice && each.kind == action_kind::complete) out.push_back(each);
    if (fault_ == fault::prepares_twice && each.kind == action_kind::prepare_snapshot) out.push_back(each);
    if (fault_ == fault::rolls_back_at_abort && each.kind == action_kind::raise_abort) {
      out.push_back({.kind = action_kind::roll_back, .instance = each.instance});
      dropped_.insert(each.instance);
    }
  }
}

}  // namespace genesys::schedule
