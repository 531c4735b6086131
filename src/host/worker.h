// SPDX-License-Identifier: Apache-2.0
// A worker: a thread that takes requests from the shards that it holds and has them executed. It sleeps when there is
// nothing to do. The watcher gives it shards, takes them away when a call keeps it, and wakes it.
#pragma once

#include <array>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "host/serving.h"

namespace genesys::detail {

// A shard, and the epoch in which it may be taken from.
struct held_queue {
  submission_queue* from;
  u32 epoch;
  // While requests are left to become more: when the first was seen. (Of a shard that is given: long ago. It may be
  // what is left of a bundle.)
  u64 first_seen_ns = 1;
  u32 owed = 0;  // of a bundle that is known to be whole, those that had not arrived: a later one may be there before
};

// A copy of what a worker is at, for reports.
struct call_in_progress {
  request call;
  u64 seen_since_ns;  // the watcher's first look that found it at this call; 0: there was none yet
};

class worker {
 public:
  explicit worker(serving& all) : all_(all) {}
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Returns when the thread serves, confined as the policy says. `keep_alive` is held until it has ended. Throws
  // error(system), or bad_alloc: there is no thread then.
  void start(std::shared_ptr<void> keep_alive);
  // Whether the thread is past all use of the runtime; then join() returns at once.
  bool has_left() const { return left_.load(std::memory_order_acquire); }
  void join() { thread_.join(); }
  void detach() { thread_.detach(); }

  // Watcher and core only.
  void give(const std::vector<held_queue>& more);  // needs no memory
  void wake();
  bool is_asleep() const { return asleep_.load(std::memory_order_acquire); }
  bool is_at_call() const { return at_call_.load(std::memory_order_relaxed) != 0; }
  // Whether it has calls in its ring: then it makes none that could wait.
  bool is_worker_ring_busy() const { return worker_ring_ && worker_ring_->is_busy(); }
  // Of the ring, if it has one; null: it has none.
  const worker_ring* own_worker_ring() const { return worker_ring_.get(); }
  void look(u64 now);  // watcher only
  // Since when looks have found it at the call that it is at; 0: it is at none, or at one that no look has seen.
  u64 busy_since_ns() const;
  // What it is at. False: nothing, or it changed while being read.
  bool in_progress(call_in_progress& into) const;

  // Counters; each is written by this worker alone.
  static constexpr u32 counted_numbers = 512;
  struct counters {
    std::array<std::atomic<u64>, counted_numbers> calls{};  // completed, by number; the last for all beyond
    std::atomic<u64> malformed{0}, bundles{0};
    std::atomic<u64> served_ns{0}, served_calls{0};  // of samples
    std::atomic<u64> queued_us{0}, queued_calls{0};
  };
  const counters& counted() const { return counters_; }

 private:
  bool prepare(std::vector<held_queue>& mine, std::exception_ptr& failed);
  void run(std::vector<held_queue> mine);
  bool serve_queues(std::vector<held_queue>& mine);
  static u32 bundle_of(held_queue& one, u64 coalescing);
  bool serve_ready();
  bool serve_worker_ring();
  bool pass_on(const request& call) noexcept;
  result execute(const request& call, bool fresh);  // fresh: just taken from its ring
  void complete(const request& call, const result& returned) noexcept;
  void wait_here(const request& call);
  void sleep_here(const request& call, u64 length_ns);
  void complete_later(const request& call, const result& returned);
  void count(const request& call);
  bool sleep(const std::vector<held_queue>& mine);
  void take_over(std::vector<held_queue>& mine);
  void note_begin(const request& call);
  void begin_sample(const request& call);

  serving& all_;
  std::unique_ptr<worker_ring> worker_ring_;  // uring's; made before the worker is known to anyone
  bool worker_ring_canceled_ = false;
  std::thread thread_;
  std::atomic<bool> left_{false};
  counters counters_;

  // What it is at: words written by this worker, read by reports; `version_` is odd while they change.
  std::atomic<u64> version_{0};
  std::array<std::atomic<u64>, 8> noted_{};
  std::atomic<u64> at_call_{0};  // which of its calls it is at, counted from 1; 0: none
  u64 calls_begun_ = 0;
  u64 sample_began_ns_ = 0;  // of the call that it is at; 0: it is no sample
  u32 clock_shift_ = 0;  // between the device's clock and ours, in units of 1,024 ns, as the fastest request showed it
  bool clock_known_ = false;

  std::atomic<u64> seen_at_{0}, seen_since_ns_{0};  // of the watcher's looks

  std::mutex lock_;  // of the three below
  std::condition_variable wakeup_;
  std::vector<held_queue> given_;
  bool woken_ = false;
  std::atomic<bool> has_given_{false};
  std::atomic<bool> asleep_{false};
};

}  // namespace genesys::detail
