// SPDX-License-Identifier: Apache-2.0
// A policy that a test tells single events, and that answers with what it decides, as text.
#pragma once

#include <string>
#include <utility>

#include "schedule/policy/priority_policy.h"

namespace genesys::schedule {

// A policy with a task 1 of nice 10, a task 2 of nice 0 and a task 3 of the emergency class.
class driven {
 public:
  explicit driven(const policy_options& options = {}) : policy_(options) {
    for (const auto& [task, nice] : {std::pair{1, 10}, {2, 0}, {3, nice_emergency}})
      tell({.kind = event_kind::task_added, .task = static_cast<task_id>(task), .nice = nice});
  }

  // What the policy decides, as "launch 1, raise_abort 2".
  std::string tell(const event& what) {
    actions decided;
    policy_.handle(what, now_ += 1000, decided);
    if (!decided.empty()) last_ = decided.back();
    std::string all;
    for (const action& each : decided)
      all += (all.empty() ? "" : ", ") + std::string(name_of(each.kind)) + " " + std::to_string(each.instance);
    return all;
  }
  std::string submit(task_id task, instance_id id, bool idempotent = true, bool abortable = true) {
    return tell({.kind = event_kind::submitted,
                 .task = task,
                 .instance = id,
                 .facts = {.idempotent = idempotent, .abortable = abortable, .snapshot_bytes = 4096}});
  }
  std::string tell(event_kind kind, instance_id id, unsigned attempt = 1) {
    return tell({.kind = kind, .instance = id, .attempt = attempt});
  }
  std::string submit(task_id task, instance_id id, const kernel_facts& facts) {
    return tell({.kind = event_kind::submitted, .task = task, .instance = id, .facts = facts});
  }
  void pass(time_ns length) { now_ += length; }
  time_ns now() const { return now_; }
  const priority_policy& policy() const { return policy_; }
  const action& last() const { return last_; }

 private:
  priority_policy policy_;
  action last_;
  time_ns now_ = 0;
};

}  // namespace genesys::schedule
