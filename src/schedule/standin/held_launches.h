// SPDX-License-Identifier: Apache-2.0
// The observer by which a program is a member of the scheduling daemon (docs/schedule-processes.md): its launches hold
// while a more important process is busy. It aborts nothing: what is in the GPU ends. So while a more important member
// exists, at most two launches are in the GPU at a time, and a request of that member waits for one kernel and not for
// a queue. Without other members a launch costs one load.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "schedule/daemon/client.h"
#include "schedule/standin/launch_observer.h"

namespace genesys::schedule::standin {

// Attaches the observer if `genesys schedule run` asks for it and a daemon may be asked. Once; throws nothing.
void start_membership();

class held_launches final : public launch_observer {
 public:
  explicit held_launches(int nice) : nice_(nice) {}

  CUresult launch(const observed_launch& one) noexcept override;
  void settle(CUstream) noexcept override { wait_while_held(); }
  void settle_all() noexcept override { wait_while_held(); }

 private:
  struct in_gpu {
    CUevent ended;
    CUcontext context;
  };
  static constexpr std::size_t ahead_max = 2;  // launches in the GPU while a more important member exists

  void open();
  void wait_while_held();
  void note(const observed_launch& one);
  void collect();
  void work();
  void hold_until_free();

  const int nice_;
  std::mutex lock_;
  std::condition_variable resumed_, begun_now_;
  std::once_flag opened_;
  std::unique_ptr<processes::client> client_;  // under lock_ while !has_begun_; else the thread's
  std::deque<in_gpu> in_gpu_;                  // under lock_
  std::map<CUcontext, std::vector<CUevent>> free_;
  bool has_begun_ = false, is_held_ = false;  // under lock_
  std::atomic<bool> has_others_{false}, has_more_important_{false};
};

}  // namespace genesys::schedule::standin
