// SPDX-License-Identifier: Apache-2.0
// Host block and device block: computes their sizes, takes their memory from the device, lays them out, and frees them.
// The runtime's core owns it. The host's thread makes and ends it; all serving threads read it.
#pragma once

#include <memory>

#include "genesys/detail/wire/bounce_buffers.h"
#include "genesys/detail/wire/grid_calls.h"
#include "genesys/detail/wire/heap.h"
#include "genesys/detail/wire/known_addresses.h"
#include "memory/bounce_growth.h"
#include "memory/bounce_returns.h"
#include "memory/user_arena.h"
#include "target/device.h"

namespace genesys::detail {

class layout {
 public:
  // Throws error: bad_option, no_pinned_memory, no_memory.
  layout(device& on, const options& chosen);
  layout(const layout&) = delete;
  layout& operator=(const layout&) = delete;

  // The device context for kernels; the core fills in `run` and `generation`.
  const device_context& where() const { return context_; }
  u32 queues() const { return context_.queues; }
  u32 completion_slots() const { return completion_slots_of(context_); }
  std::size_t pinned_bytes() const { return pinned_bytes_ + growth_->bytes() + arena_.bytes_pinned(); }
  user_arena& arena() { return arena_; }
  const bounce_returns& returns() const { return returns_; }
  bounce_growth& growth() const { return *growth_; }
  interrupt_words& interrupt() { return *interrupt_; }

  // Adds shared rings to the device context. Kernels then submit calls to them.
  void tell(shared_ring_table* rings, shared_ring_shape as);

  // Forgets the memory instead of freeing it: something still uses it.
  void leak() { owned_.host = owned_.device_block = nullptr; }

 private:
  struct memory {
    device& of;
    void* host = nullptr;
    void* device_block = nullptr;
    ~memory();
  };

  memory owned_;
  device_context context_{};
  user_arena arena_;
  bounce_returns returns_;
  interrupt_words* interrupt_ = nullptr;
  std::unique_ptr<bounce_growth> growth_;
  std::size_t pinned_bytes_ = 0;  // without bounce buffers and arena
};

}  // namespace genesys::detail
