// SPDX-License-Identifier: Apache-2.0
// The interrupt thread serves the queues while all workers sleep. It looks at all queues for a while; then it arms them
// and sleeps until a kernel raises the interrupt (target/interrupt.h), and takes the first requests itself, because to
// wake another thread takes time. It holds no queues: the monitor starts it when all workers sleep, and lets it rest
// when one is awake.
//
// The host sleeps only if it has taken every request whose number was reserved before the queue was armed (A1 to A7,
// docs/protocol.md). The monitor looks ten times a second nevertheless: a driver that does not interrupt, or a lane
// that is suspended before it raises the interrupt, delays calls but does not stop them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "host/warm_path.h"
#include "host/worker.h"
#include "target/interrupt.h"

namespace genesys::detail {

// `asked`, or else the environment's GENESYS_WAKEUP, or else balanced. Throws error(bad_option).
wakeup_kind choose_wakeup(wakeup_kind asked);

class interrupt_thread {
 public:
  using all_launched = std::vector<std::shared_ptr<launches>>;
  // `launched`: of the runs whose kernels may be under way. `tell`: makes the monitor look at the queues at once.
  interrupt_thread(serving& all, std::unique_ptr<interrupt> by, std::function<all_launched()> launched,
                   std::function<void()> tell);

  // The monitor's calls. begin: all workers sleep, and a run is attached; the first starts the thread, which holds
  // `keep_alive` until it ends. rest: a worker is awake, or no run is attached. kernels_launched: it
  // may arm.
  void begin(const std::function<std::shared_ptr<void>()>& keep_alive, u64 now);
  void rest() { wanted_.store(false, std::memory_order_seq_cst); }
  void kernels_launched() { may_arm_.store(true, std::memory_order_seq_cst); }
  // Whether the thread sleeps and a kernel can wake it.
  bool is_armed() const { return state_.load(std::memory_order_acquire) == state::armed; }
  // Whether the thread looks at the queues whose workers sleep, and takes their requests in time.
  bool keeps_up(u64 now) const;
  // How many requests it has taken; and whether it has been in one call for long.
  u64 served() const { return served_.load(std::memory_order_relaxed); }
  void look_at_call(u64 now) { worker_.at_call().look(now); }
  // After serving::stopping is set: whether the thread has ended before `deadline_ns`; if not, it stays behind.
  bool stop(u64 deadline_ns);

  // Any thread. Null: the thread has not been started.
  const worker* serves() const { return started_.load(std::memory_order_acquire) ? &worker_ : nullptr; }
  // Whether the device has refused an interrupt.
  bool is_refused() const { return by_->is_refused(); }
  // How often the thread has slept and was woken.
  u64 interrupts() const { return interrupts_.load(std::memory_order_relaxed); }

 private:
  void run();
  bool wait_until_wanted();
  void look();
  u32 serve_first();
  bool sleep();
  bool arm();
  bool may_sleep() const { return wanted_.load(std::memory_order_seq_cst) && !all_.stopping.load(); }

  serving& all_;
  const std::unique_ptr<interrupt> by_;
  const std::function<all_launched()> launched_;
  const std::function<void()> tell_;
  const u64 look_ns_;                                             // how long it looks after the last request
  const bool crowded_ = std::thread::hardware_concurrency() < 4;  // to ask takes long
  worker worker_;
  std::atomic<bool> started_{false};
  bool cannot_start_ = false;
  std::vector<u64> tails_;
  std::unique_ptr<warm_path> warm_;  // eager
  bool told_ = true;                 // the monitor, of the last interrupt
  u32 refused_ = 0;                  // how often it could not sleep, in a row

  std::mutex lock_;  // of the wakeup
  std::condition_variable wakeup_;
  std::atomic<bool> wanted_{false}, overloaded_{false};
  enum class state { rests, looks, armed };
  std::atomic<state> state_{state::rests};
  std::atomic<u64> served_{0};
  std::atomic<u64> interrupts_{0};
  std::atomic<bool> may_arm_{false};   // kernels were launched since an attempt to arm failed
  std::atomic<u64> not_before_ns_{0};  // begin() has no effect before
};

}  // namespace genesys::detail
