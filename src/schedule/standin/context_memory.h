// SPDX-License-Identifier: Apache-2.0
// Device memory of one context through the driver's functions, for the abort table. It has a stream of its own with the
// highest priority, so that flags do not wait behind the program's work. The context is current on the thread that
// calls it. One thread at a time.
#pragma once

#include "schedule/standin/driver_api.h"
#include "target/device_memory.h"

namespace genesys::schedule::standin {

class context_memory final : public detail::device_memory {
 public:
  // Of the current context. Throws error(no_memory).
  context_memory();
  // It is never destroyed while the context lives: the driver frees stream and memory with the context.

  void* allocate(std::size_t bytes) override;
  void free(void* memory) override;
  void copy_to_host(void* host, const void* device, std::size_t bytes) override;
  void fill(void* device, int byte, std::size_t bytes) override;
  void store_words(void* device, detail::u32 value, detail::u32 rows, std::size_t apart) override;

 private:
  void finish(CUresult begun, const char* doing);

  CUstream stream_ = nullptr;
  detail::u32* values_ = nullptr;  // pinned, so that the copy of the flags is one step
};

}  // namespace genesys::schedule::standin
