// SPDX-License-Identifier: Apache-2.0
// What a launch may write, as it was before the launch: copied on the device, in the launch's stream, and back. The
// memory for it belongs to the stand-in and is bounded, because the program does not know of it. The context is current
// on the thread that calls it. One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/classify/launch_verdict.h"
#include "schedule/standin/driver_api.h"

namespace genesys::schedule::standin {

class launch_snapshot {
 public:
  // At most so much device memory: snapshot_variable (environment.h), or a gibibyte.
  static std::uint64_t bytes_max_of_environment();
  explicit launch_snapshot(std::uint64_t bytes_max = bytes_max_of_environment()) : bytes_max_(bytes_max) {}

  // Makes room for so much. False: it would be more than the bound, or more than half of the device memory that is
  // free. Never waits for kernels.
  bool fits(std::uint64_t bytes);
  // Copies behind what is in the stream. It fits. False: the driver refuses; nothing depends on the copy yet.
  bool store(const std::vector<range>& write_set, CUstream stream);
  // Frees its memory, which waits for kernels. No copy is needed any more. False: it has none.
  bool give_back();
  // Copies back. False: the driver refuses.
  bool restore(CUstream stream) const;

 private:
  struct memory_block {
    CUdeviceptr base;
    std::uint64_t bytes;
  };
  struct piece {
    CUdeviceptr in_use, kept;
    std::uint64_t bytes;
  };
  const std::uint64_t bytes_max_;
  std::uint64_t bytes_ = 0;  // of all blocks
  std::vector<memory_block> blocks_;
  std::vector<piece> pieces_;  // of the last store()
};

}  // namespace genesys::schedule::standin
