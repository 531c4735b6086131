// SPDX-License-Identifier: Apache-2.0
#include "host/interrupt_thread.h"

#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <thread>

#include "trace/clock.h"

namespace genesys::detail {
namespace {

constexpr u64 quiet_look_ns = 50'000;  // a kernel often makes a few calls in a row
constexpr u32 balanced_looks = 5;      // as many times idle_us
// Requests in so many rounds in a row, or so many in a round: more than this thread should take, so workers wake.
constexpr u32 busy_rounds = 64, busy_requests = 8;
// If requests are on their way so many times in a row when it wants to sleep, the thread rests for a while.
constexpr u32 refusals_max = 16;
constexpr u64 rest_ns = 100'000'000;

u64 look_ns_of(const options& chosen) {
  switch (chosen.wakeup) {
    case wakeup_kind::quiet:
      return quiet_look_ns;
    case wakeup_kind::eager:
      return std::numeric_limits<u64>::max();
    default:
      return u64{chosen.idle_us} * 1000 * balanced_looks;
  }
}

}  // namespace

wakeup_kind choose_wakeup(wakeup_kind asked) {
  if (asked != wakeup_kind::any) return asked;
  const char* name = std::getenv("GENESYS_WAKEUP");
  const std::string text = name == nullptr ? "" : name;
  if (text.empty() || text == "balanced") return wakeup_kind::balanced;
  if (text == "quiet") return wakeup_kind::quiet;
  if (text == "eager") return wakeup_kind::eager;
  throw error(error_code::bad_option, "GENESYS_WAKEUP is '" + text + "'; it may be 'quiet', 'balanced' or 'eager'");
}

interrupt_thread::interrupt_thread(serving& all, std::unique_ptr<interrupt> by, std::function<all_launched()> launched,
                                   std::function<void()> tell)
    : all_(all),
      by_(std::move(by)),
      launched_(std::move(launched)),
      tell_(std::move(tell)),
      look_ns_(look_ns_of(all.chosen)),
      worker_(all, all.chosen.workers_max),
      tails_(all.memory.queues()) {
  if (all.chosen.wakeup == wakeup_kind::eager) warm_ = std::make_unique<warm_path>(all, worker_);
}

void interrupt_thread::begin(const std::function<std::shared_ptr<void>()>& keep_alive, u64 now) {
  if (cannot_start_ || wanted_.load(std::memory_order_relaxed) || now < not_before_ns_.load(std::memory_order_relaxed))
    return;
  if (!may_arm_.load(std::memory_order_seq_cst) && !warm_) return;
  if (!started_.load(std::memory_order_relaxed)) {
    try {
      worker_.start(keep_alive(), "genesys-irq", [this] { run(); });
      started_.store(true, std::memory_order_release);  // pairs with serves
    } catch (const std::exception&) {                   // the monitor looks instead
      cannot_start_ = true;
      return;
    }
  }
  const std::lock_guard hold(lock_);
  wanted_.store(true, std::memory_order_seq_cst);
  wakeup_.notify_one();
}

bool interrupt_thread::stop(u64 deadline_ns) {
  if (!started_) return true;
  by_->end();
  {
    const std::lock_guard hold(lock_);
    wakeup_.notify_one();
  }
  while (!worker_.has_left() && now_ns() < deadline_ns) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (!worker_.has_left()) {
    worker_.detach();
    return false;
  }
  worker_.join();
  return true;
}

void interrupt_thread::run() {
  (void)::prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);  // as the monitor
  while (wait_until_wanted()) {
    state_.store(state::looks, std::memory_order_relaxed);
    do {
      look();
    } while (may_sleep() && sleep());
    state_.store(state::rests, std::memory_order_relaxed);
    wanted_.store(false, std::memory_order_seq_cst);
    told_ = true;
    tell_();  // from here on the monitor looks
  }
}

bool interrupt_thread::wait_until_wanted() {
  worker_.show_asleep(true);
  std::unique_lock hold(lock_);
  wakeup_.wait(hold, [this] { return wanted_.load() || all_.stopping.load(); });
  worker_.show_asleep(false);
  return !all_.stopping.load();
}

bool interrupt_thread::keeps_up(u64 now) const {
  const u64 since = worker_.at_call().since_ns();
  return state_.load(std::memory_order_relaxed) == state::looks &&
         all_.coalescing.load(std::memory_order_relaxed) == 0 && !overloaded_.load(std::memory_order_relaxed) &&
         (since == 0 || now < since + u64{all_.chosen.stall_us} * 1000);
}

// Looks at the queues, and takes requests, until there was none for look_ns_.
void interrupt_thread::look() {
  u64 quiet_since = now_ns();
  u32 busy = 0;
  overloaded_.store(false, std::memory_order_relaxed);
  for (u32 rounds = 1; may_sleep(); ++rounds) {
    if (const u32 served = told_ ? worker_.serve_left_queues() : serve_first(); served != 0) {
      served_.store(served_.load(std::memory_order_relaxed) + served, std::memory_order_relaxed);
      quiet_since = 0;
      refused_ = 0;
      if (++busy == busy_rounds || served >= busy_requests) {  // the monitor wakes workers
        if (!overloaded_.exchange(true)) tell_();
      }
    } else if (quiet_since == 0) {
      quiet_since = now_ns();
      busy = 0;
      overloaded_.store(false, std::memory_order_relaxed);
    } else if (rounds % 16 == 0) {
      const u64 now = now_ns();
      if (now - quiet_since > look_ns_) return;
      if (warm_) warm_->now(now);
      if (crowded_) ::sched_yield();  // as in worker.cpp
    }
    relax();
  }
}

// The monitor does not know of the interrupt yet: to wake a thread takes long. So a call that ends soon comes first.
// From then on the monitor looks, and this thread may make calls that wait.
u32 interrupt_thread::serve_first() {
  const worker::first_left first = worker_.serve_first_left();
  if (first == worker::first_left::none) return 0;
  told_ = true;
  tell_();
  return first == worker::first_left::served ? 1 : 0;
}

// Until an interrupt. False: it cannot, now.
bool interrupt_thread::sleep() {
  state_.store(state::rests, std::memory_order_relaxed);  // the driver may be slow
  const bool armed = arm();
  state_.store(state::looks, std::memory_order_relaxed);
  if (!armed) return false;
  for (u32 q = 0; q < tails_.size(); ++q) {
    if (sequence_of(tails_[q]) == all_.queues[q].taken_so_far()) continue;
    by_->raise();  // a request is on its way (A4)
    if (++refused_ < refusals_max) return true;
    refused_ = 0;
    not_before_ns_.store(now_ns() + rest_ns, std::memory_order_relaxed);
    return false;
  }
  worker_.show_asleep(true);
  state_.store(state::armed, std::memory_order_seq_cst);
  if (!may_sleep()) by_->raise();  // pairs with stop
  by_->wait();
  state_.store(state::looks, std::memory_order_seq_cst);
  worker_.show_asleep(false);
  interrupts_.fetch_add(1, std::memory_order_relaxed);
  told_ = false;
  return true;
}

bool interrupt_thread::arm() {
  for (u32 q = 0; q < tails_.size(); ++q) all_.queues[q].repair();
  may_arm_.store(false, std::memory_order_seq_cst);
  bool armed = false;
  try {
    const all_launched all = launched_();
    armed = std::any_of(all.begin(), all.end(), [this](const auto& one) { return by_->arm(*one, tails_.data()); });
  } catch (const std::bad_alloc&) {  // the monitor looks instead
  }
  if (armed) may_arm_.store(true, std::memory_order_seq_cst);
  return armed;
}

}  // namespace genesys::detail
