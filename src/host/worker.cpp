// SPDX-License-Identifier: Apache-2.0
#include "host/worker.h"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "host/serving_thread.h"
#include "policy/confine.h"
#include "trace/clock.h"

namespace genesys::detail {
namespace {

// How often a worker that found nothing executes the processor's pause instruction before it looks again. Each look at
// an empty slot takes the cache line from the GPU that is about to write it, and so delays all callers. A worker with
// few callers looks often, after a first long pause; one with many makes long pauses always
// (docs/notes/004-the-loop-of-a-worker.md).
constexpr u32 pauses_long = 40, pauses_short = 1;

}  // namespace

void merge(std::vector<held_queue>& into, const std::vector<held_queue>& more) {
  for (const held_queue& one : more) {
    const auto same = [&](const held_queue& held) { return held.from == one.from; };
    const auto found = std::find_if(into.begin(), into.end(), same);
    if (found == into.end()) {
      into.push_back(one);
    } else {
      *found = one;  // the older epoch is over
    }
  }
}

void worker::start(std::shared_ptr<void> keep_alive) {
  given_.reserve(all_.memory.queues());
  std::exception_ptr failed;
  bool known = false;
  thread_ = serving_thread("genesys-worker", [this, alive = std::move(keep_alive), &failed, &known]() mutable {
    const bool serves = prepare(true, failed);
    {
      const std::lock_guard hold(lock_);
      known = true;
      wakeup_.notify_all();
    }
    if (serves) run();
    left_.store(true, std::memory_order_release);  // pairs with has_left
    alive.reset();
  });
  {
    std::unique_lock hold(lock_);
    wakeup_.wait(hold, [&] { return known; });
  }
  if (!failed) return;
  thread_.join();
  std::rethrow_exception(failed);
}

void worker::start(std::shared_ptr<void> keep_alive, const char* name, std::function<void()> body) {
  thread_ = serving_thread(name, [this, alive = std::move(keep_alive), body = std::move(body)]() mutable {
    std::exception_ptr failed;
    if (prepare(false, failed)) body();
    left_.store(true, std::memory_order_release);  // pairs with has_left
    alive.reset();
  });
}

// The thread's part of start(). False: it cannot serve, and `failed` says why.
bool worker::prepare(bool with_ring, std::exception_ptr& failed) {
  try {
    if (with_ring && all_.chosen.executor == executor_kind::uring)
      worker_ring_ = std::make_unique<worker_ring>(all_.rules);
    all_.on->enter_serving_thread();
    confine_this_thread(all_.rules, worker_ring_ != nullptr ? ring_access::enters
                                    : all_.direct           ? ring_access::grants_files
                                                            : ring_access::none);
    mine_.reserve(all_.memory.queues());
    all_.in_flight.count_alone();  // last: a worker that cannot serve counts nothing
    return true;
  } catch (...) {
    failed = std::current_exception();
    return false;
  }
}

void worker::give(const std::vector<held_queue>& more) {
  const std::lock_guard hold(lock_);
  merge(given_, more);
  has_given_.store(true, std::memory_order_release);  // pairs with take_over
  woken_ = true;
  wakeup_.notify_one();
  if (worker_ring_) worker_ring_->wake();
}

void worker::wake() {
  const std::lock_guard hold(lock_);
  woken_ = true;
  wakeup_.notify_one();
  if (worker_ring_) worker_ring_->wake();
}

void worker::take_over() {
  const std::lock_guard hold(lock_);
  merge(mine_, given_);
  given_.clear();
  has_given_.store(false, std::memory_order_relaxed);
}

void worker::run() {
  const bool crowded = std::thread::hardware_concurrency() < 4;
  u64 idle_since = now_ns();
  bool worked = true;
  for (u32 rounds = 0;; ++rounds) {
    if (has_given_.load(std::memory_order_acquire)) take_over();  // pairs with give
    looks_for_ready_soon = !is_worker_ring_busy();
    bool served = looks_for_ready_soon && all_.ready.any() && serve_ready();
    served = serve_queues() || served;
    if (is_worker_ring_busy()) served = serve_worker_ring() || served;
    if (served || steal()) {
      worked = true;
      if (idle_since == 0) continue;
      idle_since = 0;
      idle_.store(false, std::memory_order_relaxed);
      continue;
    }
    if (!is_worker_ring_busy() && all_.stopping.load(std::memory_order_acquire)) return;
    if (idle_since == 0) {
      idle_since = now_ns();
      idle_.store(true, std::memory_order_relaxed);
    } else if (rounds % 64 == 0) {
      const u64 now = now_ns();
      const bool idle = now - idle_since > u64{all_.chosen.idle_us} * 1000 &&
                        now > all_.awake_until_ns.load(std::memory_order_relaxed);
      if ((idle || mine_.empty()) && sleep()) {
        idle_since = 0;
        idle_.store(false, std::memory_order_relaxed);
      }
      if (crowded) ::sched_yield();  // the threads of the CPU device may need this core
    }
    if (worked) callers_.ended_work(last_slot_);
    for (u32 i = 0, most = worked || !callers_.are_few() ? pauses_long : pauses_short; i < most; ++i) relax();
    worked = false;
  }
}

// Sleeps until the monitor wakes this worker. False: it has found work, and has not slept.
bool worker::sleep() {
  leave_queues(leave_for::sleep);
  asleep_.store(true,
                std::memory_order_seq_cst);  // pairs with is_asleep: from here on the monitor looks at these queues
  // One more look, for requests that came before the monitor could know that this worker sleeps.
  const bool work =
      (!is_worker_ring_busy() && all_.ready.any()) ||
      std::any_of(mine_.begin(), mine_.end(), [](const held_queue& held) { return held.from->pending(); });
  if (!work && is_worker_ring_busy()) {
    worker_ring_->wait();
    const std::lock_guard hold(lock_);
    woken_ = false;
  } else if (!work) {
    std::unique_lock hold(lock_);
    wakeup_.wait(hold, [this] { return woken_ || all_.stopping.load(std::memory_order_acquire); });
    woken_ = false;
  }
  asleep_.store(false, std::memory_order_release);
  come_back(leave_for::sleep);
  return !work;
}

}  // namespace genesys::detail
