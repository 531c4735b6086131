// SPDX-License-Identifier: Apache-2.0
// The parking lot: calls that wait for a descriptor to become ready, or for time to pass, without a thread each. One
// thread sleeps in epoll for all of them and answers them; it starts with the first call that is parked. park_*() are
// called by workers, cancel() at the end of the runtime. What Linux does not give (descriptors, memory, a thread) is no
// error here: the worker waits itself then.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "genesys/detail/table/call_plan.h"
#include "host/completion_writer.h"
#include "host/ready_calls.h"
#include "policy/policy.h"

namespace genesys::detail {

class parking {
 public:
  // Throws error(system).
  parking(const completion_writer& to, ready_calls& ready, const policy& rules, u32 parked_max);
  ~parking();
  parking(const parking&) = delete;
  parking& operator=(const parking&) = delete;

  // Starts the thread that waits, which otherwise the first who parks a call does: where workers may start none.
  // Throws error(system).
  void begin();

  // Answers 0 as soon as the descriptor is ready (or can never be waited for: the call itself will tell). Answers
  // -EAGAIN if too many wait. False: it cannot be parked, the worker has to wait itself.
  bool park_descriptor(const request& call) noexcept;
  // A call whose caller does not wait: as soon as descriptor `fd` is ready, it is made anew. False: too many wait, or
  // it cannot be parked; the worker has to make the call as it is.
  bool park_call(const request& call, int fd, readiness what) noexcept;
  // Answers 0 after `length_ns`. False: the worker has to wait itself.
  bool park_sleep(const request& call, u64 length_ns) noexcept;

  // Answers -ECANCELED to all, and to all that come later.
  void cancel();

  struct entry {
    request call;
    u64 since_ns;
  };
  std::vector<entry> parked() const;  // a copy, for reports
  u64 parked_so_far() const { return parked_so_far_.load(std::memory_order_relaxed); }

 private:
  enum class admission { yes, full, impossible, never_waits, canceled };
  admission park(const request& call, int fd, u32 events, bool anew);
  void start();
  void run();
  void complete_ready(u64 id);
  void complete_due(u64 now);
  bool arm_timer();

  const completion_writer& completions_;
  ready_calls& ready_;
  const policy& policy_;
  const u32 parked_max_;
  std::atomic<u64> parked_so_far_{0};

  mutable std::mutex lock_;  // of all below
  parked_calls entries_;
  std::multimap<u64, u64> deadlines_;  // when, which entry
  u64 next_id_ = 1;
  bool canceled_ = false;
  bool stopping_ = false;
  own_descriptor epoll_, timer_, wakeup_;
  std::thread thread_;
};

}  // namespace genesys::detail
