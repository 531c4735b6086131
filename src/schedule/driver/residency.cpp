// SPDX-License-Identifier: Apache-2.0
#include "schedule/driver/residency.h"

#include <algorithm>

namespace genesys::schedule {

launch_shape shape_of(const block_needs& of, std::uint64_t blocks, const multiprocessor_limits& on) {
  if (on.multiprocessors == 0) return {of, 0};
  const std::uint64_t each = (blocks + on.multiprocessors - 1) / on.multiprocessors;
  return {of, static_cast<unsigned>(std::min<std::uint64_t>(of.at_a_time, each))};
}

bool fits_beside(const launch_shape& first, const launch_shape& second, const multiprocessor_limits& on) {
  if (first.resident == 0 || second.resident == 0) return false;
  const std::size_t free_shared = (first.of.at_a_time - first.resident) * first.of.shared_bytes;
  return first.resident + second.resident <= on.blocks &&
         first.resident * first.of.threads + second.resident * second.of.threads <= on.threads &&
         first.resident * first.of.registers + second.resident * second.of.registers <= on.registers &&
         second.resident * second.of.shared_bytes <= free_shared;
}

}  // namespace genesys::schedule
