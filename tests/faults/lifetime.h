// SPDX-License-Identifier: Apache-2.0
// The lifetime of a runtime: it is made, a kernel makes calls of many kinds, and it ends. Certain things have to hold
// whichever call of the host fails meanwhile.
#pragma once

#include <string>

#include "faults.h"

namespace faults {

enum class part { start, calls, end };  // the part in which calls fail

struct fault {
  host_call which;
  unsigned nth;    // counted from the beginning of the part
  unsigned times;  // calls in a row
};

struct lifetime_report {
  bool held = true;      // everything that has to hold
  bool refused = false;  // the runtime's constructor threw an error
  bool called = false;   // the kernel ran and ended
  unsigned made = 0;     // calls of that name in that part
  unsigned errors = 0;   // calls of the kernel that gave an error
  std::string words;
};

// Call it in a process that has no runtime yet.
lifetime_report run_lifetime(const std::string& policy, part when, const fault& what);

}  // namespace faults
