// SPDX-License-Identifier: Apache-2.0
// What a block's threads share while a library is bound (posix/library.h): whose calls they make, their standard
// streams, and the streams that are open. In shared memory, which initially holds any value.
#pragma once

#include "genesys/detail/lanes/lanes.h"
#include "genesys/posix/detail/fatal.h"
#include "genesys/posix/detail/stream_write.h"

namespace genesys::detail::libc {

struct thread_variables;  // thread_variables.h

struct block_library {
  u64 bound;  // mark_of_block(); any other value: no library is bound
  ticket_origin from;
  u32 threads;                                    // that have not ended their library
  u32 lock;                                       // of `standard`, `open` and `variables`
  stream* standard;                               // three for each thread; null before the first use
  stream* open;                                   // the list of those of fopen() and fdopen()
  thread_variables** variables;                   // one list for each thread; null before the first use
  unsigned char has_standard[block_threads_max];  // bit by descriptor: the thread's stream is set up
};

GENESYS_KERNEL block_library& of_block() { return shared<block_library>(); }

GENESYS_KERNEL u64 mark_of_block() { return (launch_number() + 1) << 32 ^ block_rank() ^ 0x6c69'6263'0000'0000; }

GENESYS_KERNEL bool is_bound() { return of_block().bound == mark_of_block(); }

// A call of the C library without `os`, in a kernel that has bound none.
GENESYS_KERNEL void not_bound() {
  end_kernel(
      "a function of genesys::posix needs a library: construct genesys::posix::library(os) in all threads of the block "
      "first, or pass os");
}

// Calls on behalf of a scope, whose threads wait for the result: `os`, or what os.on() returns.
template <class T>
concept system_calls = requires(const T& calls) {
  calls.context();
  calls.scope();
};

// The calls of the block's library. Any thread.
GENESYS_KERNEL ticket_origin ambient_origin() {
  if (!is_bound()) not_bound();
  return of_block().from;
}
GENESYS_KERNEL os ambient() { return os(ambient_origin().whole()); }

GENESYS_KERNEL ticket_origin origin_of(const device_context& a) { return {a.copy, a.run, a.waits, a.generation}; }

// The thread's stream of descriptor 0, 1 or 2; null without memory.
GENESYS_KERNEL_OUTLINE inline stream* standard_stream(int descriptor) {
  block_library& b = of_block();
  if (!is_bound()) not_bound();
  const u32 rank = thread_rank();
  const u32 bit = 1u << descriptor;
  if ((b.has_standard[rank] & bit) == 0) {
    bool made = true;
    with_lock(b.lock, [&] {
      if (b.standard == nullptr) {
        b.standard = static_cast<stream*>(allocate(b.from, sizeof(stream) * 3 * threads_in_block()));
        made = b.standard != nullptr;
      }
    });
    if (!made) return nullptr;
    stream& one = b.standard[3 * rank + static_cast<u32>(descriptor)];
    set_up(one, b.from, descriptor);
    one.can_read = descriptor == 0;
    one.can_write = descriptor != 0;
    one.mode = descriptor == 2 ? buffering::none : buffering::line;
    one.size = descriptor == 0 ? 4096 : standard_buffer_bytes;
    one.owner = rank;
    one.is_standard = true;
    b.has_standard[rank] |= static_cast<unsigned char>(bit);
  }
  return &b.standard[3 * rank + static_cast<u32>(descriptor)];
}

// The block's list of open streams, for the library's end.
GENESYS_KERNEL void remember(stream& one) {
  block_library& b = of_block();
  with_lock(b.lock, [&] {
    one.previous = nullptr;
    one.next = b.open;
    if (b.open != nullptr) b.open->previous = &one;
    b.open = &one;
  });
}
GENESYS_KERNEL void forget(stream& one) {
  block_library& b = of_block();
  with_lock(b.lock, [&] {
    (one.previous != nullptr ? one.previous->next : b.open) = one.next;
    if (one.next != nullptr) one.next->previous = one.previous;
  });
}

// The thread's own stream in that list after `one`, or the first; null: there is none.
GENESYS_KERNEL stream* own_stream_after(stream* one) {
  block_library& b = of_block();
  with_lock(b.lock, [&] {
    for (one = one == nullptr ? b.open : one->next; one != nullptr && one->owner != thread_rank(); one = one->next) {
    }
  });
  return one;
}

}  // namespace genesys::detail::libc
