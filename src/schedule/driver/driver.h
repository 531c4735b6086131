// SPDX-License-Identifier: Apache-2.0
// The driver of the scheduling policy: carries its actions out on a device, and tells it what has happened.
// docs/schedule-driver.md describes it.
//
// The driver's own thread takes what was submitted, and looks for the ends of launches and copies, and for deadlines.
// While it naps or sleeps, a thread that submits an instance does itself what the policy decides, so that nothing
// urgent waits for another thread to wake up. One lock guards it all.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "schedule/abort/abort_table.h"
#include "schedule/driver/arrivals.h"
#include "schedule/driver/block_timer.h"
#include "schedule/driver/completion.h"
#include "schedule/driver/execution.h"
#include "schedule/driver/important_shapes.h"
#include "schedule/driver/instance_request.h"
#include "schedule/driver/learnt_times.h"
#include "schedule/driver/snapshot.h"
#include "schedule/driver/spin_lock.h"
#include "schedule/policy/options.h"
#include "schedule/policy/priority_policy.h"

namespace genesys::schedule {

struct driver_options {
  policy_options policy;
  snapshot_limits snapshots;
  // Kernels whose blocks are shorter run without polls: a more important launch gets their place as fast.
  time_ns short_block = 20'000;
  // So do kernels beside which those of all more important tasks are resident, at once or within `short_block`, if
  // these tasks have launched before.
  bool shares_multiprocessors = true;
  unsigned levels_max = 16;
};

// Several processes: whoever looks after the others. The driver calls both under its lock; they must not call it.
class outside_hooks {
 public:
  virtual ~outside_hooks() = default;
  // The first instance has come. False: a more important process is busy, so nothing may be launched.
  virtual bool begin() = 0;
  // The last instance is complete.
  virtual void end() = 0;
};

class driver {
 public:
  // Each task has a latch, and its launches have an abort index.
  static constexpr unsigned tasks_max = 16;

  // Throws error.
  driver(std::unique_ptr<execution> with, const driver_options& options);
  // Waits for all instances.
  ~driver();
  driver(const driver&) = delete;
  driver& operator=(const driver&) = delete;

  detail::device& on() { return with_->on(); }
  // Any thread may call these (execution.h).
  void* allocate(std::size_t bytes) { return with_->allocate(bytes); }
  void free(void* memory) { with_->free(memory); }

  // Any thread may call these. `nice`: -20 to 19. Throws error(bad_option).
  task_id add_task(int nice);
  void set_nice(task_id task, int nice);
  // Waits for its instances.
  void remove_task(task_id task);

  // Returns at once, mostly before the launch. Throws error(launch_failed) if an earlier kernel of any task failed:
  // CUDA then ends all of them.
  std::shared_ptr<const completion> submit(task_id task, instance_request request);
  // Other processes. An instance of a task of the emergency class stands for a more important process that is busy:
  // from occupy() to release() nothing else is launched, and what runs makes way. `expect_outside`: whether there is a
  // more important process at all, so that snapshots are taken.
  void set_outside(outside_hooks* hooks);
  void expect_outside(bool is_expected);
  void occupy();
  void release();
  bool is_occupied() const;
  // Nothing of this process is in the GPU, as far as launches are concerned.
  bool has_drained() const;

  // Calls `observer` for each event, with what the policy decided, under the driver's lock. For timelines and tests;
  // set it before the first submission.
  using observer = std::function<void(time_ns, const event&, const actions&)>;
  void observe(observer with) { observer_ = std::move(with); }

  statistics counted() const;
  kernel_times times_of(kernel_id kernel, const kernel_launch& what) const;
  // What an earlier process learnt, before the first launch of this kernel and shape; and what this one has learnt.
  void recall(const learnt_times::key& of, const kernel_times& earlier);
  std::vector<std::pair<learnt_times::key, kernel_times>> learnt() const;
  std::uint64_t blocks_at_a_time(const kernel_launch& what, execution::code which);

