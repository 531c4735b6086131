// SPDX-License-Identifier: Apache-2.0
// A program without knowledge of the stand-in: random launches, copies, events and waits in several streams, from one
// or two threads. It orders its work where two pieces use the same memory, so what it computes does not depend on time.
#pragma once

#include <cstdint>
#include <vector>

#include "timed_machine.h"

namespace genesys::schedule::standin::tests {

struct program_options {
  std::uint32_t seed = 0;
  unsigned threads = 1;
  unsigned steps = 40;  // of each thread
};

// What all of its memory holds at its end: of the device, and what was copied to the host. The machine runs it through
// the exported functions; an observer may be attached.
std::vector<std::uint32_t> run_program(timed_machine& on, const program_options& how);

}  // namespace genesys::schedule::standin::tests
