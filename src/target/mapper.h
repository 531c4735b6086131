// SPDX-License-Identifier: Apache-2.0
// The functions of a device for memory that kernels map (memory/mappings.h). Each device has one mapper. Any thread may
// call any function, also while kernels run that wait for the caller, except where noted. An int is 0 or -errno.
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
  // cannot. -EADDRNOTAVAIL: it can, but by another address; the memory still needs let_go().
  virtual int admit(void* begin, std::size_t bytes, bool read_only) = 0;
  // Ends that, before Linux unmaps the memory. Waits for running kernels.
  virtual void let_go(void* begin) = 0;

  // Reserves addresses for device memory, whole pieces, without memory. 0: there are none.
  virtual u64 reserve(std::size_t bytes) = 0;
  // Gives the addresses back. No running kernel may know them.
  virtual void unreserve(u64 begin, std::size_t bytes) = 0;
  // Puts zeroed memory there. -ENOMEM: there is no more, and nothing is put there.
  virtual int populate(u64 begin, std::size_t bytes) = 0;
  // Gives the memory back at once; later accesses to the addresses fault.
  virtual int depopulate(u64 begin, std::size_t bytes) = 0;

  // Free memory of the device, which other programs may use, too.
  virtual std::size_t free_bytes() = 0;
  // Stores a word in device memory. Running kernels see it.
  virtual int store(u32* at, u32 value) = 0;
};

}  // namespace genesys::detail
