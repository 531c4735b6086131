// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <algorithm>

namespace genesys::schedule {

machine::machine(policy& under_test, const machine_times& times, std::uint64_t seed, observer& seen)
    : policy_(under_test), times_(times), random_(seed), observer_(seen) {}

void machine::at(time_ns when, std::function<void()> what) {
  future_.push({std::max(when, now_), order_++, std::move(what)});
}

bool machine::run(time_ns end) {
  while (!future_.empty()) {
    if (future_.top().when > end) return false;
    const timed next = future_.top();
    future_.pop();
    now_ = next.when;
    next.what();
  }
  return true;
}

void machine::report(const event& what) { call_policy(what); }

void machine::submit(task_id task, instance_id id, const true_kernel& kernel) {
  kernels_[id] = kernel;
  task_of_[id] = task;
  call_policy({.kind = event_kind::submitted, .task = task, .instance = id, .facts = kernel.told});
}

void machine::revise(instance_id id) {
  if (!is_complete_.contains(id)) {
    call_policy({.kind = event_kind::revised, .instance = id, .facts = kernels_[id].revised});
  }
}

void machine::later(event what) {
  time_ns& last = last_report_[what.instance];
  last = std::max(last + 1, now_ + random_upto(times_.event_most));
  at(last, [this, what] { call_policy(what); });
}

void machine::call_policy(const event& what) {
  actions decided;
  observer_.handles(what);
  policy_.handle(what, now_, decided);
  for (const action& each : decided) {
    observer_.acted(each);
    act(each);
  }
  observer_.handled();
  const time_ns wanted = policy_.next_deadline();
  if (wanted != never && wanted != deadline_) {
    at(deadline_ = wanted, [this, wanted] {
      if (deadline_ != wanted) return;
      deadline_ = never;
      call_policy({.kind = event_kind::time_passed});
    });
  }
}

void machine::act(const action& what) {
  const time_ns delay = random_upto(times_.action_most);
  switch (what.kind) {
    case action_kind::launch:
      start_launch(what);
      break;
    case action_kind::raise_abort:
      last_abort_ = std::max(last_abort_, now_ + delay);  // in their order
      at(last_abort_, [this, what] { raise_abort(what); });
      break;
    case action_kind::prepare_snapshot: {
      copy& its = copies_[what.instance];
      its.active = true, its.stopping = false, its.stored = what.stored_bytes;
      const std::uint64_t generation = ++its.generation;
      at(now_ + delay, [this, id = what.instance, generation] {
        if (copies_[id].generation == generation) copy_piece(id);
      });
      break;
    }
    case action_kind::stop_snapshot:
      at(now_ + delay, [this, id = what.instance, generation = copies_[what.instance].generation] {
        if (copies_[id].generation == generation) copies_[id].stopping = true;
      });
      break;
    case action_kind::roll_back: {
      ++roll_backs_;
      at(now_ + delay + copy_time(kernels_[what.instance].told.snapshot_bytes), [this, id = what.instance] {
        --roll_backs_;
        observer_.rolled_back(id);
        later({.kind = event_kind::rolled_back, .instance = id});
      });
      break;
    }
    case action_kind::discard_snapshot:
      break;
    case action_kind::complete:
      is_complete_.insert(what.instance);
      if (completes) at(now_ + delay, [this, id = what.instance] { completes(id); });
      break;
  }
}

void machine::copy_piece(instance_id id) {
  copy& its = copies_[id];
  const std::uint64_t all = kernels_[id].told.snapshot_bytes;
  if (its.stored == all) {
    its.active = false;
    observer_.snapshot_whole(id);
    later({.kind = event_kind::snapshot_finished, .instance = id});
    return;
  }
  if (its.stopping) {
    its.active = false;
    later({.kind = event_kind::snapshot_stopped, .instance = id, .stored_bytes = its.stored});
    return;
  }
  if (occupant_ == nullptr || times_.piece_wait_most == 0) {
    transfer_piece(id);
    return;
  }
  const auto most = times_.piece_wait_most * static_cast<double>(kernels_[occupant_->id].block);
  its.waits = true;
  at(now_ + random_upto(static_cast<time_ns>(most)), [this, id, wait = ++its.wait] {
    if (copies_[id].waits && copies_[id].wait == wait) transfer_piece(id);
  });
}

// Copies under way have equal shares.
time_ns machine::copy_time(std::uint64_t bytes) const {
  double length = static_cast<double>(bytes) / times_.copy_bytes_per_ns;
  if (times_.copies_share) {
    const auto active =
        std::count_if(copies_.begin(), copies_.end(), [](const auto& one) { return one.second.active; });
    length *= static_cast<double>(std::max<std::int64_t>(1, active + roll_backs_));
  }
  return static_cast<time_ns>(length);
}

void machine::transfer_piece(instance_id id) {
  copy& its = copies_[id];
  its.waits = false;
  const std::uint64_t bytes = std::min(times_.piece_bytes, kernels_[id].told.snapshot_bytes - its.stored);
  at(now_ + copy_time(bytes), [this, id, bytes, generation = its.generation] {
    if (copies_[id].generation != generation) return;
    copies_[id].stored += bytes;
    copy_piece(id);
  });
}

void machine::start_launch(const action& what) {
  resident one;
  one.id = what.instance;
  one.task = task_of_[what.instance];
  one.attempt = what.attempt;
  one.level = what.level;
  one.order = order_++;
  one.rest = kernels_[what.instance].run;
  const std::uint64_t order = one.order;
  residents_.emplace(order, one);
  time_ns& last = last_arrival_[one.task];  // a stream keeps its order
  last = std::max(last, now_ + random_upto(times_.action_most));
  at(last, [this, order] {
    residents_.at(order).arrived = true;
    choose_occupant();
  });
}

machine::resident* machine::find(std::uint64_t order) {
  const auto found = residents_.find(order);
  return found == residents_.end() ? nullptr : &found->second;
}

bool machine::has_earlier(const resident& one) const {
  return std::any_of(residents_.begin(), residents_.end(),
                     [&](const auto& each) { return each.second.task == one.task && each.second.order < one.order; });
}

// Aborted launches that have no blocks in the GPU need not run to leave it.
void machine::choose_occupant() {
  resident* best = nullptr;
  for (auto& [order, one] : residents_) {
    if (!one.arrived || has_earlier(one)) continue;
    if (one.abort_raised) {
      if (!one.drops && &one != occupant_) drop(one);
    } else if (best == nullptr || one.level > best->level) {
      best = &one;
    }
  }
  if (best == nullptr || best == occupant_) return;
  if (occupant_ == nullptr) {
    occupy(*best);
    return;
  }
  if (occupant_->leaves || occupant_->level >= best->level) return;
  occupant_->leaves = true;  // at the end of its resident blocks
  leave_after(random_upto(kernels_[occupant_->id].block));
}

void machine::leave_after(time_ns delay) {
  at(now_ + delay, [this, order = occupant_->order, generation = occupant_->generation] {
    resident* const one = find(order);
    if (one == nullptr || one->generation != generation || occupant_ != one) return;
    vacate(*one);
    choose_occupant();
  });
}

void machine::occupy(resident& one) {
  occupant_ = &one;
  one.since = now_;
  one.leaves = false;
  const std::uint64_t generation = ++one.generation;
  if (!one.started) {
    one.started = true;
    observer_.begins_to_run(one.id);
    later({.kind = event_kind::started, .instance = one.id, .attempt = one.attempt});
  }
  observer_.occupant_changed();
  at(now_ + one.rest, [this, order = one.order, generation] {
    resident* const same = find(order);
    if (same != nullptr && same->generation == generation && occupant_ == same) end_whole(*same);
  });
}

void machine::vacate(resident& one) {
  one.rest -= std::min(one.rest, now_ - one.since);
  ++one.generation;
  occupant_ = nullptr;
  for (const auto& [id, its] : copies_) {
    if (its.waits) transfer_piece(id);
  }
  observer_.occupant_changed();
}

void machine::end_whole(resident& one) {
  vacate(one);
  observer_.drained(one.id, true, true);
  later({.kind = event_kind::finished, .instance = one.id, .attempt = one.attempt});
  residents_.erase(one.order);
  choose_occupant();
}

// The blocks that remain start and leave at once, beside other launches.
void machine::drop(resident& one) {
  one.drops = true;
  at(now_ + random_upto(times_.drop_most), [this, order = one.order] {
    const resident& same = *find(order);
    observer_.drained(same.id, false, same.started);
    later({.kind = event_kind::aborted, .instance = same.id, .attempt = same.attempt, .wrote = same.started});
    residents_.erase(order);
    choose_occupant();
  });
}

void machine::raise_abort(const action& what) {
  for (auto& [order, one] : residents_) {
    if (one.id != what.instance || one.attempt != what.attempt || one.abort_raised) continue;
    if (&one == occupant_) {
      const time_ns most = std::max(times_.abort_least, kernels_[one.id].told.times.abort);
      const time_ns latency = times_.abort_least + random_upto(most - times_.abort_least);
      if (one.rest <= now_ - one.since + latency) return;  // past its last poll: it ends whole
      leave_after(latency);
    }
    one.abort_raised = true;
    choose_occupant();
    return;
  }
}

}  // namespace genesys::schedule
