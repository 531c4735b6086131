// SPDX-License-Identifier: Apache-2.0
// A Linux between kernels and the shared rings of the executor `direct`. It stops at any step, and completes late and
// in any order. The test's own thread calls it; each ring has its own thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "direct.h"

namespace attack {

using namespace contract;
using genesys::detail::shared_ring;
using genesys::detail::shared_ring_shape;

// A layer between kernels and a ring. It shows the kernels its own ring, forwards their SQEs to Linux, and forwards the
// CQEs of Linux to them. It works in parts, late, and in any order, as io_uring(7) allows.
class slow_linux {
 public:
  struct pace {
    u32 stall_us;         // the longest pause at one in three of the points where it may stop
    u32 completion_us;    // the longest delay of a completion
    bool asleep = false;  // forwards SQEs only while the thread of Linux sleeps
  };

  slow_linux(u32 at, shared_ring_shape as, const pace& how, u64 seed);
  ~slow_linux() { stop(); }

  // The ring that kernels see in place of the real one.
  const shared_ring& shown() const { return shown_; }
  void begin(const shared_ring& real);
  // If `all`, it forwards no SQEs and no CQEs from now on.
  void hold_back(bool all) { holding_.store(all); }
  // Ends the thread and returns the first error that it found, or an empty string.
  std::string stop();
  u32 completed() const { return given_; }      // after stop(): CQEs forwarded
  u32 sleeps() const { return sleeps_; }        // after stop(): how often it forwarded SQEs while Linux slept
  u32 overtakes() const { return overtakes_; }  // after stop(): CQEs forwarded before older ones

 private:
  struct entry {
    u64 words[8];
  };
  struct completion {
    u64 whose, value;
    u32 number;
    std::chrono::steady_clock::time_point due;
  };

  void work();
  void read_entries();
  void forward_entries();
  void take_completions();
  void forward_completions();
  bool waits_until_asleep() const;
  u32 free_completions() const;
  void write_completion(u32 number, u64 whose, u64 value);
  u32 random(u32 most) { return static_cast<u32>(random_() % (u64{most} + 1)); }
  u32 some_of(u32 count) { return random(3) == 0 ? count : random(count); }
  void stall();
  void check(bool right, const std::string& what);

  const u32 at_;  // the ring's number in the runtime
  const shared_ring_shape as_;
  const pace how_;
  std::mt19937_64 random_;
  const in_arena<u64> memory_;
  const std::ptrdiff_t flags_after_head_;
  shared_ring shown_{}, real_{};
  std::deque<entry> entries_;                       // read, but not forwarded
  std::vector<completion> completions_;             // taken, but not forwarded
  std::map<u32, u64> under_way_;                    // the user_data of each call in flight, by its completion slot
  u32 head_ = 0, tail_ = 0, seen_ = 0, given_ = 0;  // as this side last stored them
  u32 at_linux_ = 0, taken_ = 0, sleeps_ = 0, overtakes_ = 0;
  std::string wrong_;
  std::atomic<bool> holding_{false}, stopping_{false};
  std::thread thread_;
};

// A slow_linux in front of each ring of a runtime whose kernels have not used the rings yet.
class slow_rings {
 public:
  slow_rings(runtime& rt, u32 rings, u32 entries, const slow_linux::pace& how);
  void hold_back(bool all);
  // Returns the number of CQEs. Fails the test if a slow_linux has found an error.
  u64 stop();
  u64 sleeps() const { return sleeps_; }
  u64 overtakes() const { return overtakes_; }

 private:
  const u64 seed_ = std::random_device{}();
  std::vector<std::unique_ptr<slow_linux>> all_;
  u64 sleeps_ = 0, overtakes_ = 0;
};

}  // namespace attack
