// SPDX-License-Identifier: Apache-2.0
// What a program asks the driver for: a kernel, and what an abort of it needs.
#pragma once

#include <vector>

#include "schedule/driver/execution.h"
#include "schedule/driver/snapshot.h"

namespace genesys::schedule {

struct instance_request {
  kernel_launch what;
  kernel_id kernel = 0;
  bool idempotent = false;
  bool abortable = false;        // it may be aborted, and run again after its write set was restored
  std::vector<range> write_set;  // if it is not idempotent
};

}  // namespace genesys::schedule
