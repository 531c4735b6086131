// SPDX-License-Identifier: Apache-2.0
// Checks what a policy must keep, against what really happens in the machine. It knows the properties and nothing of
// the policy's code. Each violation is counted under the name of its property.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "machine.h"
#include "schedule/policy/options.h"

namespace genesys::schedule {

class checker final : public observer {
 public:
  // `checks_inversion`: without aging only, because aging is an inversion that is wanted.
  checker(const policy_options& options, const machine_times& times, bool checks_inversion)
      : options_(options),
        times_(times),
        checks_inversion_(checks_inversion),
        is_space_scarce_(options.snapshot_space_bytes < std::uint64_t{1} << 36) {}
  void watch(const machine& which) { machine_ = &which; }

  void knows(instance_id id, task_id task, const true_kernel& kernel);
  // After the run: every instance is complete.
  void expect_all_complete();

  void begins_to_run(instance_id id) override;
  void occupant_changed() override;
  void drained(instance_id id, bool whole, bool wrote) override;
  void snapshot_whole(instance_id id) override;
  void rolled_back(instance_id id) override;
  void acted(const action& what) override;
  void handles(const event& what) override;
  void handled() override;

  const std::map<std::string, unsigned>& violations() const { return violations_; }
  const std::string& first() const { return first_; }  // message; empty: there is none
  // Of all, and of those by a launch that can be aborted.
  time_ns longest_inversion() const { return longest_inversion_; }
  time_ns longest_abortable_inversion() const { return longest_abortable_; }
  time_ns completed_at(instance_id id) const { return all_.at(id).completed_at; }
  // The longest time from when an instance was the oldest of its task until it was complete.
  time_ns longest_as_oldest() const { return longest_as_oldest_; }

 private:
  enum class snapshot { none, copying, stopping, whole };
  struct truth {
    task_id task = 0;
    true_kernel kernel;
    bool submitted = false, was_launched = false, completed = false;
    bool in_gpu = false;         // launched, and the policy has not heard of its end
    bool really_in_gpu = false;  // launched, and not drained
    bool started = false, abort_decided = false, ended_whole = false, dirty = false, rolls_back = false;
    bool unprotected = false;        // this launch has no snapshot, but needs one for an abort
    snapshot kept = snapshot::none;  // as the policy knows it
    bool really_whole = false;
    time_ns copied_since = never;     // since its last launch
    std::uint64_t stored_before = 0;  // by the snapshot that was stopped
    time_ns oldest_since = never, completed_at = never;
  };

  void violate(const std::string& property, instance_id id);
  bool needs_snapshot(const truth& one) const;
  bool is_undivided(const kernel_facts& facts) const;
  bool has_oldest_right(instance_id id) const;
  bool is_ready(instance_id id, const truth& one) const;
  void check_launch(instance_id id, truth& one);
  void check_snapshots();
  bool is_copied_soon(const truth& one) const;
  bool is_long(const kernel_facts& facts) const;
  time_ns gap_most(const kernel_facts& facts) const;
  bool has_launch_from(int nice) const;
  void check_idle();
  bool find_excuse(const truth& ready);
  void check_critical_path();
  void check_way_for(instance_id id, const truth& copied);
  instance_id most_important_pending(int nice) const;
  void check_inversion();
  void begin_oldest(task_id task);

  const policy_options options_;
  const machine_times times_;
  const bool checks_inversion_, is_space_scarce_;
  const machine* machine_ = nullptr;
  std::map<task_id, int> nice_;
  std::map<instance_id, truth> all_;
  std::map<task_id, std::vector<instance_id>> unfinished_;  // in the order of submission
  std::vector<instance_id> launched_, prepared_;            // by the present event
  std::map<task_id, time_ns> ended_at_;                     // its latest instance
  // While the GPU has no launch, but something could be launched: for what it is held back.
  time_ns idle_since_ = never;
  std::set<instance_id> held_for_;
  std::set<std::pair<task_id, time_ns>> gaps_;
  std::map<std::string, unsigned> violations_;
  std::string first_;
  instance_id inverted_for_ = 0;
  time_ns inverted_since_ = never, inversion_bound_ = 0;
  bool only_abortable_ = true;  // that inversion
  time_ns longest_inversion_ = 0, longest_abortable_ = 0, longest_as_oldest_ = 0;
};

}  // namespace genesys::schedule
