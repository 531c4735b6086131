// SPDX-License-Identifier: Apache-2.0
// Memory for kernels, as in <stdlib.h>, and strdup of <string.h>: device memory from the runtime's heap
// (posix/detail/heap.h), which grows while kernels run, and which all kernels of a runtime share. The heap keeps what
// it once had, until the runtime ends. Each thread calls these functions for itself, except malloc with a scope. errno:
// ENOMEM. malloc(3).
#pragma once

#include "genesys/posix/library.h"
#include "genesys/posix/string.h"

namespace genesys::posix {

// Memory, 16-byte aligned, not initialised; or null. Of 0 bytes: memory that can be freed.
GENESYS_KERNEL void* malloc(const os& calls, std::size_t bytes) {
  void* const made = detail::libc::allocate(detail::libc::origin_of(calls.context()), bytes);
  if (made == nullptr) detail::libc::set_errno(ENOMEM);
  return made;
}
GENESYS_KERNEL void* malloc(std::size_t bytes) { return malloc(detail::libc::ambient(), bytes); }
// All threads of the scope call it with equal arguments, and get the same memory. One of them frees it.
template <class Scope, detail::ops::asked_order asked, detail::wait_mode w, class After>
GENESYS_KERNEL void* malloc(const detail::ops::scoped_calls<Scope, asked, w, After>& calls, std::size_t bytes) {
  static_assert(!std::is_same_v<Scope, genesys::grid>, "a thread, a warp or a block allocates");
  const auto made = detail::libc::once(
      calls, [&] { return reinterpret_cast<std::uintptr_t>(posix::malloc(os(calls.context()), bytes)); });
  if (made == 0) detail::libc::set_errno(ENOMEM);
  return reinterpret_cast<void*>(made);
}

// `memory`: of malloc, calloc or realloc of any kernel of the runtime, or null. Memory that is none, or is free
// already, ends the kernel: the heap would no longer be sound.
GENESYS_KERNEL void free(const os& calls, void* memory) {
  if (memory == nullptr || detail::libc::release(detail::libc::origin_of(calls.context()), memory)) return;
  detail::libc::end_kernel("free(): not memory of malloc(), or free already");
}
GENESYS_KERNEL void free(void* memory) { free(detail::libc::ambient(), memory); }

GENESYS_KERNEL void* calloc(const os& calls, std::size_t count, std::size_t bytes) {
  if (bytes != 0 && count > static_cast<std::size_t>(-1) / bytes) {
    detail::libc::set_errno(ENOMEM);
    return nullptr;
  }
  auto* const made = static_cast<unsigned char*>(malloc(calls, count * bytes));
  if (made != nullptr) detail::libc::fill_bytes(made, 0, count * bytes);
  return made;
}
GENESYS_KERNEL void* calloc(std::size_t count, std::size_t bytes) {
  return calloc(detail::libc::ambient(), count, bytes);
}

// Of null: as malloc(). To 0 bytes: frees the memory, and returns null, as glibc does. What does not fit into the block
// moves.
GENESYS_KERNEL void* realloc(const os& calls, void* memory, std::size_t bytes) {
  using namespace detail::libc;
  if (memory == nullptr) return posix::malloc(calls, bytes);
  if (bytes == 0) return posix::free(calls, memory), nullptr;
  if (bytes > allocation_bytes_max) return set_errno(ENOMEM), nullptr;
  block_header* const header = header_of(memory);
  if (header->mark != block_header::in_use) end_kernel("realloc(): not memory of malloc(), or free already");
  if (header->size_class < detail::wire::heap_classes &&
      bytes + sizeof(block_header) <= bytes_of_class(header->size_class)) {
    header->bytes = bytes;
    return memory;
  }
  auto* const moved = static_cast<unsigned char*>(posix::malloc(calls, bytes));
  if (moved == nullptr) return nullptr;
  const std::size_t kept = header->bytes < bytes ? header->bytes : bytes;
  copy_bytes(moved, static_cast<unsigned char*>(memory), kept);
  posix::free(calls, memory);
  return moved;
}
GENESYS_KERNEL void* realloc(void* memory, std::size_t bytes) {
  return realloc(detail::libc::ambient(), memory, bytes);
}

// The same for `count` elements; ENOMEM if their size is no number of size_t.
GENESYS_KERNEL void* reallocarray(const os& calls, void* memory, std::size_t count, std::size_t bytes) {
  if (bytes != 0 && count > static_cast<std::size_t>(-1) / bytes) return detail::libc::set_errno(ENOMEM), nullptr;
  return posix::realloc(calls, memory, count * bytes);
}
GENESYS_KERNEL void* reallocarray(void* memory, std::size_t count, std::size_t bytes) {
  return reallocarray(detail::libc::ambient(), memory, count, bytes);
}

// A copy of a string, or of its first `max` characters, in memory of malloc; or null. strdup(3).
GENESYS_KERNEL char* strndup(const os& calls, const char* text, std::size_t max) {
  const std::size_t length = strnlen(text, max);
  auto* const made = static_cast<char*>(posix::malloc(calls, length + 1));
  if (made == nullptr) return nullptr;
  memcpy(made, text, length);
  made[length] = 0;
  return made;
}
GENESYS_KERNEL char* strndup(const char* text, std::size_t max) { return strndup(detail::libc::ambient(), text, max); }
GENESYS_KERNEL char* strdup(const os& calls, const char* text) { return strndup(calls, text, strlen(text)); }
GENESYS_KERNEL char* strdup(const char* text) { return strdup(detail::libc::ambient(), text); }

}  // namespace genesys::posix
