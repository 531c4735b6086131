// SPDX-License-Identifier: Apache-2.0
// The heap of kernels: device memory that is mapped in pieces while they run (memory.h), shared by all kernels of a
// runtime. Each warp uses one of 32 parts. A block has a header of 16 bytes, and a size of 32 << k bytes; what is
// larger than the largest is a mapping of its own. Memory that a block once had stays with its class. Any thread may
// call these functions; each thread makes its own request.
#pragma once

#include <sys/mman.h>

#include "genesys/detail/wire/heap.h"
#include "genesys/os.h"
#include "genesys/posix/detail/spin_lock.h"

namespace genesys::detail::libc {

using ops::ticket_origin;  // what is left of an `os` in memory

struct alignas(16) block_header {
  u32 mark;  // in_use or is_free
  std::uint16_t size_class, part;
  u64 bytes;  // as asked for
  static constexpr u32 in_use = 0x6765'6e75, is_free = 0x6672'6565, of_mapping = heap_classes;
};
constexpr u64 allocation_bytes_max = u64{1} << 46;

static_assert(sizeof(block_header) == 16);

constexpr u64 heap_piece_bytes = u64{2} << 20, heap_fresh_bytes = u64{64} << 10;

GENESYS_KERNEL u64 bytes_of_class(u32 k) { return u64{32} << k; }
GENESYS_KERNEL u32 class_of(u64 bytes_with_header) {
  u32 k = 0;
  while (k < heap_classes && bytes_of_class(k) < bytes_with_header) ++k;
  return k;  // heap_classes: a mapping
}
GENESYS_KERNEL block_header* header_of(void* memory) { return static_cast<block_header*>(memory) - 1; }

// Maps device memory: its address, or 0.
GENESYS_KERNEL u64 map_for_heap(const ticket_origin& from, u64 bytes) {
  const os calls(from.whole());
  const long at = calls.mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | map_device, -1, 0);
  return at < 0 ? 0 : static_cast<u64>(at);
}

// Under the part's lock: gives it fresh memory of at least `bytes`. What was left of the old is lost: less than a
// block.
GENESYS_KERNEL bool refill(const ticket_origin& from, heap_state& heap, heap_part& part, u64 bytes) {
  const u64 fresh = bytes > heap_fresh_bytes ? bytes : heap_fresh_bytes;
  bool filled = true;
  with_lock(heap.lock, [&] {
    if (heap.piece_end - heap.piece_at < fresh) {
      const u64 at = map_for_heap(from, heap_piece_bytes);
      filled = at != 0;
      if (filled) {
        heap.piece_at = at;
        heap.piece_end = at + heap_piece_bytes;
      }
    }
    if (filled) {
      part.fresh_at = heap.piece_at;
      part.fresh_end = heap.piece_at += fresh;
    }
  });
  return filled;
}

GENESYS_KERNEL u32 home_part() { return (block_rank() * 5 + warp_rank()) % heap_parts; }

// Returns memory, 16-byte aligned, or null if the device has none left.
GENESYS_KERNEL_OUTLINE inline void* allocate(ticket_origin from, u64 bytes) {
  if (bytes > allocation_bytes_max) return nullptr;
  const u64 whole = bytes + sizeof(block_header);
  const u32 k = class_of(whole), home = home_part();
  u64 at = 0;
  if (k == block_header::of_mapping) {
    at = map_for_heap(from, whole);
  } else {
    heap_state& heap = *from.copy->heap;
    heap_part& part = heap.parts[home];
    with_lock(part.lock, [&] {
      at = part.free_blocks[k];
      if (at != 0) {
        part.free_blocks[k] = *reinterpret_cast<u64*>(at + sizeof(block_header));
      } else if (part.fresh_end - part.fresh_at >= bytes_of_class(k) || refill(from, heap, part, bytes_of_class(k))) {
        at = part.fresh_at;
        part.fresh_at += bytes_of_class(k);
      }
    });
  }
  if (at == 0) return nullptr;
  auto* const header = reinterpret_cast<block_header*>(at);
  *header = {block_header::in_use, static_cast<std::uint16_t>(k), static_cast<std::uint16_t>(home), bytes};
  return header + 1;
}

// Gives memory of allocate() back to the part that it is from: a warp that only allocates finds again what others free.
// Returns false if it is none, or is free already.
GENESYS_KERNEL_OUTLINE inline bool release(ticket_origin from, void* memory) {
  block_header* const header = header_of(memory);
  const u32 k = header->size_class, home = header->part;
  if (k > heap_classes || home >= heap_parts) return false;
  u32 expected = block_header::in_use;  // of several threads that free the block one succeeds; the lock orders the rest
  if (!atomic<u32>(header->mark).compare_exchange(expected, block_header::is_free, std::memory_order_relaxed))
    return false;
  if (k == block_header::of_mapping) {
    const os calls(from.whole());
    return calls.munmap(header, header->bytes + sizeof(block_header)) == 0;
  }
  heap_part& part = from.copy->heap->parts[home];
  with_lock(part.lock, [&] {
    *static_cast<u64*>(memory) = part.free_blocks[k];
    part.free_blocks[k] = reinterpret_cast<u64>(header);
  });
  return true;
}

}  // namespace genesys::detail::libc
