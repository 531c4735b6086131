// SPDX-License-Identifier: Apache-2.0
// The driver's part that carries actions out, and finds what has ended. Everything here runs under the driver's lock.
#include <algorithm>
#include <utility>

#include "schedule/driver/driver.h"

namespace genesys::schedule {

// Actions may lead to events: a launch that begins at once, for example. They come after all actions of one event.
void driver::handle_events() {
  while (!events_.empty()) {
    const event next = events_.front();
    events_.pop_front();
    actions_.clear();
    const time_ns time = with_->now();
    policy_.handle(next, time, actions_);
    const actions now = std::exchange(actions_, {});
    if (observer_) observer_(time, next, now);
    try {
      for (const action& each : now) perform(each);
    } catch (const error&) {
      fail(std::current_exception());
    }
  }
  deadline_ = policy_.next_deadline();
}

void driver::perform(const action& what) {
  if (failed_ != nullptr) return;
  running& one = instances_.at(what.instance);
  switch (what.kind) {
    case action_kind::launch:
      launch(what.instance, one, what);
      break;
    case action_kind::raise_abort:
      if (!one.in_gpu) break;  // it has ended, and the policy is about to be told
      one.raised = true;
      one.raised_at = with_->now();
      aborts_.raise(one.abort);
      raised_.push_back(what.instance);
      break;
    case action_kind::prepare_snapshot:
      prepare_snapshot(one);
      copying_.push_back(what.instance);
      break;
    case action_kind::stop_snapshot:
      one.kept->stop();
      // It may have ended, and the policy is about to be told.
      if (one.copies == running::copying::storing) one.copies = running::copying::stopping;
      break;
    case action_kind::discard_snapshot:
      one.kept.reset();
      break;
    case action_kind::roll_back:
      one.restore_waits = true;
      copying_.push_back(what.instance);
      break;
    case action_kind::complete:
      complete(what.instance, one);
      break;
  }
}

void driver::launch(instance_id id, running& one, const action& how) {
  one.attempt = how.attempt;
  if (one.leaves_space) space_left_.erase(id);
  one.level = std::min(how.level, options_.levels_max - 1);
  one.raised = one.disturbed = one.counts_copied = false;
  one.launched_at = with_->now();
  if (one.task == outside_task_) return begin_outside(id, one);
  begin_timing(one);
  one.has_context = one.request.abortable ||
                    (one.timing != block_timer::none && one.request.what.timed_code == kernel_launch::timing::polls);
  begin_beside_raiser(one);
  begin_after_drains(one);
  if (one.has_context) one.abort = aborts_.begin(tasks_.at(one.task).latch, one.request.what.threads_in_all());
  try {
    one.mark = with_->launch(one.request.what, one.level, one.has_context ? &one.abort.context : nullptr,
                             one.timing != block_timer::none ? &timer_.context(one.timing) : nullptr);
    if (one.timing != block_timer::none) timer_.launched(one.timing, one.level);
  } catch (const error&) {  // the device refuses this launch; others go on
    one.refused = std::current_exception();
    if (one.has_context) (void)aborts_.conclude(one.abort);
    if (one.timing != block_timer::none) {
      timer_.refused(std::exchange(one.timing, block_timer::none));
      learnt_.timing_failed(one.key);
    }
    events_.push_back({.kind = event_kind::finished, .instance = id, .attempt = one.attempt});
    return;
  }
  for (auto& [level, queue] : levels_) {
    if (level == one.level) continue;
    for (const instance_id other : queue) instances_.at(other).disturbed = true;
  }
  std::deque<instance_id>& queue = levels_[one.level];
  one.in_gpu = true;
  one.disturbed = levels_.size() > 1;
  queue.push_back(id);
  if (queue.size() == 1) begin_front(one.level);
}

// While others drain, the multiprocessors become free one after the other, and the first ones take as many blocks as
// they can. Blocks that would be spread over all of them then run on a part of them. So a long launch of such blocks
// begins when the drain is over.
void driver::begin_after_drains(const running& one) {
  constexpr time_ns long_run = 500'000;
  constexpr unsigned share = 10;  // of its run, at most
  const time_ns run = learnt_[one.key].run;
  if (run < long_run) return;
  const block_needs needs = with_->needs_of(one.request.what, execution::code::plain);
  if (shape_of(needs, one.key.blocks, with_->limits()).resident >= needs.at_a_time) return;
  for (const auto& [level, queue] : levels_) {
    for (const instance_id id : queue) {
      const running& other = instances_.at(id);
      if (other.raised && learnt_[other.key].abort <= run / share) with_->begin_after(one.level, other.mark);
    }
  }
}

// Of a kernel and shape whose block time is wanted, this launch measures it. It is as abortable as without.
void driver::begin_timing(running& one) {
  one.timing = block_timer::none;
  const kernel_launch::timing how = one.request.what.timed_code;
  if (how == kernel_launch::timing::none || !learnt_.wants_blocks(one.key)) return;
  if (one.request.abortable && how != kernel_launch::timing::polls) return;
  const unsigned order = learnt_.timing_begins(one.key);
  one.timing = timer_.begin(one.key.blocks, order);
  if (one.timing == block_timer::none) learnt_.timing_failed(one.key);
}

// Nothing urgent waits for this, so the driver's own thread does it. The copies end after the launches.
void driver::copy_counts() {
  for (const instance_id id : raised_) {
    running& one = instances_.at(id);
    auto* const into = copied_counts_ + one.abort.index * detail::aborts::count_replicas;
    const auto after = with_->copy_after(one.level, into, aborts_.counts_of(one.abort), abort_table::counts_bytes);
    if (after == 0) continue;
    with_->forget(one.mark);
    one.mark = after;
    one.counts_copied = true;
  }
  raised_.clear();
}

// The first launch of a level is taken for started: the device has nothing to do before it.
void driver::begin_front(unsigned level) {
  const instance_id id = levels_.at(level).front();
  running& one = instances_.at(id);
  one.front_since = with_->now();
  one.beside_raiser = raiser_mark_ != 0;
  events_.push_back({.kind = event_kind::started, .instance = id, .attempt = one.attempt});
}

void driver::prepare_snapshot(running& one) {
  if (one.kept == nullptr) one.kept = std::make_unique<snapshot>(*with_, space_, one.request.write_set);
  one.kept->store();
  one.copies = running::copying::storing;
}

void driver::complete(instance_id id, running& one) {
  const std::shared_ptr<completion> done = std::move(one.done);
  const std::exception_ptr refused = one.refused;
  --tasks_.at(one.task).unfinished;
  const bool is_inside = one.task != outside_task_;
  instances_.erase(id);
  done->end(refused);
  if (is_inside && --inside_ == 0 && outside_ != nullptr) outside_->end();
}

bool driver::poll() {
  if (!raised_.empty()) copy_counts();
  bool changed = poll_launches();
  if (timer_.is_waiting()) timer_.poll(learnt_);
  if (!copying_.empty()) changed = poll_copies() || changed;
  const time_ns now = with_->now();
  constexpr time_ns check_every = 1'000'000;
  if (now - last_check_ > check_every) {
    last_check_ = now;
    with_->look_for_failure();
  }
  if (deadline_ <= now) {
    events_.push_back({.kind = event_kind::time_passed});
    changed = true;
  }
  if (changed) {
    handle_events();
    last_change_ = now;
  }
  look_after_raiser();
  return changed;
}

bool driver::poll_launches() {
  bool changed = false;
  for (auto level = levels_.begin(); level != levels_.end();) {
    std::deque<instance_id>& queue = level->second;
    while (!queue.empty()) {
      const instance_id id = queue.front();
      running& one = instances_.at(id);
      if (!with_->passed(one.mark)) break;
      with_->forget(one.mark);
      queue.pop_front();
      one.in_gpu = false;
      changed = true;
      launch_ended(id, one);
      if (!queue.empty()) begin_front(level->first);
    }
    level = queue.empty() ? levels_.erase(level) : std::next(level);
  }
  return changed;
}

void driver::launch_ended(instance_id id, running& one) {
  const time_ns now = with_->now();
  const auto* const counts =
      one.counts_copied ? copied_counts_ + one.abort.index * detail::aborts::count_replicas : nullptr;
  const launch_end end = one.has_context ? aborts_.conclude(one.abort, counts) : launch_end{false, true};
  const bool is_timed = one.timing != block_timer::none;
  if (is_timed) timer_.ended(std::exchange(one.timing, block_timer::none), one.key, !end.aborted, learnt_);
  if (end.aborted) {
    learnt_.left(one.key, now - one.raised_at);
    events_.push_back({.kind = event_kind::aborted, .instance = id, .attempt = one.attempt, .wrote = end.wrote});
    return;
  }
  // A launch that measures takes longer. Its run would look like a change, for which the next ones measure again.
  if (!one.disturbed && !one.raised && (!is_timed || learnt_[one.key].run == 0)) {
    learnt_.ran(one.key, now - std::max(one.launched_at, one.front_since),
                with_->blocks_at_a_time(one.request.what, execution::code::plain));
    if (one.has_context && !is_timed) learnt_.ran_with_polls(one.key, now - one.front_since, one.beside_raiser);
  }
  events_.push_back({.kind = event_kind::finished, .instance = id, .attempt = one.attempt});
}

bool driver::poll_copies() {
  const std::size_t before = copying_.size();
  std::erase_if(copying_, [this](instance_id id) {
    running& one = instances_.at(id);
    // A6: no launch of the task is in the GPU.
    if (one.restore_waits && !has_launch(one.task)) {
      one.restore_waits = false;
      one.kept->restore();
      one.copies = running::copying::restoring;
    }
    if (one.copies == running::copying::none || !one.kept->is_idle()) return false;
    const auto ended = std::exchange(one.copies, running::copying::none);
    event what{.instance = id};
    if (ended == running::copying::restoring) {
      what.kind = event_kind::rolled_back;
    } else if (one.kept->is_stored()) {
      what.kind = event_kind::snapshot_finished;
    } else {
      what.kind = event_kind::snapshot_stopped;
      what.stored_bytes = one.kept->stored_bytes();
    }
    events_.push_back(what);
    return true;
  });
  return copying_.size() != before;
}

bool driver::has_launch(task_id task) const {
  return std::any_of(levels_.begin(), levels_.end(), [&](const auto& level) {
    return std::any_of(level.second.begin(), level.second.end(),
                       [&](instance_id id) { return instances_.at(id).task == task; });
  });
}

void driver::fail(std::exception_ptr why) {
  if (failed_ == nullptr) failed_ = why;
  events_.clear();
  levels_.clear();
  raised_.clear();
  copying_.clear();
  has_failed_.store(true, std::memory_order_release);  // pairs with submit()
  for (auto& [id, one] : instances_) {
    if (one.done != nullptr) one.done->end(why);
  }
  for (auto& [id, task] : tasks_) task.unfinished = 0;
  instances_.clear();
  space_left_.clear();
  if (inside_ != 0 && outside_ != nullptr) outside_->end();  // no longer in the way of others
  inside_ = outside_instance_ = 0;
}

}  // namespace genesys::schedule
