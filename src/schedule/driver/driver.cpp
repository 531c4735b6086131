// SPDX-License-Identifier: Apache-2.0
// Tasks, submission, and the driver's own thread.
#include "schedule/driver/driver.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <optional>
#include <string>

namespace genesys::schedule {
namespace {

policy_options with_space(policy_options policy, const snapshot_limits& limits) {
  policy.snapshot_space_bytes = limits.device_bytes + limits.pinned_bytes;
  return policy;
}

void check_nice(int nice) {
  if (nice >= nice_emergency && nice <= nice_least) return;
  throw error(error_code::bad_option, "a nice value is from -20 to 19, not " + std::to_string(nice));
}

}  // namespace

driver::driver(std::unique_ptr<execution> with, const driver_options& options)
    : options_(options),
      with_(std::move(with)),
      policy_(with_space(options.policy, options.snapshots)),
      aborts_(with_->on()),
      space_(with_->on(), options.snapshots),
      timer_(*with_) {
  copied_counts_ = static_cast<detail::aborts::leave_counts*>(
      with_->on().allocate_both(detail::aborts::indices * abort_table::counts_bytes));
  if (with_->has_raiser()) {
    raiser_ =
        std::make_unique<resident_raiser>(with_->on(), aborts_.flags(), aborts_.replicas(), with_->copies_of_flags());
    aborts_.use(*raiser_);
  }
  thread_ = std::thread([this] { work(); });
}

driver::~driver() {
  for (;;) {
    {
      const std::lock_guard hold(lock_);
      take_arrivals();
      if (instances_.empty() || failed_ != nullptr) break;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  {
    const std::lock_guard hold(sleeping_);
    ends_.store(true, std::memory_order_relaxed);
  }
  wake_.notify_all();
  thread_.join();
  if (raiser_mark_ != 0 && failed_ == nullptr) {
    raiser_->stop();
    while (!with_->passed(raiser_mark_)) std::this_thread::yield();
  }
  with_->on().free_both(copied_counts_);
}

task_id driver::add_task(int nice) {
  check_nice(nice);
  const std::lock_guard hold(lock_);
  if (tasks_.size() - (outside_task_ != 0 ? 1 : 0) == tasks_max) {
    throw error(error_code::bad_option,
                "a scheduler has at most " + std::to_string(tasks_max) + " tasks: end one of them first");
  }
  detail::u32 latch = 0;
  const auto is_used = [&] {
    return std::any_of(tasks_.begin(), tasks_.end(), [&](const auto& each) { return each.second.latch == latch; });
  };
  while (is_used()) ++latch;
  tasks_[++last_task_].latch = latch;
  tasks_[last_task_].nice = nice;
  revise();
  events_.push_back({.kind = event_kind::task_added, .task = last_task_, .nice = nice});
  handle_events();
  return last_task_;
}

void driver::set_nice(task_id task, int nice) {
  check_nice(nice);
  const std::lock_guard hold(lock_);
  take_arrivals();  // so that they keep their order
  task_state& of = tasks_.at(task);
  if (std::exchange(of.nice, nice) != nice) {
    of.has_launched = false;  // with this value
    revise();
  }
  events_.push_back({.kind = event_kind::task_added, .task = task, .nice = nice});
  handle_events();
}

void driver::remove_task(task_id task) {
  for (;;) {
    {
      const std::lock_guard hold(lock_);
      take_arrivals();
      if (failed_ != nullptr) return;
      if (tasks_.at(task).unfinished == 0) {
        events_.push_back({.kind = event_kind::task_removed, .task = task});
        handle_events();
        reserved_pieces_ -= tasks_.at(task).snapshot_pieces;
        tasks_.erase(task);
        return;
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

std::shared_ptr<const completion> driver::submit(task_id task, instance_request request) {
  if (has_failed_.load(std::memory_order_acquire)) {  // pairs with fail()
    const std::lock_guard hold(lock_);
    std::rethrow_exception(failed_);
  }
  const auto done = std::make_shared<completion>();
  arrivals_.add({task, std::move(request), done});
  // Sequentially consistent, as in work(): either the driver's thread sees the arrival before it naps, or this one sees
  // that it does.
  if (!lock_.lock_unless([this] { return is_looking_.load(); })) return done;
  {
    const std::lock_guard hold(lock_, std::adopt_lock);
    take_arrivals();
  }
  {
    const std::lock_guard hold(sleeping_);
    is_idle_ = false;
  }
  wake_.notify_one();
  return done;
}

void driver::take_arrivals() {
  while (take_arrival()) {
  }
}

bool driver::take_arrival() {
  std::optional<arrival> next = arrivals_.take([this](task_id of) { return tasks_.at(of).nice; });
  if (!next) return false;
  enter(std::move(*next));
  return true;
}

void driver::enter(arrival one) {
  if (failed_ != nullptr) return one.done->end(failed_);
  task_state& of = tasks_.at(one.task);
  if (inside_++ == 0 && outside_ != nullptr && !outside_->begin()) occupy_now();
  note_shape(one.task, one.request);
  ++of.unfinished;
  running& made = instances_[++last_instance_];
  made.key = learnt_times::of(one.request.kernel, one.request.what);
  made.has_verdict = one.request.abortable;
  made.request = std::move(one.request);
  made.task = one.task;
  made.done = std::move(one.done);
  const kernel_facts facts = choose_code(made);
  if (made.leaves_space) space_left_.insert(last_instance_);
  events_.push_back({.kind = event_kind::submitted, .task = one.task, .instance = last_instance_, .facts = facts});
  handle_events();
}

// The snapshots of a task exist one at a time, so it needs space for its largest one.
bool driver::reserve_for(task_state& task, std::size_t pieces) {
  if (pieces <= task.snapshot_pieces) return true;
  const std::uint64_t wanted = reserved_pieces_ - task.snapshot_pieces + pieces;
  if (!space_.grow(wanted)) return false;
  reserved_pieces_ = wanted;
  task.snapshot_pieces = pieces;
  return true;
}

statistics driver::counted() const {
  const std::lock_guard hold(lock_);
  return policy_.counted();
}
kernel_times driver::times_of(kernel_id kernel, const kernel_launch& what) const {
  const std::lock_guard hold(lock_);
  return learnt_[learnt_times::of(kernel, what)];
}

void driver::recall(const learnt_times::key& of, const kernel_times& earlier) {
  const std::lock_guard hold(lock_);
  learnt_.recall(of, earlier);
}

std::vector<std::pair<learnt_times::key, kernel_times>> driver::learnt() const {
  const std::lock_guard hold(lock_);
  std::vector<std::pair<learnt_times::key, kernel_times>> all;
  learnt_.for_each_measured([&](const auto& of, const kernel_times& times) { all.emplace_back(of, times); });
  return all;
}

std::uint64_t driver::blocks_at_a_time(const kernel_launch& what, execution::code which) {
  const std::lock_guard hold(lock_);
  return with_->blocks_at_a_time(what, which);
}

// The driver's thread.
void driver::work() {
  pthread_setname_np(pthread_self(), "genesys-sched");
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  with_->on().enter_serving_thread();
  // A look takes 0.8 us with its pauses. Where a task may ask for the GPU while another one has it, the thread is awake
  // for 80 ms: a request then takes half as long.
  constexpr unsigned looks_of_one_task = 2'000, looks_of_several = 100'000, pauses_between_looks = 16;
  unsigned looks = 0, looks_before_nap = looks_of_one_task;
  while (!ends_.load(std::memory_order_relaxed)) {
    is_looking_.store(with_->nap() == 0);
    bool is_idle = false;
    if (lock_.try_lock()) {
      const bool changed = look();
      looks_before_nap = tasks_.size() > 1 ? looks_of_several : looks_of_one_task;
      is_idle = ((instances_.empty() && raiser_mark_ == 0) || failed_ != nullptr) && arrivals_.is_empty();
      lock_.unlock();
      looks = changed ? 0 : looks + 1;
    }
    const bool naps = with_->nap() != 0 ? looks > 0 : looks > looks_before_nap;
    if (is_idle || naps) {
      is_looking_.store(false);  // sequentially consistent, with the load of has_new(): pairs with submit()
      if (!arrivals_.has_new()) is_idle ? sleep() : nap();
      if (is_idle) looks = 0;
    } else {
      // Each look takes the lock's cache line, and what is behind it, from a thread that waits for it.
      for (unsigned i = 0; i < pauses_between_looks || lock_.is_wanted(); ++i) {
        if (arrivals_.has_new()) break;
        __builtin_ia32_pause();
      }
    }
  }
}

// Takes what was submitted, but not so much that ends are noticed late.
bool driver::look() {
  constexpr unsigned arrivals_max = 4;
  bool changed = false;
  try {
    for (unsigned i = 0; i < arrivals_max && take_arrival(); ++i) changed = true;
    if (failed_ == nullptr) changed = poll() || changed;
  } catch (const error&) {
    fail(std::current_exception());
  }
  return changed;
}

void driver::sleep() {
  std::unique_lock hold(sleeping_);
  wake_.wait(hold, [this] { return !is_idle_ || ends_.load(std::memory_order_relaxed); });
  is_idle_ = true;  // the next look finds what was submitted
}

void driver::nap() const {
  const timespec time{0, static_cast<long>(with_->nap() != 0 ? with_->nap() : 5'000)};
  ::nanosleep(&time, nullptr);
}

}  // namespace genesys::schedule
