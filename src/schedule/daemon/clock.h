// SPDX-License-Identifier: Apache-2.0
// The clock of the daemon and its clients.
#pragma once

#include <ctime>

#include "schedule/daemon/arbiter.h"

namespace genesys::schedule::processes {

inline time_ns now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<time_ns>(now.tv_sec) * 1'000'000'000 + static_cast<time_ns>(now.tv_nsec);
}

}  // namespace genesys::schedule::processes
