// SPDX-License-Identifier: Apache-2.0
// The address ranges of the CPU device: device memory, shared memory, stacks (private memory). The process reserves
// them once and never gives them back, so that region_of() takes no lock. Any thread may call these.
#pragma once

#include <cstddef>

#include "genesys/detail/target/cpu.h"
#include "target/cpu/sanitizers.h"

namespace genesys::detail::cpu {

inline constexpr std::size_t page_bytes = 4096;

// Stacks do not grow. A slab holds stacks of one size and a guard below them. All slabs have the same size, so a slab
// serves devices with different stack sizes one after another.
inline constexpr std::size_t stack_guard_bytes = 64 * 1024;
// Code that is compiled for a sanitizer has frames several times as large.
inline constexpr std::size_t stack_scale = sanitizers::address || sanitizers::thread ? 4 : 1;
inline constexpr std::size_t stacks_bytes_per_slab = stack_scale * device_options::stack_bytes_max;
inline constexpr std::size_t stack_slab_bytes = stack_guard_bytes + stacks_bytes_per_slab;
// ThreadSanitizer leaves few addresses: with larger stacks some threads of a block would get none.
inline constexpr std::size_t stack_bytes_limit = sanitizers::thread ? std::size_t{2} << 20 : stacks_bytes_per_slab;

// Shared memory: one slab for each resident block. The memory of blocks begins at different offsets in their slabs;
// otherwise all blocks would compete for the same cache lines.
inline constexpr std::size_t shared_slab_bytes = 256 * 1024;
inline constexpr std::size_t shared_colours = 64, shared_colour_bytes = 256;
static_assert(shared_bytes_max + shared_colours * shared_colour_bytes <= shared_slab_bytes);

namespace regions {

/// The first call reserves the ranges. Throws std::system_error: there is no address space.
void reserve();

/// The number of stacks of this size for which there are addresses, in all devices together.
std::size_t stacks_max(std::size_t stack_bytes);

/// A slab of writable memory with undefined contents; nullptr: the range is used up.
std::byte* take_stack_slab();  // its lowest stack_guard_bytes cannot be touched
std::byte* take_shared_slab();
/// Gives the slab and its pages back.
void give_stack_slab(std::byte*);
void give_shared_slab(std::byte*);

/// ThreadSanitizer forgets which threads used this memory. The contents are lost. Whole pages.
void forget_use(std::byte* from, std::size_t bytes);

void* allocate_device(std::size_t bytes);
bool free_device(void* address);
bool device_range(const void* address, void** base, std::size_t* bytes);

/// Reserves addresses of device memory, without memory, aligned to `alignment` (a multiple of a page). nullptr: there
/// are none.
void* reserve_device(std::size_t bytes, std::size_t alignment);
void unreserve_device(void* address);
/// Puts zeroed memory in a part of these addresses, and gives it back. Whole pages. Throws std::system_error.
void populate_device(void* from, std::size_t bytes);
void depopulate_device(void* from, std::size_t bytes);
/// How much device memory is left.
std::size_t device_free_bytes();

}  // namespace regions

/// Gives this OS thread access to device memory while the object exists, also after deny_device_memory().
class opened_device_memory {
 public:
  opened_device_memory();
  ~opened_device_memory();
  opened_device_memory(const opened_device_memory&) = delete;
  opened_device_memory& operator=(const opened_device_memory&) = delete;

 private:
  int rights_ = 0;
};

}  // namespace genesys::detail::cpu
