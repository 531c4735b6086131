// SPDX-License-Identifier: Apache-2.0
// What a device does for memory that kernels map (memory/mappings.h). One a device. Any thread may call any function,
// also while kernels run that wait for the caller, but for those that say otherwise. An int is 0 or -errno.
#pragma once

#include <cstddef>

#include "genesys/detail/wire/protocol.h"

namespace genesys::detail {

// Device memory is mapped, and given back, in pieces of this size.
constexpr u64 piece_of_memory_bytes = u64{2} << 20;

class mapper {
 public:
  virtual ~mapper() = default;

  // Lets kernels use what Linux has mapped at `begin` (whole pages), by the same address. -EOPNOTSUPP: the device
  // cannot. -EADDRNOTAVAIL: it can, but by another address; the memory has to be let go all the same.
  virtual int admit(void* begin, std::size_t bytes, bool read_only) = 0;
  // The end of that, before Linux unmaps it. Waits for kernels that run.
  virtual void let_go(void* begin) = 0;

  // Addresses for device memory, whole pieces, with nothing there; 0: there are none.
  virtual u64 reserve(std::size_t bytes) = 0;
  // No kernel runs that may have known them.
  virtual void unreserve(u64 begin, std::size_t bytes) = 0;
  // Puts zeroed memory there, or nothing: -ENOMEM, there is no more.
  virtual int populate(u64 begin, std::size_t bytes) = 0;
  // Gives the memory back at once; what touches the addresses from now on faults.
  virtual int depopulate(u64 begin, std::size_t bytes) = 0;

  // Device memory that is free, whoever uses the rest.
  virtual std::size_t free_bytes() = 0;
  // Stores a word in device memory, for kernels that run to see.
  virtual int store(u32* at, u32 value) = 0;
};

}  // namespace genesys::detail
