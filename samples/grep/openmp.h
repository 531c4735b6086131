// SPDX-License-Identifier: Apache-2.0
// The same search by threads of the CPU, to compare with. Host only.
#pragma once

#include <cstdint>

#include "options.h"
#include "word_table.h"

namespace grep {

struct cpu_outcome {
  bool matched = false, failed = false;
  std::uint64_t bytes_read = 0;
};

// Prints names or counts, and messages. Throws std::runtime_error if standard output cannot be written.
cpu_outcome search_by_openmp(const settings& chosen, const word_table& table);

}  // namespace grep
