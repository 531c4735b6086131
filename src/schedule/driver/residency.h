// SPDX-License-Identifier: Apache-2.0
// What the blocks of a launch take of a multiprocessor, and whether those of two launches are resident together. Values
// only; the driver uses them under its lock.
#pragma once

#include <cstddef>
#include <cstdint>

namespace genesys::schedule {

// What one has.
struct multiprocessor_limits {
  unsigned multiprocessors = 0;  // of the device; 0: not known
  unsigned threads = 0, registers = 0, blocks = 0;
  std::size_t shared_bytes = 0;
};

// What a block takes.
struct block_needs {
  unsigned threads = 0, registers = 0;
  std::size_t shared_bytes = 0;  // with what CUDA reserves
  unsigned at_a_time = 0;        // so many are resident on an empty multiprocessor; 0: not known
};

// A launch, as one multiprocessor sees it.
struct launch_shape {
  block_needs of;
  unsigned resident = 0;  // blocks at a time; 0: not known
  bool operator==(const launch_shape& other) const {
    return of.threads == other.of.threads && of.registers == other.of.registers &&
           of.shared_bytes == other.of.shared_bytes && of.at_a_time == other.of.at_a_time && resident == other.resident;
  }
};
// The device spreads the blocks evenly.
launch_shape shape_of(const block_needs& of, std::uint64_t blocks, const multiprocessor_limits& on);

// Whether `second` has as many blocks at a time while `first` runs as it has alone. Shared memory is divided for as
// many blocks of `first` as can be resident, and stays so while one of them is.
bool fits_beside(const launch_shape& first, const launch_shape& second, const multiprocessor_limits& on);

}  // namespace genesys::schedule
