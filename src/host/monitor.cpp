// SPDX-License-Identifier: Apache-2.0
#include "host/monitor.h"

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
                 std::function<void(u64)> look_at_drains)
    : all_(all),
      keep_alive_(std::move(keep_alive)),
      look_at_drains_(std::move(look_at_drains)),
      owner_(all.memory.queues(), 0),
      warned_of_(all.chosen.workers_max, 0),
      holds_(all.chosen.workers_max, false) {
  workers_.reserve(all.chosen.workers_max);
  assigned_.reserve(all.memory.queues());
}

void monitor::start() {
  all_.ready.set_wakeup([this] { wake_one(); });
  const u32 workers = all_.chosen.workers, queues = all_.memory.queues();
  for (u32 w = 0; w < workers; ++w) add_worker();
  for (u32 s = 0; s < queues; ++s) owner_[s] = s % workers;
  for (u32 w = 0; w < workers; ++w) assign(w, w);
  thread_ = serving_thread("genesys-monitor", [this, alive = keep_alive_()] { run(); });
}

// For a call that is ready: any worker that sleeps, and may make it. If there is none, one of those that are awake sees
// it, or look().
void monitor::wake_one() {
  const std::lock_guard hold(workers_lock_);
  const auto asleep = std::find_if(workers_.begin(), workers_.end(),
                                   [](const auto& w) { return w->is_asleep() && !w->is_worker_ring_busy(); });
  if (asleep != workers_.end()) (*asleep)->wake();
}

// Throws as worker::start.
u32 monitor::add_worker() {
  auto fresh = std::make_unique<worker>(all_);
  fresh->start(keep_alive_());
  const std::lock_guard hold(workers_lock_);
  workers_.push_back(std::move(fresh));
  return static_cast<u32>(workers_.size() - 1);
}

// One more worker, or -1: where the system has no thread for it now, it is asked again a little later.
int monitor::try_to_add_worker(u64 now) {
  constexpr u64 later_ns = 20'000'000;
  if (workers_.size() >= all_.chosen.workers_max || now < add_after_ns_) return -1;
  try {
    return static_cast<int>(add_worker());
  } catch (const std::exception& caught) {
    if (add_after_ns_ == 0)
      std::fprintf(stderr, "genesys: calls wait for a worker, and there can be no more of them: %s\n", caught.what());
    add_after_ns_ = now + later_ns;
    return -1;
  }
}

