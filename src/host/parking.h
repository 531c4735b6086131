// SPDX-License-Identifier: Apache-2.0
// The parking lot: calls that wait for a descriptor to become ready, or for time to pass, without a thread each. One
// thread sleeps in epoll for all of them and completes them; it starts with the first parked call. Calls that wait for
// the same socket stand in a *line*, which epoll watches once for all: of many that wait for a datagram few are woken,
// and most often the last one. A call gives up after its socket's timeout (SO_RCVTIMEO, SO_SNDTIMEO). Workers call
// park_*(), the end of the runtime calls cancel(). If Linux gives no descriptor, memory or thread, that is no error:
// the worker then waits itself.
#pragma once

#include <atomic>
#include <compare>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "genesys/detail/table/call_plan.h"
#include "host/completion_writer.h"
#include "host/late_close.h"
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

  // Starts the parking thread now. Otherwise the first park_*() starts it, which a confined worker may not do.
  // Throws error(system).
  void begin();

  // Completes with 0 when the descriptor is ready, or at once if it cannot be waited for (the call itself then fails).
  // Completes with -EAGAIN if it is not ready after the socket's timeout, or if too many calls are parked. False: the
  // call cannot be parked, and the worker must wait.
  bool park_descriptor(const request& call) noexcept;
  // A call that is parkable, posted or has a ticket: a worker makes it again when descriptor `fd` is ready, or when the
  // socket's timeout has passed. `before`: as what it was parked before, so that it keeps its time; null: it was not.
  // If too many calls are parked, it completes with -EAGAIN, unless it is posted. False: it cannot be parked.
  bool park_call(const request& call, int fd, readiness what, const parked_call* before) noexcept;
  // A worker has made a call that park_call() parked, and that took long: others may wait for the same socket. (Watched
  // again after each short one, a line wakes too many. A late call may count for calls that were woken after it: the
  // line is then watched too soon.)
  void made(const socket_wait& wait) noexcept;
  // Completes with 0 after `length_ns`. False: the worker must wait.
  bool park_sleep(const request& call, u64 length_ns) noexcept;

  // Completes all parked calls, and all later ones, with -ECANCELED.
  void cancel();

  struct entry {
    request call;
    u64 since_ns;
  };
  std::vector<entry> parked() const;  // a copy, for reports
  u64 parked_so_far() const { return parked_so_far_.load(std::memory_order_relaxed); }

 private:
  enum class admission { yes, full, impossible, never_waits, canceled };
  admission park(const request& call, int fd, u32 events, bool anew, const parked_call* before);
  std::optional<admission> join(const request& call, const socket_wait& wait, bool anew, u64 gives_up_ns);
  void start();
  void run();
  void complete_ready(u64 id);
  using deadlines =
      std::multimap<u64, u64>;  // {time, entry}: of a sleep, or of the first of a line, to be watched then
  // Calls that wait for one socket, by arrival; at least one. `fd`: a duplicate, so that they keep their open file, and
  // whether epoll has it. `wakes`: how many leave it when the socket is ready. `woken`: so far.
  // `being_made`: how many of those workers make now. `next_watch`: when the first is watched again; none: it is
  // watched.
  struct line {
    std::deque<u64> entries;
    own_descriptor fd;
    bool is_in_epoll = false;
    u32 wakes = 1;
    u64 watched_ns = 0;
    u64 woken = 0;
    u32 being_made = 0;
    std::optional<deadlines::iterator> next_watch;
  };
  using lines = std::map<socket_wait, line>;
  parked_calls::iterator add_entry(u64 id, parked_call&& one);
  parked_calls::node_type take_entry(parked_calls::iterator one);
  void close(line& last);
  void leave(lines::iterator empty);
  void leave_line(u64 id, const socket_wait& wait, u64 now);
  bool watch(u64 id, const parked_call& one);
  void wake(parked_calls::iterator one);
  void wake_line(const socket_wait& wait);
  void watch_again(u64 id, const parked_call& first);
  void complete_due(u64 now);
  void give_up_due(u64 now);
  bool arm_timer();

  const completion_writer& completions_;
  ready_calls& ready_;
  const policy& policy_;
  const u32 parked_max_;
  std::atomic<u64> parked_so_far_{0};
  // Whether calls waited together when the last one was parked: then the next one probably finds a line. A hint, stored
  // in join(): if it is wrong, a call costs two system calls more.
  std::atomic<bool> may_join_{false};

  mutable std::mutex lock_;  // guards all below
  parked_calls entries_;
  deadlines deadlines_;
  std::set<std::pair<u64, u64>> timeouts_;  // {gives_up_ns, entry}, of each entry that has a limit
  u64 armed_ns_ = 0;                        // the timer; 0: it is not armed
  lines lines_;
  late_close closes_;
  u64 next_id_ = 1;
  bool canceled_ = false;
  bool stopping_ = false;
  own_descriptor epoll_, timer_, wakeup_;
  std::thread thread_;
};

}  // namespace genesys::detail
