// SPDX-License-Identifier: Apache-2.0
#include "host/monitor.h"
#include "execute/inline_data.h"

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <new>
#include <utility>

#include "host/serving_thread.h"
#include "trace/clock.h"
#include "trace/decode.h"

namespace genesys::detail {

monitor::monitor(serving& all, std::function<std::shared_ptr<void>()> keep_alive,
                 std::function<void(u64)> look_at_drains, std::function<interrupt_thread::all_launched()> launched)
    : all_(all),
      keep_alive_(std::move(keep_alive)),
      look_at_drains_(std::move(look_at_drains)),
      owner_(all.memory.queues(), 0),
      warned_of_(all.chosen.workers_max, 0),
      holds_(all.chosen.workers_max, false) {
  workers_.reserve(all.chosen.workers_max);
  assigned_.reserve(all.memory.queues());
  if (all.direct) return;  // its rings need the monitor's looks
  auto by = all.on->make_interrupt(all.memory.interrupt(), all.memory.where().producers, all.memory.queues());
  if (by == nullptr) return;
  interrupts_ = std::make_unique<interrupt_thread>(all, std::move(by), std::move(launched), [this] { look_soon(); });
}

std::string monitor::describe_wakeup() const {
  if (all_.direct) return "by the monitor (executor direct)";
  if (!interrupts_)
    return "by the monitor (the driver has no cuStreamWaitValue32, or CUDA_DEVICE_MAX_CONNECTIONS is below 4)";
  if (interrupts_->is_refused()) return "by the monitor (CUDA has refused an interrupt)";
  return all_.chosen.wakeup == wakeup_kind::quiet   ? "quiet"
         : all_.chosen.wakeup == wakeup_kind::eager ? "eager"
                                                    : "balanced";
}

void monitor::start() {
  all_.ready.set_wakeup([this] { wake_one(); });
  const u32 workers = all_.chosen.workers, queues = all_.memory.queues();
  for (u32 w = 0; w < workers; ++w) add_worker();
  for (u32 s = 0; s < queues; ++s) owner_[s] = s % workers;
  for (u32 w = 0; w < workers; ++w) assign(w, w);
  thread_ = serving_thread("genesys-monitor", [this, alive = keep_alive_()] { run(); });
}

// Between two looks while a kernel can wake the interrupt thread: by default a tenth of a second.
constexpr u64 monitor_intervals_armed = 250;

// A call is ready: wakes a worker that sleeps and may make it, unless one is idle. If none sleeps, an awake worker or
// look() finds the call. (An idle worker that falls asleep meanwhile looks for ready calls once more.)
void monitor::wake_one() {
  {
    const std::lock_guard hold(workers_lock_);
    if (std::any_of(workers_.begin(), workers_.end(), [](const auto& w) { return w->is_idle(); })) return;
    const auto asleep = std::find_if(workers_.begin(), workers_.end(),
                                     [](const auto& w) { return w->is_asleep() && !w->is_worker_ring_busy(); });
    if (asleep != workers_.end()) (*asleep)->wake();
  }
  if (!interrupts_) return;
  const std::lock_guard hold(lock_);
  if (!sleeps_long_) return;  // else the monitor looks too late if the call takes long
  woken_ = true;
  wakeup_.notify_one();
}

// Throws as worker::start.
u32 monitor::add_worker() {
  auto fresh = std::make_unique<worker>(all_, static_cast<u32>(workers_.size()));
  fresh->start(keep_alive_());
  const std::lock_guard hold(workers_lock_);
  workers_.push_back(std::move(fresh));
  return static_cast<u32>(workers_.size() - 1);
}

void monitor::run_attached() {
  all_.awake_until_ns.store(now_ns() + u64{all_.chosen.idle_us} * 1000 * 5, std::memory_order_relaxed);
  each_worker([](const worker& w) {
    if (w.is_asleep()) const_cast<worker&>(w).wake();
  });
  const std::lock_guard hold(lock_);
  ++runs_;
  woken_ = true;
  wakeup_.notify_one();
}

void monitor::run_ended() {
  const std::lock_guard hold(lock_);
  --runs_;
}

void monitor::kernel_launched() {
  const std::lock_guard hold(lock_);
  launched_ = true;  // seen with the next look
  if (!sleeps_long_) return;
  woken_ = true;
  wakeup_.notify_one();
}

// For the interrupt thread.
void monitor::look_soon() {
  const std::lock_guard hold(lock_);
  launched_ = woken_ = true;
  wakeup_.notify_one();
}

// Whether a worker is awake. Keeps when one last was that is not held up in a long call.
bool monitor::is_any_awake(u64 now) {
  bool any = false;
  for (const auto& w : workers_) {
    if (w->is_asleep()) continue;
    any = true;
    const u64 since = w->at_call().since_ns();
    if (since == 0 || now < since + u64{all_.chosen.stall_us} * 4000) active_ns_ = now;
  }
  return any;
}

void monitor::run() {
  // By default Linux may wake a thread 50 us late (prctl(2), PR_SET_TIMERSLACK), and with it a call.
  (void)::prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
  active_ns_ = now_ns();
  for (;;) {
    const u64 now = now_ns();
    const bool anyone_awake = is_any_awake(now);
    {
      std::unique_lock hold(lock_);
      const bool wake_soon =
          now < all_.awake_until_ns.load(std::memory_order_relaxed);  // run_attached() has woken them
      const bool interrupted = interrupts_ != nullptr && !anyone_awake && !wake_soon && runs_ != 0;
      if (interrupted || (interrupts_ && runs_ != 0 && all_.chosen.wakeup == wakeup_kind::eager)) {
        interrupts_->begin(keep_alive_, now);
      } else if (interrupts_) {
        interrupts_->rest();
      }
      const auto woken = [this] { return woken_ || all_.stopping.load(std::memory_order_acquire); };
      if (!anyone_awake && runs_ == 0) {
        wakeup_.wait(hold, woken);  // no kernel is left that could call
      } else {
        const bool may_be_late = interrupted && interrupts_->is_armed() && !all_.ready.any();  // pairs with wake_one
        const u64 wanted_ns =
            may_be_late ? monitor_intervals_armed * all_.chosen.monitor_us * 1000 : until_next_look_ns(now);
        sleeps_long_ = wanted_ns > u64{all_.chosen.monitor_us} * 1000;
        wakeup_.wait_for(hold, std::chrono::nanoseconds(wanted_ns), woken);
      }
      woken_ = false;
      if (std::exchange(launched_, false)) active_ns_ = now_ns();
    }
    if (all_.stopping.load(std::memory_order_acquire)) return;
    try {
      look();
    } catch (const std::bad_alloc&) {  // no memory for the text of a warning
    }
  }
}

// How long the next look may be put off. The first call after a silence of `quiet_ns` waits that much longer. A quarter
// of the silence, up to monitor_us; after many seconds a two-thousandth of it, up to ten times monitor_us.
static u64 put_off_ns(u64 quiet_ns, u64 monitor_us) {
  constexpr u64 least_ns = 50'000, of_long_silence = 2000, at_most = 10;
  const u64 monitor_ns = monitor_us * 1000;
  return std::max(std::min(std::max(quiet_ns / 4, least_ns), monitor_ns),
                  std::min(quiet_ns / of_long_silence, at_most * monitor_ns));
}

// While a worker is awake: often enough to see that a call holds it up.
u64 monitor::until_next_look_ns(u64 now) const {
  const u64 monitor_us = all_.chosen.monitor_us, quiet_ns = now - active_ns_;
  u64 wanted_ns = put_off_ns(quiet_ns, monitor_us);
  if (quiet_ns == 0) wanted_ns = std::min(std::max(u64{all_.chosen.stall_us} / 2, u64{20}), monitor_us) * 1000;
  if (all_.direct) wanted_ns = std::min(wanted_ns, rings_due_ns_ > now ? rings_due_ns_ - now : 0);
  return wanted_ns;
}

// Whether the interrupt thread serves the queues of sleeping workers, so that none of them need wake.
bool monitor::look_at_interrupts(u64 now) {
  interrupts_->look_at_call(now);
  const u64 served = interrupts_->served();
  if (std::exchange(interrupts_served_, served) != served) active_ns_ = now;
  return interrupts_->keeps_up(now);
}

void monitor::look() {
  const u64 now = now_ns();
  if (all_.direct) {  // SQPOLL threads sleep after 2 ms without SQEs, so monitor_us is the minimum
    const u64 monitor_us = all_.chosen.monitor_us;
    rings_due_ns_ = all_.direct->look(
        now, [&](u64 quiet_ns) { return put_off_ns(std::max(quiet_ns, 4000 * monitor_us), monitor_us); });
  }
  for (const auto& w : workers_) w->at_call().look(now);
  const bool others_serve = interrupts_ && look_at_interrupts(now);
  for (u32 s = 0; s < owner_.size(); ++s) {
    worker& owner = *workers_[owner_[s]];
    if (!all_.queues[s].pending()) {
      all_.queues[s]
          .repair();  // also while the owner is in a call, because that call may wait for lanes that need room
    } else if (owner.is_asleep()) {
      active_ns_ = now;
      // A worker that lost the queue may have marked it as left for a long call since its owner fell asleep. Then those
      // that serve for sleeping workers do not see it.
      if (!others_serve || !all_.queues[s].is_left(submission_queue::leave_for::sleep)) owner.wake();
    } else if (const u64 since = owner.at_call().since_ns();
               since != 0 && now > since + u64{all_.chosen.stall_us} * 1000) {
      migrate_queues(owner_[s]);
    }
  }
  if (all_.ready.any()) wake_for_ready(now);
  if (all_.chosen.stall_warn_ms == 0) return;
  look_at_drains_(now);
  const auto warn = [&](const worker& one, u64& warned_of) {
    const u64 since = one.at_call().since_ns();
    if (since != 0 && since != warned_of && now > since + u64{all_.chosen.stall_warn_ms} * 1'000'000 &&
        warn_of_long_call(one, now))
      warned_of = since;
  };
  for (u32 w = 0; w < workers_.size(); ++w) warn(*workers_[w], warned_of_[w]);
  if (interrupts_ && interrupts_->serves() != nullptr) warn(*interrupts_->serves(), interrupts_warned_of_);
}

// A worker that is neither held up nor has calls in its ring takes a ready call in its next round. Without such a
// worker, the monitor wakes or adds one.
void monitor::wake_for_ready(u64 now) {
  for (const auto& w : workers_) {
    const u64 since = w->at_call().since_ns();
    if (w->is_worker_ring_busy() || (since != 0 && now > since + u64{all_.chosen.stall_us} * 1000)) continue;
    if (w->is_asleep()) w->wake();
    return;
  }
  if (const int new_owner = find_new_owner(true); new_owner >= 0) workers_[static_cast<std::size_t>(new_owner)]->wake();
}

bool monitor::warn_of_long_call(const worker& one, u64 now) {
  call_in_progress at;
  if (!one.at_call().read(at) || at.seen_since_ns == 0) return false;
  (void)take_carried_data(at.call);
  std::fprintf(stderr, "genesys: a call takes long: %s by block %u, warp %u, for %.1f s now\n",
               trace::decode(at.call.number, at.call.args).c_str(), at.call.block, at.call.warp,
               static_cast<double>(now - at.seen_since_ns) / 1e9);
  return true;
}

u32 monitor::stop(u64 deadline_ns) {
  {
    const std::lock_guard hold(lock_);
    woken_ = true;
    wakeup_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
  for (const auto& w : workers_) w->wake();
  deadline_ns = std::max(deadline_ns, now_ns() + 100'000'000);  // workers in no call need a moment to leave
  u32 left_behind = interrupts_ && !interrupts_->stop(deadline_ns) ? 1 : 0;
  for (const auto& w : workers_) {
    while (!w->has_left() && now_ns() < deadline_ns) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (w->has_left()) {
      w->join();
    } else {
      w->detach();
      ++left_behind;
    }
  }
  return left_behind;
}

void monitor::each_worker(const std::function<void(const worker&)>& visit) const {
  const std::lock_guard hold(workers_lock_);
  for (const auto& w : workers_) visit(*w);
  if (interrupts_ && interrupts_->serves() != nullptr) visit(*interrupts_->serves());
}

}  // namespace genesys::detail
