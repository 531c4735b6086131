// SPDX-License-Identifier: Apache-2.0
// The core of a runtime: all its parts, and its end. Shared by the runtime, its runs and its threads, so that whatever
// cannot be ended in time keeps what it needs. Functions may be called by any host thread.
#pragma once

#include <array>
#include <atomic>
#include <bitset>
#include <iosfwd>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include "execute/executor_choice.h"
#include "host/control_socket.h"
#include "host/descriptor_table.h"
#include "host/driver_descriptors.h"
#include "host/grid_check.h"
#include "host/in_flight_calls.h"
#include "host/long_drains.h"
#include "host/monitor.h"
#include "host/recording_switch.h"
#include "host/serving.h"
#include "target/forks.h"

namespace genesys::detail {

class core;

struct run_state : std::enable_shared_from_this<run_state> {
  std::shared_ptr<core> of;
  std::shared_ptr<launches> kernels;
  device_context where{};
  std::atomic<bool> drained{true};  // no launch since the last drain: the stream may be destroyed, so it is not queried
  std::vector<std::uintptr_t> copies;         // in the arena
  std::mutex looking;                         // of the next
  std::vector<std::array<u64, 3>> producers;  // first words of each queue's; allocated by attach()
  ~run_state();
};

class core : public std::enable_shared_from_this<core> {
  const u32 made_after_forks_ = forks_so_far();
  const descriptor_links open_before_ = open_descriptors();  // before the device is opened
  const descriptor_table table_;
  const executor_choice by_;

 public:
  // Throws error, rings_refused.
  core(const options& chosen, const rules& allowed, const refusals& refused)
      : by_(choose_executor(chosen.executor, policy::look_closer(allowed, limits_of(chosen, allowed)),
                            allowed.strict_rings && limits_of(chosen, allowed).calls_per_second == 0, refused)),
        all(completed(chosen, allowed, by_.kind), allowed, open_device(chosen)),
        grid_check_(all.memory, *all.on, all.chosen.grid_calls_max) {}
  // Throws error, rings_refused, bad_alloc: then it has ended, too.
  void start();
  // Cancels all calls, waits for kernels and threads, at most as long as the options say, and reports on stderr what
  // did not end (core_end.cpp).
  void end();

  // `name`: of the run, in recordings; or empty.
  std::shared_ptr<run_state> attach(void* stream, const std::string& name);
  void detach(run_state& ended, bool failed);
  void drain();
  // begin_launch: the program is about to launch kernels of this run. launched: it has. end_launches: they and all
  // their calls ended.
  void begin_launch(run_state& of);
  void launched(run_state& of) {
    if (!monitor_->is_interrupted()) return;
    of.kernels->launched();
    monitor_->kernels_told();
  }
  void end_launches(run_state& of);
  // Waits for the kernels of a run, and then for its posted calls. `what` names the waiting function, for a line on
  // stderr if the wait takes long. Throws error(launch_failed).
  void wait_for_end(run_state& of, const char* what);

  // Frees device memory once no run is attached: freeing waits for kernels.
  void free_device(void* memory);

  void coalesce(u64 window_us, u64 calls);

  // Whether an ancestor of this process made the runtime, before a fork(). The child must not touch it: its threads do
  // not exist here, and the parent shares some of its memory. The child never destroys it.
  bool is_inherited() const { return made_after_forks_ != forks_so_far(); }
  void must_be_own() const;  // throws error(forked)
  void stay();

  void report(std::ostream& to) const;
  statistics stats() const;
  std::vector<call_in_flight> calls_in_flight() const;
  std::string describe() const;

  serving all;
  const u32 number = next_number();  // of the runtimes of this process, from 0
  recording_switch recordings{all.recorder, number, [this] { return describe(); }, all.direct.get()};

 private:
  std::string waiting() const;
  void wait_for_end(run_state& of, long_drains::drain& as);
  void wait_for_calls(run_state& of, long_drains::drain& as);
  u64 calls_of(u32 run) const;
  static policy::limits limits_of(const options& chosen, const rules& allowed);
  static options completed(options chosen, const rules& allowed, executor_kind by);
  progress kernels();
  std::vector<std::shared_ptr<launches>> kernels_of_runs();
  void refuse_runs();
  void cancel_calls();
  progress wait_for_kernels(u64 deadline);
  void leave_to_kernels();
  void leave_memory();
  u32 stop_serving(u64 deadline, progress kernels_are);
  void complete_unserved();
  void report_end(progress kernels_are, u32 left_behind) const;
  u64 calls_begun() const;
  u32 free_run();
  static u32 next_number();
  void settle_if_idle();

  grids grid_check_;
  long_drains drains_{all.chosen.stall_warn_ms,
                      all.chosen.sigquit ? "SIGQUIT (Ctrl-\\) or runtime::report()" : "runtime::report()",
                      [this](u32 run) { return calls_of(run); }, [this] { return calls_begun(); }};
  std::optional<monitor> monitor_;
  std::optional<control_socket> control_;
  mutable std::mutex lock_;  // guards all below
  std::list<run_state*> runs_;
  std::vector<void*> to_free_;       // device memory, when the last run is gone
  std::bitset<runs_max> run_taken_;  // the numbers of runs; 0 is none
  u32 last_run_ = 0;
  bool ended_ = false;
  bool failed_ = false;  // a kernel failed: which calls are in flight is unknown
  std::atomic<bool> stays_{false};
  std::shared_ptr<core> itself_;  // set by stay()
};

}  // namespace genesys::detail
