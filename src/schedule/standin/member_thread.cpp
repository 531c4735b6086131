// SPDX-License-Identifier: Apache-2.0
// The thread by which held_launches.h is a member of the daemon. It learns of a hold, raises the flags,
// waits for the drain, and launches again what was aborted, whatever the program's threads do meanwhile.
#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "schedule/daemon/clock.h"
#include "schedule/standin/held_launches.h"
#include "schedule/standin/in_context.h"
#include "schedule/standin/relaxed_capture.h"

namespace genesys::schedule::standin {
namespace {

// A program that launches again within this time has not become idle for the others.
constexpr processes::time_ns idle_after = 200'000;

void pause() {
  for (int i = 0; i < 20; ++i) __builtin_ia32_pause();
}

}  // namespace

void held_launches::be_member() {
  ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  const inside always;
  const relaxed_capture meanwhile;
  std::unique_lock hold(lock_);
  last_end_ = processes::now_ns();
  while (!ends_) {
    if (!has_begun_) {
      (void)client_->poll();
      see_members();
      report_if_wanted(&hold);
      begun_now_.wait_for(hold, std::chrono::milliseconds(50), [this] { return has_begun_ || ends_; });
      last_end_ = std::max(last_end_, processes::now_ns());
    } else if (is_held_) {
      hold.unlock();
      hold_until_free();
      hold.lock();
      last_end_ = std::max(last_end_, processes::now_ns());
    } else {
      watch(hold);
    }
  }
  if (has_begun_) client_->end();
}

void held_launches::see_members() {
  has_others_.store(client_->others() > 0, std::memory_order_relaxed);
  has_more_important_.store(client_->has_more_important(), std::memory_order_relaxed);
}

// Once round: launches are in the GPU, or were until now. With lock_.
void held_launches::watch(std::unique_lock<std::mutex>& hold) {
  collect();
  if (abortable_.now() == abortable_launch::state::aborted) run_again();  // the hold was over before the drain
  const bool is_busy = is_in_gpu();
  if (is_busy) last_end_ = std::max(last_end_, processes::now_ns());
  if (longest_run_ != 0) client_->set_run(static_cast<processes::time_ns>(longest_run_));
  const processes::hold must = client_->poll();
  see_members();
  if (must != processes::hold::none) {
    is_held_ = true;
    if (must == processes::hold::abort) raise();
    return;
  }
  if (!is_busy && processes::now_ns() - last_end_ > idle_after) {
    client_->end();
    has_begun_ = false;
    return;
  }
  const bool spins = abortable_.is_there();
  hold.unlock();
  report_if_wanted();
  if (spins) {  // a hold must be seen within microseconds; and the program's threads want the lock
    for (int i = 0; i < 8 && client_->poll() == processes::hold::none; ++i) pause();
    ::sched_yield();
  } else {
    std::this_thread::sleep_for(std::chrono::microseconds(has_more_important() ? 5 : 50));
  }
  lock_soon(hold);
}

// Under lock_. A launch that was aborted too often is let run, so that the program gets on.
void held_launches::raise() {
  if (abortable_.now() != abortable_launch::state::runs || abortable_.times_aborted() >= with_.aborts_max) return;
  const in_context in(abortable_.launch().context());
  abortable_.raise();
}

// Under lock_. Whether something of the program is in the GPU.
bool held_launches::is_in_gpu() const {
  return !in_gpu_.empty() || (abortable_.is_there() && abortable_.now() != abortable_launch::state::aborted);
}

// A process with something in the GPU has not acknowledged the hold, and is still `running` for the others.
bool held_launches::may_resume(bool has_left) {
  return (has_left ? client_->begin() : client_->poll()) == processes::hold::none;
}

// The program's threads launch nothing now. What is in the GPU may wait for what was aborted, so a hold that is over
// ends this also if the drain is not.
void held_launches::hold_until_free() {
  bool has_left = false;
  do {
    {
      const std::lock_guard hold(lock_);
      if (ends_) return;
      collect();
      has_left = !is_in_gpu();
      if (!has_left && client_->poll() == processes::hold::abort) raise();
    }
    if (has_left) {
      client_->acknowledge();
      client_->wait(processes::client::wait_max_ns);
      report_if_wanted();
    } else {
      ::sched_yield();
    }
  } while (!may_resume(has_left));
  const std::lock_guard hold(lock_);
  if (abortable_.now() == abortable_launch::state::aborted) run_again();
  is_held_ = false;
  resumed_.notify_all();
}

// For those who look on with `genesys schedule top`, once a second. A program may have thousands of kernels, so the
// lock is not held meanwhile.
void held_launches::report_if_wanted(std::unique_lock<std::mutex>* hold) {
  if (!client_->wants_report()) return;
  if (hold != nullptr) hold->unlock();
  std::vector<processes::kernel_report> now = kernel_reports();
  if (hold != nullptr) hold->lock();
  client_->report(std::move(now));
}

// Under lock_.
void held_launches::run_again() {
  const in_context in(abortable_.launch().context());
  abortable_.launch().launched()->tally().count_launch();
  if (!abortable_.run_again()) has_abortable_.store(false, std::memory_order_relaxed);
  run_again_.fetch_add(1, std::memory_order_relaxed);
  if (abortable_.has_rolled_back()) rolled_back_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace genesys::schedule::standin
