// SPDX-License-Identifier: Apache-2.0
// Sorts files: in memory if they fit, else in runs in temporary files, which are then merged. Host code.
#pragma once

#include "sorter.h"

namespace line_sort {

struct totals {
  u64 lines = 0, bytes = 0, runs = 0;
  double reading = 0, sorting = 0, writing = 0;  // seconds
};

// Reads all of `chosen.files` and writes the sorted lines. Throws std::runtime_error.
totals sort_files(const settings& chosen, sorter& by);

}  // namespace line_sort
