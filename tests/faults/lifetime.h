// SPDX-License-Identifier: Apache-2.0
// A day in the life of a runtime: it is made, a kernel asks it for a bit of everything, it ends. What has to hold
// whatever call of the host's fails on the way.
#pragma once

#include <string>

#include "faults.h"

namespace faults {

enum class part { start, calls, end };  // in which calls fail

struct fault {
  host_call which;
  unsigned nth;    // counted from the beginning of the part
  unsigned times;  // so many in a row
};

struct lifetime_report {
  bool held = true;      // what has to hold
  bool refused = false;  // the runtime could not be made, and said so
  unsigned made = 0;     // calls of that name, in that part
  unsigned errors = 0;   // calls of the kernel's that gave one
  std::string words;
};

// In this process, which has no runtime yet.
lifetime_report run_lifetime(const std::string& policy, part when, const fault& what);

}  // namespace faults
