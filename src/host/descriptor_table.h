// SPDX-License-Identifier: Apache-2.0
// Enlarges the process's table of descriptors when a runtime is made. Linux enlarges it when a new descriptor does not
// fit, and in a process with threads it then waits for an RCU grace period: 27 ms on an H100's host, seconds on a busy
// one (expand_fdtable, synchronize_rcu). No call should wait for that. Made before the device, whose driver has
// threads.
#pragma once

#include <thread>

namespace genesys::detail {

class descriptor_table {
 public:
  descriptor_table();
  ~descriptor_table();
  descriptor_table(const descriptor_table&) = delete;
  descriptor_table& operator=(const descriptor_table&) = delete;

 private:
  std::thread enlarging_;  // if the process had threads
};

}  // namespace genesys::detail
