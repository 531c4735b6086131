// SPDX-License-Identifier: Apache-2.0
// The test mode abort-at-random: a launch runs with polls, is aborted at a random moment, restored if it is not
// idempotent, and run again, perhaps several times. The call that launches returns when the launch has ended. Called by
// the test observer under its lock; it is for programs of which one thread at a time calls the driver.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "schedule/standin/abortable_launch.h"

namespace genesys::schedule::standin {

class random_aborts {
 public:
  // The seed comes from seed_variable (environment.h), or is 1.
  explicit random_aborts(planted_faults faults = {});

  // False: it cannot be had so (no memory for a copy, more than one context), and nothing was launched.
  bool launch(const observed_launch& one, const kernel_variant& with_polls, const launch_verdict& verdict);

  std::uint64_t aborts() const { return aborts_; }
  std::uint64_t rolled_back() const { return rolled_back_; }
  std::uint64_t launches_aborted() const { return launches_aborted_; }  // at least once

 private:
  std::uint64_t below(std::uint64_t bound) { return bound == 0 ? 0 : random_() % bound; }
  static bool others_become_idle(CUstream stream);
  void look_until_it_has_ended(std::uint64_t raise_after_ns);

  abortable_launch current_;
  std::mt19937_64 random_;
  std::uint64_t aborts_ = 0, rolled_back_ = 0, launches_aborted_ = 0;
};

}  // namespace genesys::schedule::standin
