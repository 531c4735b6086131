// SPDX-License-Identifier: Apache-2.0
// Variables that each thread of a block has for itself, while a library is bound: a list for each thread, in memory of
// the heap. A thread reads and changes only its own list.
#pragma once

#include <new>

#include "genesys/posix/detail/block_library.h"

namespace genesys::detail::libc {

struct thread_variables {
  thread_variables* next;
  u64 key;  // the type of the variables behind this header
};
static_assert(sizeof(thread_variables) == 16);

// The address of an object that belongs to the type. nvcc gives local types of several functions one name, so that a
// hash of the name would not do.
template <class Variables>
GENESYS_KERNEL u64 key_of_type() {
  static char of_type;
  return reinterpret_cast<u64>(&of_type);
}

// The thread's list; null without memory.
GENESYS_KERNEL_OUTLINE inline thread_variables** variables_list() {
  block_library& b = of_block();
  if (!is_bound()) not_bound();
  with_lock(b.lock, [&] {
    if (b.variables != nullptr) return;
    const u32 threads = threads_in_block();
    auto** const lists = static_cast<thread_variables**>(allocate(b.from, sizeof(thread_variables*) * threads));
    if (lists == nullptr) return;
    for (u32 i = 0; i < threads; ++i) lists[i] = nullptr;
    b.variables = lists;
  });
  return b.variables == nullptr ? nullptr : &b.variables[thread_rank()];
}

// The variables of this key, or null. `is_new`: they are not initialised.
GENESYS_KERNEL_OUTLINE inline void* find_variables(u64 key, u64 bytes, bool& is_new) {
  thread_variables** const list = variables_list();
  if (list == nullptr) return nullptr;
  for (thread_variables* at = *list; at != nullptr; at = at->next) {
    if (at->key == key) return at + 1;
  }
  auto* const made = static_cast<thread_variables*>(allocate(of_block().from, sizeof(thread_variables) + bytes));
  if (made == nullptr) return nullptr;
  *made = {*list, key};
  *list = made;
  is_new = true;
  return made + 1;
}

// At the end of the thread's library.
GENESYS_KERNEL void release_variables(block_library& of) {
  if (of.variables == nullptr) return;
  for (thread_variables* at = of.variables[thread_rank()]; at != nullptr;) {
    thread_variables* const next = at->next;
    (void)release(of.from, at);
    at = next;
  }
}

}  // namespace genesys::detail::libc
