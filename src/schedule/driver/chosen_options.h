// SPDX-License-Identifier: Apache-2.0
// What a program's options (genesys/scheduler.h) mean for the driver and its policy.
#pragma once

#include "genesys/scheduler.h"
#include "schedule/driver/driver.h"

namespace genesys::schedule {

inline driver_options options_of(const scheduler_options& chosen) {
  constexpr time_ns us = 1'000;
  driver_options made;
  made.policy.aging_step = chosen.aging_step_us * us;
  // Both let a task rise whose kernels are aborted again and again.
  made.policy.aborts_max = chosen.aging_step_us == 0 ? 0 : chosen.aborts_max;
  made.policy.wait_max = made.policy.drain_max = chosen.wait_max_us * us;
  made.policy.hold_max = chosen.snapshot_hold_max_us * us;
  made.policy.undivided_max = chosen.undivided_max_us * us;
  made.policy.gap_max = chosen.gap_max_us * us;
  if (chosen.gap_max_us == 0) made.policy.gap_not_abortable_max = 0;
  made.short_block = chosen.short_block_us * us;
  made.shares_multiprocessors = chosen.share_multiprocessors;
  made.snapshots = {chosen.snapshot_device_bytes, chosen.snapshot_pinned_bytes};
  return made;
}

}  // namespace genesys::schedule
