// SPDX-License-Identifier: Apache-2.0
// The observer by which a program is a member of the scheduling daemon (docs/schedule-unmodified.md): its launches hold
// while a more important process is busy, and what can be aborted is aborted and runs again. While a more important
// member exists, at most two launches are in the GPU at a time, and at most one that can be aborted; a stream's launch
// that has not ended for long counts no longer (settle_max), or a kernel that waits for a later one would hang. Without
// other members a launch is counted, and goes to the driver as it is.
//
// Threads. The program's threads launch, and wait in ordered calls until the abortable launch has ended
// (held_launches.cpp). One thread of the stand-in, the member thread, talks to the daemon, aborts, and launches again
// (member_thread.cpp). `lock_` guards what they share.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "schedule/daemon/client.h"
#include "schedule/standin/abortable_launch.h"
#include "schedule/standin/launch_observer.h"

namespace genesys::schedule::standin {

struct held_options {
  // How long an ordered call that does not itself wait, or a launch, waits for the abortable launch: so many times what
  // its kernel ran before, and so much more. After that the launch is let run: perhaps it cannot end before the
  // program's next call.
  processes::time_ns settle_max = 1'000'000'000;
  int settle_runs = 2;
  processes::time_ns not_after_late = 10'000'000'000;  // then nothing is aborted for so long
  processes::time_ns short_run = 100'000;              // a kernel that runs no longer is not worth an abort
  unsigned aborts_max = 8;                             // of one launch; then it is let run
  std::string socket = {};                             // of the daemon, for tests
  planted_faults faults = {};
};

// What the lock guards takes microseconds, and to be woken takes tens of them: so a thread first spins for it.
void lock_soon(std::unique_lock<std::mutex>& lock);

class held_launches : public launch_observer {
 public:
  explicit held_launches(int nice, held_options with = {})
      : nice_(nice), with_(std::move(with)), abortable_(with_.faults) {}
  // Ends the member thread. Only if no thread of the program is in a call: for tests.
  ~held_launches() override;

  bool lets_pass(CUfunction function, CUstream stream) noexcept override;
  CUresult launch(const observed_launch& one) noexcept override;
  void settle(CUstream stream, bool waits) noexcept override;
  void settle_all(bool waits) noexcept override;

  // Gives the memory of copies back, behind a launch that needs it.
  bool give_back_memory() noexcept override;

  // `120 launches, 40 of them abortable: 12 aborts, 5 rolled back, 12 run again, 1 let run`
  std::string report() const;
  bool has_more_important() const { return has_more_important_.load(std::memory_order_relaxed); }

 private:
  struct in_gpu {
    CUevent ended;
    CUcontext context;
    CUstream stream;
    std::shared_ptr<kernel> what;
    processes::time_ns issued;
    std::optional<abortable_launch::let_go> was_abortable;
  };
  static constexpr std::size_t ahead_max = 2;    // launches in the GPU while a more important member exists
  static constexpr std::size_t noted_max = 256;  // noted launches until those that have ended are forgotten

  // held_launches.cpp: the program's threads.
  void open();
  bool is_free() const;
  bool wait_while_held(std::unique_lock<std::mutex>& hold);
  bool has_many_ahead() const;
  bool is_late(processes::time_ns since) const;
  void note_caller(CUstream stream);
  void forget_ended_contexts();
  bool waits_for(CUstream stream) const;
  void settle_where(const std::optional<CUstream>& stream, bool waits);
  bool is_alone(const observed_launch& one) const;
  bool take(const observed_launch& one, abort_choice& how);
  void let_run();
  void note(const observed_launch& one);
  void collect();
  void forget_ended();
  void learn(const in_gpu& one);

  // member_thread.cpp: the member thread.
  void be_member();
  void watch(std::unique_lock<std::mutex>& hold);
  void see_members();
  bool may_resume(bool has_left);
  void hold_until_free();
  void raise();
  bool is_in_gpu() const;
  void run_again();
  void report_if_wanted(std::unique_lock<std::mutex>* hold = nullptr);

  static std::uint64_t next_number();
  const std::uint64_t number_ = next_number();  // tests have one observer after the other
  const int nice_;
  const held_options with_;
  std::mutex lock_;
  std::condition_variable resumed_, begun_now_;
  std::once_flag opened_;
  std::atomic<bool> is_open_{false};
  std::unique_ptr<processes::client> client_;  // under lock_ while !has_begun_; else the member thread's
  std::deque<in_gpu> in_gpu_;                  // under lock_, as all that follows but the atomic ones
  std::map<CUcontext, std::vector<CUevent>> free_;
  abortable_launch abortable_;
  bool has_begun_ = false, is_held_ = false, ends_ = false;
  processes::time_ns last_end_ = 0, aborts_again_at_ = 0;
  std::uint64_t longest_run_ = 0, contexts_ended_ = 0;
  std::thread member_thread_;

  std::atomic<bool> has_others_{false}, has_more_important_{false}, has_abortable_{false};
  std::atomic<unsigned> callers_{0};             // threads of the program
  std::atomic<bool> has_thread_streams_{false};  // the program uses default streams of threads
  std::atomic<std::uint64_t> launches_{0}, taken_{0}, aborts_{0}, rolled_back_{0}, run_again_{0}, let_run_{0};
};

}  // namespace genesys::schedule::standin
