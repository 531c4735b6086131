// SPDX-License-Identifier: Apache-2.0
#include "calls_in_order.h"

#include <algorithm>

namespace genesys::command {

std::int64_t ordered_call::begin_ns() const {
  const std::int64_t host_ns = call.begin_ns();
  return call.published_ns == 0 ? host_ns : std::min(call.published_ns, host_ns);  // it is published before it is taken
}

std::int64_t ordered_call::end_ns() const { return std::max({seen_ns, call.completed_ns, begin_ns()}); }

void calls_in_order::add(recorded_call&& call) {
  const call_key key{call.completed_ns, call.raw.completion_slot};
  ordered_call one{std::move(call)};
  if (const auto early = early_.find(key); early != early_.end()) {
    one.seen_ns = early->second;
    early_.erase(early);
  }
  const std::int64_t begin_ns = one.begin_ns();
  by_completion_[key] = waiting_.emplace(begin_ns, std::move(one));
}

// The call may also be one that is not chosen, or lost. So what is early does not stay longer than a call waits.
void calls_in_order::add_seen(std::uint32_t completion_slot, std::int64_t completed_ns, std::int64_t seen_ns) {
  if (const auto found = by_completion_.find({completed_ns, completion_slot}); found != by_completion_.end()) {
    found->second->second.seen_ns = seen_ns;
    return;
  }
  early_[{completed_ns, completion_slot}] = seen_ns;
  while (early_.size() > waiting_max || early_.begin()->first.first < last_ns_ - wait_ns) {
    early_.erase(early_.begin());
    if (early_.empty()) return;
  }
}

bool calls_in_order::is_due() const {
  return !waiting_.empty() && (is_at_end_ || waiting_.size() > waiting_max ||
                               waiting_.begin()->second.call.completed_ns < last_ns_ - wait_ns);
}

bool calls_in_order::next(ordered_call& call) {
  while (!is_due()) {
    recorded_call read;
    if (!from_.next(read)) {
      is_at_end_ = true;
      if (waiting_.empty()) return false;
      continue;
    }
    last_ns_ = std::max(last_ns_, read.completed_ns);
    if (read.earlier.completed_ns != 0)
      add_seen(read.raw.completion_slot, read.earlier.completed_ns, read.earlier.seen_ns);
    if (has_(read)) add(std::move(read));
  }
  const auto first = waiting_.begin();
  const auto named = by_completion_.find({first->second.call.completed_ns, first->second.call.raw.completion_slot});
  if (named != by_completion_.end() && named->second == first) by_completion_.erase(named);
  call = std::move(first->second);
  waiting_.erase(first);
  return true;
}

}  // namespace genesys::command
