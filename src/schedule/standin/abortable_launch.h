// SPDX-License-Identifier: Apache-2.0
// The launch of the program that can be aborted: at most one is under way. It keeps a copy of the launch, and of the
// memory that has to be restored, and runs the launch again. The observer calls it under its lock, on any thread.
//
//   nothing --take--> runs --raise--> raised --look--> aborted --run_again--> runs
//                     runs, raised --look--> nothing: it has ended whole
//                     runs --let_run--> nothing: it is never aborted from now on
#pragma once

#include <memory>
#include <optional>

#include "schedule/abort/abort_table.h"
#include "schedule/standin/abort_choice.h"
#include "schedule/standin/context_memory.h"
#include "schedule/standin/launch_snapshot.h"

namespace genesys::schedule::standin {

// Faults that the tests plant, and must find.
struct planted_faults {
  bool no_roll_back = false;  // what an aborted launch has written stays
  bool no_drain = false;      // an aborted launch counts as ended at once
  bool no_settle = false;     // ordered calls do not wait
  bool no_exclusion = false;  // what else the program has in the GPU does not count
};

class abortable_launch {
 public:
  enum class state { nothing, runs, raised, aborted };
  explicit abortable_launch(planted_faults faults) : faults_(faults) {}

  state now() const { return state_; }
  bool is_there() const { return state_ != state::nothing; }
  const observed_launch& launch() const { return *kept_; }
  bool is_idempotent() const { return is_idempotent_; }
  unsigned times_aborted() const { return times_aborted_; }

  // Issues the launch with polls, behind a copy of its write set if it is not idempotent. False: it cannot be had so,
  // and nothing was launched. The launch's context is current. Nothing is there. All launches are of one context.
  // `is_raised`: its flags are stored before it begins, so all its threads leave at their entry; for tests.
  bool take(const observed_launch& one, abort_choice how, bool is_raised = false);

  // Stores the flags. Only if it runs.
  void raise();
  // Looks whether the launch has ended, and how: if it was aborted, it has left the GPU.
  void look();
  // Only if it was aborted: restores what it wrote, and launches it again, in its stream. False: the driver refuses it
  // with polls, so it was launched without, or the program's results are wrong, which is said.
  bool run_again();
  bool has_rolled_back() const { return has_rolled_back_; }  // run_again() did

  // From now on it is a launch like all others. The caller gets the event behind it, and gives it to has_passed() when
  // the event has passed. Only if it runs.
  struct let_go {
    CUevent ended;
    abort_launch attempt;
  };
  let_go let_run();
  void has_passed(const let_go& one);

  // Gives the memory of copies back to the context, which is current. Nothing is there. False: there is none.
  bool give_back_memory() { return of_ != nullptr && of_->snapshot.give_back(); }

  // How long the launch has been in the GPU since its last issue.
  std::uint64_t run_ns() const;

 private:
  struct in_one_context {
    CUcontext context;
    context_memory memory;
    abort_table table;
    launch_snapshot snapshot;
    explicit in_one_context(CUcontext which) : context(which), table(memory) {}
  };
  bool prepare(CUcontext context);
  CUresult issue(bool is_raised = false);
  void conclude();

  const planted_faults faults_;
  state state_ = state::nothing;
  std::unique_ptr<in_one_context> of_;
  bool is_refused_ = false;  // the context has no memory for it
  std::optional<observed_launch> kept_;
  const kernel_variant* with_ = nullptr;
  bool is_idempotent_ = false, has_written_ = false, has_rolled_back_ = false;
  unsigned times_aborted_ = 0;
  std::optional<abort_launch> attempt_;
  std::uint32_t latches_used_ = 0;  // a bit for each latch: a launch is alone in its chain, and is never ahead
  CUevent ended_ = nullptr;
  std::uint64_t issued_ns_ = 0, contexts_ended_ = 0;
};

}  // namespace genesys::schedule::standin
