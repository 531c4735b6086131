// SPDX-License-Identifier: Apache-2.0
// A model of a GPU, its copies and its driver, for the simulation of a policy: discrete events, driven by a seed. It
// carries the actions out after random delays and reports events after random delays, in causal order for one instance
// and in any order between instances. What really happens is told to an observer at once.
//
// The GPU runs one launch at a time, the one of the highest level; launches of one task run in order. The blocks of a
// launch leave at an abort, or at their end for a launch of a higher level, or when the kernel ends. A launch whose
// rest is shorter than the time that an abort takes may end whole.
//
// Copies are kernels, too. If the times say so, a piece of a copy waits until blocks of the running launch have ended,
// and copies under way share the bandwidth.
#pragma once

#include <functional>
#include <map>
#include <queue>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "schedule/policy/policy.h"

namespace genesys::schedule {

struct machine_times {
  time_ns event_most = 3'000;   // from a fact to the policy's event
  time_ns action_most = 3'000;  // from a decision to its effect
  time_ns abort_least = 3'000;  // from the flag until the blocks have left; at most: kernel_times::abort
  time_ns drop_most = 40'000;   // an aborted launch drops the blocks that remain
  double copy_bytes_per_ns = 2000;
  std::uint64_t piece_bytes = 4 << 20;
  double piece_wait_most = 0;  // a piece waits for blocks, at most for this part of a block's time
  bool copies_share = false;
};

// The kernel as it is, next to what the policy is told of it.
struct true_kernel {
  kernel_facts told;
  kernel_facts revised;  // what it is told later, if `told` leaves space
  time_ns run = 0;
  time_ns block = 0;
};

// Sees what really happens, in its order.
class observer {
 public:
  virtual ~observer() = default;
  virtual void begins_to_run(instance_id) {}
  virtual void occupant_changed() {}
  virtual void drained(instance_id, bool /*whole*/, bool /*wrote*/) {}
  virtual void snapshot_whole(instance_id) {}
  virtual void rolled_back(instance_id) {}
  virtual void acted(const action&) {}   // the policy has decided it
  virtual void handles(const event&) {}  // the policy is about to see it
  virtual void handled() {}
};

class machine {
 public:
  machine(policy& under_test, const machine_times& times, std::uint64_t seed, observer& seen);

  void at(time_ns when, std::function<void()> what);
  // Called when the policy completes an instance, if set.
  std::function<void(instance_id)> completes;

  // Reports an event of the program to the policy now.
  void report(const event& what);
  void submit(task_id task, instance_id id, const true_kernel& kernel);
  // It does not leave space for what is known now. As in a driver, that may come too late: it was launched meanwhile.
  void revise(instance_id id);
  // Runs until nothing is left to happen, at most until `end`. False: that was too early.
  bool run(time_ns end);

  time_ns now() const { return now_; }
  std::mt19937_64& random() { return random_; }
  time_ns random_upto(time_ns most) { return std::uniform_int_distribution<time_ns>(0, most)(random_); }
  instance_id occupant() const { return occupant_ == nullptr ? 0 : occupant_->id; }

 private:
  struct resident {  // one launch
    instance_id id = 0;
    task_id task = 0;
    unsigned attempt = 0, level = 0;
    std::uint64_t order = 0;
    time_ns rest = 0;
    bool arrived = false, started = false, abort_raised = false, leaves = false, drops = false;
    time_ns since = 0;             // the occupant: when it got the GPU
    std::uint64_t generation = 0;  // what is planned for an earlier one is void
  };
  struct copy {
    std::uint64_t stored = 0;
    bool active = false, stopping = false;
    std::uint64_t generation = 0;
    bool waits = false;      // for blocks of the running launch
    std::uint64_t wait = 0;  // the number of that wait
  };
  struct timed {
    time_ns when;
    std::uint64_t order;
    std::function<void()> what;
    bool operator<(const timed& other) const { return std::tie(other.when, other.order) < std::tie(when, order); }
  };

  void later(event what);  // to the policy, after a delay
  void call_policy(const event& what);
  void act(const action& what);
  void start_launch(const action& what);
  void raise_abort(const action& what);
  resident* find(std::uint64_t order);
  void choose_occupant();
  void leave_after(time_ns delay);
  void occupy(resident& one);
  void vacate(resident& one);
  void end_whole(resident& one);
  void drop(resident& one);
  bool has_earlier(const resident& one) const;
  void copy_piece(instance_id id);
  void transfer_piece(instance_id id);
  time_ns copy_time(std::uint64_t bytes) const;

  policy& policy_;
  const machine_times times_;
  std::mt19937_64 random_;
  observer& observer_;
  time_ns now_ = 1;
  std::uint64_t order_ = 0;
  time_ns deadline_ = never, last_abort_ = 0;
  std::priority_queue<timed> future_;
  std::map<instance_id, true_kernel> kernels_;
  std::set<instance_id> is_complete_;
  std::map<instance_id, task_id> task_of_;
  std::map<instance_id, time_ns> last_report_;
  std::map<task_id, time_ns> last_arrival_;
  std::map<instance_id, copy> copies_;
  unsigned roll_backs_ = 0;                      // under way
  std::map<std::uint64_t, resident> residents_;  // by order of launch, until their drain is over
  resident* occupant_ = nullptr;
};

}  // namespace genesys::schedule
