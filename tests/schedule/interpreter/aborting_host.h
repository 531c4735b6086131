// SPDX-License-Identifier: Apache-2.0
// The host's side of the abort protocol (docs/schedule-abort.md), for kernels that the interpreter runs.
#pragma once

#include "small_workload.h"

namespace genesys::schedule::interpreter {

struct host_settings {
  bool rolls_back = true;    // controls: false
  unsigned aborts_max = 3;   // of one launch
  std::uint64_t within = 0;  // steps of the launch in which it is aborted
};

struct host_report {
  unsigned aborted = 0, whole = 0;
};

class aborting_host {
 public:
  aborting_host(machine& on, unsigned seed);

  // Runs a launch until it is whole. `context_offset`: of launch_context. Throws fault, and std::logic_error if the
  // counts do not say what happened.
  void run(launch one, std::uint32_t context_offset, const host_settings& settings);
  const host_report& report() const { return report_; }

 private:
  static constexpr unsigned replicas = 4;
  void prepare(launch& one, std::uint32_t context_offset);
  std::uint64_t counted(std::uint32_t which);

  machine& on_;
  std::mt19937 random_;
  std::uint64_t flags_, counts_, latch_;
  std::uint32_t epoch_ = 0;
  host_report report_;
};

}  // namespace genesys::schedule::interpreter
