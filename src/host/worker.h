// SPDX-License-Identifier: Apache-2.0
// A worker: a thread that dequeues requests from the queues that it holds, executes the calls and completes them. It
// sleeps when there is nothing to do. The monitor gives it queues, lets them migrate when a call takes long, and wakes
// it. worker.cpp has the thread; worker_loop.cpp the loop dequeue, execute, complete; worker_waits.cpp the calls that
// have to wait.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "host/current_call.h"
#include "host/held_queue.h"
#include "host/recent_callers.h"
#include "host/serving.h"
#include "host/stage_clock.h"

namespace genesys::detail {

// The processor's pause instruction.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

class worker {
 public:
  // `number`: of this worker, from 0.
  worker(serving& all, u32 number) : all_(all) { completed_.worker = static_cast<std::uint16_t>(number); }
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;

  // Returns when the thread serves, confined as the policy says. The thread holds `keep_alive` until it ends. Throws
  // error(system), or bad_alloc: there is no thread then.
  void start(std::shared_ptr<void> keep_alive);
  // The same for a worker without queues and without a ring, whose thread runs `body`. Does not wait for the thread. If
  // that cannot serve, it leaves at once.
  void start(std::shared_ptr<void> keep_alive, const char* name, std::function<void()> body);
  // Whether the thread does not use the runtime any more; then join() returns at once.
  bool has_left() const { return left_.load(std::memory_order_acquire); }
  void join() { thread_.join(); }
  void detach() { thread_.detach(); }

  // For `body`. Takes requests of the queues whose workers sleep, and makes the calls. Returns how many.
  u32 serve_left_queues();
  // Takes a request of this queue, which no other worker holds.
  void serve_own(submission_queue& from);
  // The same for one request, if it is of a call that never waits in Linux.
  enum class first_left { none, served, may_wait };
  first_left serve_first_left();
  void show_asleep(bool is) { asleep_.store(is, std::memory_order_release); }

  // Called by the monitor and the core.
  void give(const std::vector<held_queue>& more);  // needs no memory
  void wake();
  bool is_asleep() const { return asleep_.load(std::memory_order_acquire); }
  // Whether it will look for ready calls at once: it is awake and has nothing to do.
  bool is_idle() const {
    return idle_.load(std::memory_order_relaxed) && !is_asleep() && !at_call_.is_any() && !is_worker_ring_busy();
  }
  // Whether calls are under way in its ring: then it makes no call that could wait.
  bool is_worker_ring_busy() const { return worker_ring_ && worker_ring_->is_busy(); }
  // Null: it has none.
  const worker_ring* own_worker_ring() const { return worker_ring_.get(); }
  current_call& at_call() { return at_call_; }
  const current_call& at_call() const { return at_call_; }

  // Written by this worker alone.
  const completion_counters& completed() const { return completed_; }
  u64 bundles() const { return bundles_.load(std::memory_order_relaxed); }

 private:
  // worker.cpp
  bool prepare(bool with_ring, std::exception_ptr& failed);
  void run();
  bool sleep();
  void take_over();

  // worker_loop.cpp
  bool serve_queues();
  submission_queue::dequeue_result serve_queue(held_queue& one, u32 at_most, u32 coalesced, bool& any);
  bool steal();
  bool takes_long(const request& call) const;
  using leave_for = submission_queue::leave_for;
  void leave_queues(leave_for why);
  void come_back(leave_for why);
  bool serve_ready();
  bool serve_worker_ring();
  result execute(const request& call);
  void note_taken(const request& call, const result& returned);
  result execute_elsewhere(const request& call);
  result execute_unparked(const request& call, executor::not_ready then);
  void complete(const request& call, const result& returned) noexcept;
  void finish(const request& call, const result& returned, bool again = false) noexcept;

  // worker_waits.cpp
  void park(const request& call, const result& returned);
  bool pass_on(const request& call) noexcept;
  void wait_here(const request& call);
  void sleep_here(const request& call, u64 length_ns);
  bool complete_later(const request& call, const result& returned);

  serving& all_;
  std::unique_ptr<worker_ring> worker_ring_;  // executor uring; made before another thread knows the worker
  bool worker_ring_canceled_ = false;
  std::thread thread_;
  std::atomic<bool> left_{false};

  std::vector<held_queue> mine_;  // of the worker's thread
  u64 received_ = 0;              // bytes of its last recvfrom
  u32 last_slot_ = 0;             // completion slot of its last request
  recent_callers callers_;
  current_call at_call_;
  stage_clock clock_;
  stage_times times_{};                             // of the call that it makes now
  trace::call_times at_{};                          // likewise, while a recording is on
  const trace::call_times* recorded_at_ = nullptr;  // at_, or null: of the call that it makes now, nothing is known
  trace::made_by by_ = trace::made_by::worker;
  const parked_call* before_ = nullptr;  // as what the call that it makes now was parked; null: it was not
  completion_counters completed_;
  std::atomic<u64> bundles_{0};

  std::mutex lock_;  // of the three below
  std::condition_variable wakeup_;
  std::vector<held_queue> given_;
  bool woken_ = false;
  std::atomic<bool> has_given_{false};
  std::atomic<bool> asleep_{false};
  std::atomic<bool> idle_{false};  // awake, and found nothing in its last round
};

}  // namespace genesys::detail
