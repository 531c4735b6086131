// SPDX-License-Identifier: Apache-2.0
// Memory for leaves: device memory that the kernel maps while it runs, and gives back when the program has more than
// its watermark (or memory of the host, for threads of the CPU: `Calls` makes the calls). Each level has a pool of its
// own, so that leaves of a level lie together. A pool maps *regions* of 8 MiB; the slots of a region hold a leaf each.
// One thread of the grid uses the pools, between barriers.
#pragma once

#include <sys/mman.h>

#include <cerrno>

#include "genesys/memory.h"
#include "genesys/os.h"
#include "mesh.h"

namespace amr {

constexpr u64 region_bytes = u64{8} << 20;
constexpr u32 region_slots = static_cast<u32>(region_bytes / leaf_bytes);
constexpr u32 regions_max = 1024;  // of a level
static_assert(region_slots % 32 == 0);

struct region {
  u64 address;
  u32 used;  // slots with a leaf
  u32 is_there;
  u32 taken[region_slots / 32];  // a bit for each slot
};

struct pools {
  region* regions;  // regions_max for each level
  u32 count[levels_max];
  u32 first[levels_max];  // no region before it that is there has space
  u64 mapped_bytes, most_bytes;
  u64 watermark;           // bytes; give_back() leaves as many
  u32 mapped, given_back;  // how often
};

// Maps memory for a region. Returns 0 or -errno.
template <class Calls>
GENESYS_KERNEL long put_memory(const Calls& os, pools& all, region& of) {
  long result = 0;
  if (of.address == 0) {
    result = os.mmap(nullptr, region_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | genesys::map_device,
                     -1, 0);
    if (result > 0) of.address = static_cast<u64>(result);
  } else {
    result = os.madvise(reinterpret_cast<void*>(of.address), region_bytes, MADV_POPULATE_WRITE);
  }
  if (result < 0) return result;
  of.is_there = 1;
  ++all.mapped;
  all.mapped_bytes += region_bytes;
  if (all.mapped_bytes > all.most_bytes) all.most_bytes = all.mapped_bytes;
  return 0;
}

GENESYS_KERNEL u32* take_slot(region& of) {
  for (u32 word = 0; word < region_slots / 32; ++word) {
    if (of.taken[word] == ~0u) continue;
    u32 bit = 0;
    while ((of.taken[word] >> bit & 1) != 0) ++bit;
    of.taken[word] |= 1u << bit;
    ++of.used;
    return reinterpret_cast<u32*>(of.address + (u64{word} * 32 + bit) * leaf_bytes);
  }
  return nullptr;
}

// Memory for a leaf of a level, and the region that it is in. Null: `error` says why.
template <class Calls>
GENESYS_KERNEL_OUTLINE u32* take_memory(const Calls& os, pools& all, u32 level, u32& in, long& error) {
  region* const own = all.regions + level * regions_max;
  for (in = all.first[level]; in < all.count[level]; ++in) {
    if (own[in].is_there == 0 || own[in].used == region_slots) continue;
    all.first[level] = in;
    return take_slot(own[in]);
  }
  for (in = 0; in < all.count[level] && own[in].is_there != 0;) ++in;
  if (in == regions_max) {
    error = -ENOMEM;
    return nullptr;
  }
  error = put_memory(os, all, own[in]);
  if (error != 0) return nullptr;
  if (in == all.count[level]) ++all.count[level];
  all.first[level] = in;
  return take_slot(own[in]);
}

GENESYS_KERNEL void free_memory(pools& all, u32 level, u32 in, const u32* values) {
  region& one = all.regions[level * regions_max + in];
  const u32 slot = static_cast<u32>((reinterpret_cast<u64>(values) - one.address) / leaf_bytes);
  one.taken[slot / 32] &= ~(1u << slot % 32);
  --one.used;
  if (in < all.first[level]) all.first[level] = in;
}

// While there is more than the watermark, gives the memory of empty regions back.
template <class Calls>
GENESYS_KERNEL_OUTLINE long give_back(const Calls& os, pools& all) {
  for (u32 i = 0; i < levels_max * regions_max && all.mapped_bytes > all.watermark; ++i) {
    region& one = all.regions[i];
    if (i % regions_max >= all.count[i / regions_max]) {
      i += regions_max - i % regions_max - 1;  // the next level
      continue;
    }
    if (one.is_there == 0 || one.used != 0) continue;
    const long result = os.madvise(reinterpret_cast<void*>(one.address), region_bytes, MADV_DONTNEED);
    if (result < 0) return result;
    one.is_there = 0;
    ++all.given_back;
    all.mapped_bytes -= region_bytes;
  }
  return 0;
}

}  // namespace amr
