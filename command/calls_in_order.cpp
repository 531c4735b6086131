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
  const std::pair key{call.raw.completion_slot, call.completed_ns};
  ordered_call one{std::move(call)};
  if (const auto early = early_.find(key.first); early != early_.end() && early->second.first == key.second) {
    one.seen_ns = early->second.second;
    early_.erase(early);
  }
  const std::int64_t begin_ns = one.begin_ns();
  by_slot_[key] = waiting_.emplace(begin_ns, std::move(one));
}

void calls_in_order::add_seen(std::uint32_t completion_slot, std::int64_t completed_ns, std::int64_t seen_ns) {
  if (const auto found = by_slot_.find({completion_slot, completed_ns}); found != by_slot_.end()) {
    found->second->second.seen_ns = seen_ns;
  } else {
    early_[completion_slot] = {completed_ns, seen_ns};
  }
}

bool calls_in_order::next(ordered_call& call) {
  const auto is_due = [this] {
    return !waiting_.empty() && (is_at_end_ || waiting_.size() > waiting_max ||
                                 waiting_.begin()->second.call.completed_ns < last_ns_ - wait_ns);
  };
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
  const auto at_slot = by_slot_.find({first->second.call.raw.completion_slot, first->second.call.completed_ns});
  if (at_slot != by_slot_.end() && at_slot->second == first) by_slot_.erase(at_slot);
  call = std::move(first->second);
  waiting_.erase(first);
  return true;
}

}  // namespace genesys::command