// The shards of worker `from` get a new epoch, and with it worker `to`. (Needs no memory.)
void monitor::assign(u32 from, u32 to) {
  assigned_.clear();
  for (u32 s = 0; s < owner_.size(); ++s) {
    if (owner_[s] != from) continue;
    assigned_.push_back({&all_.queues[s], all_.queues[s].migrate()});
    owner_[s] = to;
  }
  workers_[to]->give(assigned_);
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

void monitor::run() {
  // By default Linux may wake a thread 50 us late (prctl(2), PR_SET_TIMERSLACK), and with it a call.
  (void)::prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
  active_ns_ = now_ns();
  for (;;) {
    const u64 now = now_ns();
    bool anyone_awake = false;
    for (const auto& w : workers_) {
      if (w->is_asleep()) continue;
      anyone_awake = true;
      const u64 since = w->at_call().since_ns();
      if (since == 0 || now < since + u64{all_.chosen.stall_us} * 4000) active_ns_ = now;
    }
    {
      std::unique_lock hold(lock_);
      const auto woken = [this] { return woken_ || all_.stopping.load(std::memory_order_acquire); };
      if (!anyone_awake && runs_ == 0) {
        wakeup_.wait(hold, woken);  // nobody is left who could call
      } else {
        const u64 wanted_ns = until_next_look_ns(now);
        sleeps_long_ = wanted_ns > u64{all_.chosen.monitor_us} * 1000;
        wakeup_.wait_for(hold, std::chrono::nanoseconds(wanted_ns), woken);
      }
      woken_ = false;
      if (std::exchange(launched_, false)) active_ns_ = now_ns();
    }
    if (all_.stopping.load(std::memory_order_acquire)) return;
    try {
      look();
    } catch (const std::bad_alloc&) {  // for a warning's words
    }
  }
}

// How long a look may be put off: so much longer a call waits whose caller has not called for `quiet_ns`. A quarter of
// that, up to monitor_us; after many seconds a two-thousandth of it, up to ten times monitor_us.
static u64 put_off_ns(u64 quiet_ns, u64 monitor_us) {
  constexpr u64 least_ns = 50'000, of_long_silence = 2000, at_most = 10;
  const u64 monitor_ns = monitor_us * 1000;
  return std::max(std::min(std::max(quiet_ns / 4, least_ns), monitor_ns),
                  std::min(quiet_ns / of_long_silence, at_most * monitor_ns));
}

// As long as a worker is about, often enough to see that it is held up.
u64 monitor::until_next_look_ns(u64 now) const {
  const u64 monitor_us = all_.chosen.monitor_us, quiet_ns = now - active_ns_;
  u64 wanted_ns = put_off_ns(quiet_ns, monitor_us);
  if (quiet_ns == 0) wanted_ns = std::min(std::max(u64{all_.chosen.stall_us} / 2, u64{20}), monitor_us) * 1000;
  if (all_.direct) wanted_ns = std::min(wanted_ns, rings_due_ns_ > now ? rings_due_ns_ - now : 0);
  return wanted_ns;
}

void monitor::look() {
  const u64 now = now_ns();
  if (all_.direct) {  // Linux's threads have had nothing to do for 2 ms before they sleep: so monitor_us is the least
    const u64 monitor_us = all_.chosen.monitor_us;
    rings_due_ns_ = all_.direct->look(
        now, [&](u64 quiet_ns) { return put_off_ns(std::max(quiet_ns, 4000 * monitor_us), monitor_us); });
  }
  for (const auto& w : workers_) w->at_call().look(now);
  for (u32 s = 0; s < owner_.size(); ++s) {
    worker& owner = *workers_[owner_[s]];
    if (!all_.queues[s].pending()) {
      all_.queues[s]
          .repair();  // also for an owner that is in a call: callers without room may be what that call waits for
    } else if (owner.is_asleep()) {
      owner.wake();
      active_ns_ = now;
    } else if (const u64 since = owner.at_call().since_ns();
               since != 0 && now > since + u64{all_.chosen.stall_us} * 1000) {
      migrate_queues(owner_[s]);
    }
  }
  if (all_.ready.any()) wake_for_ready(now);
  if (all_.chosen.stall_warn_ms == 0) return;
  look_at_drains_(now);
  for (u32 w = 0; w < workers_.size(); ++w) {
    const u64 since = workers_[w]->at_call().since_ns();
    if (since != 0 && since != warned_of_[w] && now > since + u64{all_.chosen.stall_warn_ms} * 1'000'000 &&
        warn_of_long_call(*workers_[w], now)) {
      warned_of_[w] = since;
    }
  }
}

// A worker that is not held up, nor has calls in its ring, takes a ready call on its next round; only where there is
// none, another one is needed.
void monitor::wake_for_ready(u64 now) {
  for (const auto& w : workers_) {
    const u64 since = w->at_call().since_ns();
    if (w->is_worker_ring_busy() || (since != 0 && now > since + u64{all_.chosen.stall_us} * 1000)) continue;
    if (w->is_asleep()) w->wake();
    return;
  }
  if (const int new_owner = find_new_owner(true); new_owner >= 0) workers_[static_cast<std::size_t>(new_owner)]->wake();
}

bool monitor::warn_of_long_call(const worker& who, u64 now) {
  call_in_progress at;
  if (!who.at_call().read(at) || at.seen_since_ns == 0) return false;
  std::fprintf(stderr, "genesys: a call takes long: %s by block %u, warp %u, for %.1f s now\n",
               trace::decode(at.call.number, at.call.args).c_str(), at.call.block, at.call.warp,
               static_cast<double>(now - at.seen_since_ns) / 1e9);
  return true;
}

// A call keeps the owner: all its shards go to one other worker.
void monitor::migrate_queues(u32 owner) {
  const int new_owner = find_new_owner(false);
  if (new_owner < 0) return;  // as many threads as there may be, all held up: the next look tries again
  assign(owner, static_cast<u32>(new_owner));
  active_ns_ = now_ns();
  queue_migrations_.fetch_add(1, std::memory_order_relaxed);
}

// A worker without shards that is not in a call; else a new one; else one that has shards but is not held up. For ready
// calls none that has calls in its ring.
int monitor::find_new_owner(bool for_ready) {
  std::fill(holds_.begin(), holds_.end(), false);
  for (const u32 w : owner_) holds_[w] = true;
  const u64 now = now_ns();
  int second_best = -1;
  for (u32 w = 0; w < workers_.size(); ++w) {
    if (for_ready && workers_[w]->is_worker_ring_busy()) continue;
    if (!holds_[w]) {
      if (!workers_[w]->at_call().is_any()) return static_cast<int>(w);
      continue;
    }
    const u64 since = workers_[w]->at_call().since_ns();
    if (since != 0 && now > since + u64{all_.chosen.stall_us} * 1000) continue;
    second_best = static_cast<int>(w);
  }
  const int fresh = try_to_add_worker(now);
  return fresh >= 0 ? fresh : second_best;
}

u32 monitor::stop(u64 deadline_ns) {
  {
    const std::lock_guard hold(lock_);
    woken_ = true;
    wakeup_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
  for (const auto& w : workers_) w->wake();
  deadline_ns = std::max(deadline_ns, now_ns() + 100'000'000);  // those that only have to leave get the time for it
  u32 left_behind = 0;
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
}

}  // namespace genesys::detail
