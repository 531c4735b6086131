// SPDX-License-Identifier: Apache-2.0
// A world for the violations of violations.h: all memory that a kernel shares with the host, in this process and
// without a runtime. It has one queue, the completion slots of one warp, a few bounce buffers, records of grid calls,
// and one shared ring. No worker serves it, and `ended` is set, so a kernel whose violation is not found ends. The
// launching thread makes the world before it launches the kernel, and never frees it: the process or the CUDA context
// ends with the kernel.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "genesys/detail/ops/dependents.h"

namespace assertions {

using namespace genesys::detail;
using namespace genesys::detail::queue;
using namespace genesys::detail::staging;
using namespace genesys::detail::team;
using namespace genesys::detail::uring;

// Memory for both sides, zeroed.
template <class T>
T* zeroed(std::size_t count) {
  const std::size_t bytes = (count * sizeof(T) + 255) / 256 * 256;
  void* at = nullptr;
#if defined(__CUDACC__)
  if (cudaMallocManaged(&at, bytes) != cudaSuccess) std::abort();
#else
  at = std::aligned_alloc(256, bytes);
  if (at == nullptr) std::abort();
#endif
  std::memset(at, 0, bytes);
  return static_cast<T*>(at);
}

struct world {
  static constexpr u32 slots_log2 = 6, buffers = 4, calls_log2 = 2;

  world() {
    at.version = layout_version;
    at.slots_log2 = slots_log2;
    at.queues = at.groups = at.ticket_groups = 1;
    at.run = 1;
    at.slots = zeroed<request_slot>(1u << slots_log2);
    at.published_heads = zeroed<published_head_line>(1);
    at.completion_slots = zeroed<completion_slot>(2 * slots_in_group);
    at.extras = zeroed<completion_extra>(2 * slots_in_group);
    at.producers = zeroed<producer_state>(1);
    at.claims = zeroed<u64>(2);
    at.first_looks = zeroed<u32>(first_look_kinds);
    at.ended = zeroed<u32>(1);
    *at.ended = 1;
    make_bounce_buffers();
    make_grids();
    make_ring();
  }

  device_context at{};

 private:
  struct bounce_memory {
    bounce_pool pool;
    u64 taken[bounce_classes], gathered[bounce_classes];
  };
  struct grid_memory {
    grid_table table;
    grid_call_record slots[grids_max << calls_log2];
  };

  void make_bounce_buffers() {
    auto* const memory = zeroed<bounce_memory>(1);
    memory->pool.returned = zeroed<u64>(bounce_classes);
    memory->pool.classes[0].growth = as_word({buffers, 0, false});
    at.bounce = &memory->pool;
    at.arena_begin = 1u << 20;  // an address that no code loads from
    at.bounce_buffers[0] = buffers;
    at.arena_end = at.arena_begin + (u64{buffers} << buffer_bytes_log2(0));
  }
  void make_grids() {
    auto* const memory = zeroed<grid_memory>(1);
    memory->table.calls_log2 = calls_log2;
    at.grids = &memory->table;
  }
  void make_ring() {
    at.rings_shape = {1, 2, 3, false};
    at.rings = zeroed<shared_ring_table>(1);
    at.rings->completion_slots = 2 * slots_in_group;
    at.rings->results = zeroed<u64>(2 * slots_in_group);
    at.rings->filled = zeroed<u64>(at.rings_shape.sq_entries());
    at.rings->posted = zeroed<posted_counters>(runs_max);
    shared_ring& ring = at.rings->ring[0];
    ring.head = zeroed<u32>(1);
    ring.tail = zeroed<u32>(1);
    ring.seen = zeroed<u32>(1);
    ring.completed = zeroed<u32>(1);
    ring.sqes = zeroed<u64>(8 * at.rings_shape.sq_entries());
    ring.cqes = zeroed<u64>(2 * at.rings_shape.cq_entries());
  }
};

}  // namespace assertions
