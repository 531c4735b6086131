// SPDX-License-Identifier: Apache-2.0
// The syscall area: sizes it, takes its memory from the device, lays it out, and gives it back. Owned by the runtime's
// core; made and ended on the host's thread, read by all serving threads.
#pragma once

#include "genesys/detail/wire/bounce_buffers.h"
#include "genesys/detail/wire/grid_calls.h"
#include "genesys/detail/wire/known_addresses.h"
#include "memory/bounce_returns.h"
#include "memory/region.h"
#include "target/device.h"

namespace genesys::detail {

class layout {
 public:
  // Throws error: bad_option, no_pinned_memory, no_memory.
  layout(device& on, const options& chosen);
  layout(const layout&) = delete;
  layout& operator=(const layout&) = delete;

  // What goes to kernels; `run` and `generation` are filled in by the core.
  const device_context& where() const { return context_; }
  u32 queues() const { return context_.queues; }
  u32 completion_slots() const { return context_.groups * (1 + context_.ticket_groups) * slots_in_group; }
  std::size_t host_bytes() const { return host_bytes_; }
  region& arena() { return arena_; }
  const bounce_returns& returns() const { return returns_; }

  // Kernels submit calls themselves by these rings.
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
  region arena_;
  bounce_returns returns_;
  std::size_t host_bytes_ = 0;
};

}  // namespace genesys::detail
