// SPDX-License-Identifier: Apache-2.0
// What the driver learns of a kernel's times from its launches, for each kernel and shape of launch. The driver calls
// it under its lock.
#pragma once

#include <map>
#include <tuple>

#include "schedule/driver/execution.h"

namespace genesys::schedule {

class learnt_times {
 public:
  struct key {
    kernel_id kernel = 0;
    std::uint64_t blocks = 0, threads = 0;
    auto operator<=>(const key&) const = default;
  };
  static key of(kernel_id kernel, const kernel_launch& what);

  // 0 in what is not known.
  kernel_times operator[](const key& of) const;

  // An undisturbed launch took so long; `at_a_time` blocks run at a time (0: not known).
  void ran(const key& of, time_ns run, std::uint64_t at_a_time);
  // From the abort of a launch until the driver learnt of its end. The next launch begins before that: when the blocks
  // have left. The shortest time is nearest to it.
  void left(const key& of, time_ns abort);

 private:
  std::map<key, kernel_times> known_;
};

}  // namespace genesys::schedule
