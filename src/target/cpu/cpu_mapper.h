// SPDX-License-Identifier: Apache-2.0
// Memory that kernels map, on the CPU device. Kernels use what Linux has mapped as it is. Device memory is a part of
// the device's own region. Any thread.
#pragma once

#include "target/mapper.h"

namespace genesys::detail {

class cpu_mapper final : public mapper {
 public:
  int admit(void*, std::size_t, bool) override { return 0; }
  void let_go(void*) override {}
  u64 reserve(std::size_t bytes) override;
  void unreserve(u64 begin, std::size_t bytes) override;
  int populate(u64 begin, std::size_t bytes) override;
  int depopulate(u64 begin, std::size_t bytes) override;
  std::size_t free_bytes() override;
  int store(u32* at, u32 value) override;
};

}  // namespace genesys::detail
