// SPDX-License-Identifier: Apache-2.0
// The watcher: the one thread that looks at everything. It wakes workers whose shards have requests, gives the shards
// of a worker that a call keeps to another one, starts workers for that, and names calls that take very long. It alone
// decides who holds which shard. While no run is attached and all workers sleep, it sleeps too.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "host/worker.h"

namespace genesys::detail {

class monitor {
 public:
  // `keep_alive`: makes what each started thread holds until it has ended. `look_at_drains`: called now and then if
  // there is to be a word about what takes long, with the time.
  monitor(serving& all, std::function<std::shared_ptr<void>()> keep_alive, std::function<void(u64)> look_at_drains);

  // Starts the workers and the watching thread. Throws error(system), bad_alloc; stop() ends those that run.
  void start();
  // A run was attached or ended. Attached: workers are awake for a while.
  void run_attached();
  void run_ended();
  // A kernel of an attached run is about to run: the silence is over.
  void kernel_launched();

  // After serving::stopping is set: waits for the threads until `deadline_ns`. Workers still in a call are left behind;
  // how many.
  u32 stop(u64 deadline_ns);

  u64 queue_migrations() const { return queue_migrations_.load(std::memory_order_relaxed); }
  // Visits every worker that there is, also while new ones start.
  void each_worker(const std::function<void(const worker&)>& visit) const;

 private:
  void run();
  u64 until_next_look_ns(u64 now) const;
  void look();
  void migrate_queues(u32 owner);
  void wake_one();
  void wake_for_ready(u64 now);
  int find_new_owner(bool for_ready);
  bool warn_of_long_call(const worker& who, u64 now);
  u32 add_worker();
  int try_to_add_worker(u64 now);
  void assign(u32 from, u32 to);

  serving& all_;
  std::function<std::shared_ptr<void>()> keep_alive_;
  std::function<void(u64)> look_at_drains_;
  std::thread thread_;

  mutable std::mutex workers_lock_;  // of the vector; the workers stay where they are
  std::vector<std::unique_ptr<worker>> workers_;
  std::vector<u32> owner_;            // of each shard; the watching thread's alone once started
  std::vector<u64> warned_of_;        // per worker: the beginning of the call that was warned of
  std::vector<bool> holds_;           // find_new_owner's
  std::vector<held_queue> assigned_;  // pass's
  u64 active_ns_ = 0;                 // when a worker was last about or woken, not just held up in a long call
  u64 add_after_ns_ = 0;              // no worker could be added: not before
  u64 rings_due_ns_ = 0;              // when the rings that kernels fill have to be looked at again
  std::atomic<u64> queue_migrations_{0};

  std::mutex lock_;  // of what is below
  std::condition_variable wakeup_;
  u32 runs_ = 0;
  bool woken_ = false, launched_ = false, sleeps_long_ = false;
};

}  // namespace genesys::detail