 private:
  struct running {
    instance_request request;
    task_id task = 0;
    learnt_times::key key;
    std::shared_ptr<completion> done;
    std::exception_ptr refused;  // by the device
    bool has_verdict = false;    // it could be aborted, if it had polls
    bool leaves_space = false;   // it has none, because more important kernels run beside it, at once or soon
    std::unique_ptr<snapshot> kept;
    enum class copying { none, storing, stopping, restoring } copies = copying::none;
    bool restore_waits = false;  // for the launches of its task that are in the GPU
    // The launch.
    unsigned attempt = 0, level = 0;
    bool in_gpu = false, has_context = false, raised = false, disturbed = false;
    bool counts_copied = false;  // after the launch, to copied_counts_
    bool wants_raiser = false;   // it may be aborted, and bears the resident raiser beside it
    bool beside_raiser = false;  // the resident raiser was there when it began
    block_timer::record timing = block_timer::none;
    abort_launch abort{};
    execution::mark mark = 0;
    time_ns launched_at = 0, front_since = 0, raised_at = 0;
  };
  struct task_state {
    int nice = 0;
    detail::u32 latch = 0;
    bool has_launched = false;                          // so its shapes are known
    std::uint64_t unfinished = 0, snapshot_pieces = 0;  // of its largest instance so far
  };

  // Under the lock.
  void take_arrivals();
  bool take_arrival();
  void enter(arrival one);
  void handle_events();
  void perform(const action& one);
  void launch(instance_id id, running& one, const action& how);
  void prepare_snapshot(running& one);
  void complete(instance_id id, running& one);
  bool poll();
  bool poll_launches();
  bool poll_copies();
  void look_after_raiser();
  void begin_beside_raiser(running& one);
  bool has_more_important(task_id task) const;
  bool some_launch_wants_raiser() const;
  bool loses_places_to_raiser(const running& one);
  void start_raiser();
  void stop_raiser();
  void see_raiser_leave();
  void launch_ended(instance_id id, running& one);
  void begin_front(unsigned level);
  kernel_facts choose_code(running& one);
  bool is_short(const running& one) const;
  bool leaves_space(const running& one);
  bool leave_soon(const running& one, unsigned blocks, const launch_shape& own) const;
  void note_shape(task_id task, const instance_request& request);
  void revise();
  void begin_after_drains(const running& one);
  void begin_timing(running& one);
  void copy_counts();
  void fail(std::exception_ptr why);
  bool has_launch(task_id task) const;
  bool reserve_for(task_state& task, std::size_t pieces);
  void occupy_now();
  void set_outside_nice(int nice);
  void begin_outside(instance_id id, running& one);

  void work();
  bool look();
  void sleep();
  void nap() const;

  const driver_options options_;
  std::unique_ptr<execution> with_;
  arrivals arrivals_;
  std::atomic<bool> is_looking_{false};  // the driver's thread is awake, and finds what was submitted
  std::atomic<bool> has_failed_{false};  // fail() stores it, submit() loads it
  mutable spin_lock lock_;
  priority_policy policy_;
  abort_table aborts_;
  std::unique_ptr<resident_raiser> raiser_;
  execution::mark raiser_mark_ = 0;  // 0: it is not in the GPU
  bool raiser_stops_ = false;
  snapshot_space space_;
  std::uint64_t reserved_pieces_ = 0;
  learnt_times learnt_;
  important_shapes shapes_;
  std::unordered_set<instance_id> space_left_;  // by launches that wait
  block_timer timer_;
  std::map<task_id, task_state> tasks_;
  std::unordered_map<instance_id, running> instances_;
  std::map<unsigned, std::deque<instance_id>> levels_;  // launches in the GPU, in the order of launch
  std::deque<event> events_;
  observer observer_;
  actions actions_;
  instance_id last_instance_ = 0;
  task_id last_task_ = 0;
  std::exception_ptr failed_;
  outside_hooks* outside_ = nullptr;
  task_id outside_task_ = 0;          // 0: there is none
  instance_id outside_instance_ = 0;  // 0: not occupied
  bool outside_begun_ = false, outside_released_ = false;
  std::uint64_t inside_ = 0;          // unfinished instances of this process
  std::vector<instance_id> copying_;  // their snapshots are being stored or copied back
  time_ns deadline_ = never;          // the policy's
  time_ns last_change_ = 0, last_check_ = 0;
  detail::aborts::leave_counts* copied_counts_ = nullptr;  // pinned; for each abort index
  std::vector<instance_id> raised_;                        // their counts are to be copied

  std::mutex sleeping_;
  std::condition_variable wake_;
  bool is_idle_ = true;  // under sleeping_
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

}  // namespace genesys::schedule
