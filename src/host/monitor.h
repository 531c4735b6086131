// SPDX-License-Identifier: Apache-2.0
// The monitor: one thread that looks at all queues and workers. It wakes workers whose queues have requests, lets the
// queues of a worker that is held up in a call migrate to another worker (queue_migration.cpp), starts workers for
// that, and names calls that take very long. The monitor alone decides which worker holds which queue. While no run is
// attached and all workers sleep, the monitor sleeps too.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "host/interrupt_thread.h"

namespace genesys::detail {

class monitor {
 public:
  // `keep_alive` returns a reference that each started thread holds until it ends. The monitor calls `look_at_drains`
  // with the time, unless options::stall_warn_ms is 0.
  // `launched`: see interrupt_thread.
  monitor(serving& all, std::function<std::shared_ptr<void>()> keep_alive, std::function<void(u64)> look_at_drains,
          std::function<interrupt_thread::all_launched()> launched);

  // Starts the workers and the monitor's thread. Throws error(system), bad_alloc; stop() ends those that run.
  void start();
  // A run was attached or ended. Attached: workers are awake for a while.
  void run_attached();
  void run_ended();
  // A kernel of an attached run is about to run: the monitor looks often again.
  void kernel_launched();
  // It runs, and the device can tell when it ends.
  void kernels_told() {
    if (interrupts_) interrupts_->kernels_launched();
  }

  // After serving::stopping is set: waits for the threads until `deadline_ns`. Returns how many workers are still in a
  // call, and stay behind.
  u32 stop(u64 deadline_ns);

  u64 queue_migrations() const { return queue_migrations_.load(std::memory_order_relaxed); }
  // Whether kernels may wake the host by interrupts.
  bool is_interrupted() const { return interrupts_ && all_.chosen.wakeup != wakeup_kind::eager; }
  u64 interrupts() const { return interrupts_ ? interrupts_->interrupts() : 0; }
  // How the host is woken, for describe().
  std::string describe_wakeup() const;
  // Visits every worker, also while the monitor adds one.
  void each_worker(const std::function<void(const worker&)>& visit) const;

 private:
  void run();
  bool is_any_awake(u64 now);
  void look_soon();
  bool look_at_interrupts(u64 now);
  u64 until_next_look_ns(u64 now) const;
  void look();
  void migrate_queues(u32 owner);
  void wake_one();
  void wake_for_ready(u64 now);
  int find_new_owner(bool for_ready);
  bool warn_of_long_call(const worker& one, u64 now);
  u32 add_worker();
  int try_to_add_worker(u64 now);
  void assign(u32 from, u32 to);

  serving& all_;
  std::function<std::shared_ptr<void>()> keep_alive_;
  std::function<void(u64)> look_at_drains_;
  std::thread thread_;

  mutable std::mutex workers_lock_;  // guards the vector; the workers do not move
  std::vector<std::unique_ptr<worker>> workers_;
  std::unique_ptr<interrupt_thread> interrupts_;  // null: the monitor looks at the queues of sleeping workers
  std::vector<u32> owner_;                        // of each queue; only the monitor's thread uses it after start()
  std::vector<u64> warned_of_;                    // per worker: the beginning of the call that was warned of
  std::vector<bool> holds_;                       // for find_new_owner()
  std::vector<held_queue> assigned_;              // for assign()
  u64 active_ns_ = 0;             // when a worker was last awake or woken, and not held up in a long call
  u64 add_after_ns_ = 0;          // a worker could not be added; the next attempt is not before
  u64 interrupts_warned_of_ = 0;  // as warned_of_
  u64 interrupts_served_ = 0;     // requests of the interrupt thread at the last look
  u64 rings_due_ns_ = 0;          // when to look at the shared rings again
  std::atomic<u64> queue_migrations_{0};

  std::mutex lock_;  // guards the members below
  std::condition_variable wakeup_;
  u32 runs_ = 0;
  bool woken_ = false, launched_ = false, sleeps_long_ = false;
};

}  // namespace genesys::detail
