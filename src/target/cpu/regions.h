// SPDX-License-Identifier: Apache-2.0
// The address ranges of the CPU device: device memory, shared memory, stacks (private memory). They are reserved once
// for the process and never given back, so that telling an address' region takes no lock. Any thread may call these.
#pragma once

#include <cstddef>

#include "genesys/detail/target/cpu.h"
#include "target/cpu/sanitizers.h"

namespace genesys::detail::cpu {

inline constexpr std::size_t page_bytes = 4096;

// Stacks. One is never grown. A slab holds stacks of one size and a guard below them; all slabs have the same size, so
// a slab serves devices with different stack sizes one after another.
inline constexpr std::size_t stack_guard_bytes = 64 * 1024;
// Code compiled for a sanitizer has frames several times as large.
inline constexpr std::size_t stack_scale = sanitizers::address || sanitizers::thread ? 4 : 1;
inline constexpr std::size_t stacks_bytes_per_slab = stack_scale * device_options::stack_bytes_max;
inline constexpr std::size_t stack_slab_bytes = stack_guard_bytes + stacks_bytes_per_slab;
// ThreadSanitizer leaves few addresses: with larger ones not every thread of a block would get a stack.
inline constexpr std::size_t stack_bytes_limit = sanitizers::thread ? std::size_t{2} << 20 : stacks_bytes_per_slab;

// Shared memory: one slab a resident block. The rest of a slab is for the places where blocks' memory begins to differ,
// lest all blocks fight for the same lines of the cache.
inline constexpr std::size_t shared_slab_bytes = 256 * 1024;
inline constexpr std::size_t shared_colours = 64, shared_colour_bytes = 256;
static_assert(shared_bytes_max + shared_colours * shared_colour_bytes <= shared_slab_bytes);

namespace regions {

/// Reserves the ranges, the first time. Throws std::system_error when there is no address space.
void reserve();

/// How many stacks of this size there are addresses for, in all devices together.
std::size_t stacks_max(std::size_t stack_bytes);

/// A slab of memory that can be written, in no defined state; nullptr when the range is used up.
std::byte* take_stack_slab();  // the lowest stack_guard_bytes of it cannot be touched
std::byte* take_shared_slab();
/// Gives it, and its pages, back.
void give_stack_slab(std::byte*);
void give_shared_slab(std::byte*);

/// ThreadSanitizer forgets who used this memory; its contents are lost then. Whole pages.
void forget_use(std::byte* from, std::size_t bytes);

void* allocate_device(std::size_t bytes);
bool free_device(void* address);
bool device_range(const void* address, void** base, std::size_t* bytes);

/// Addresses of device memory, `alignment` (a multiple of a page) and up, with no memory there; nullptr: there are
/// none.
void* reserve_device(std::size_t bytes, std::size_t alignment);
void unreserve_device(void* address);
/// Memory in a part of them, zeroed; and gives it back. Whole pages. Throws std::system_error.
void populate_device(void* from, std::size_t bytes);
void depopulate_device(void* from, std::size_t bytes);
/// What device memory is left.
std::size_t device_free_bytes();

}  // namespace regions

/// Device memory is open to this OS thread while one exists, also if it was denied before.
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
