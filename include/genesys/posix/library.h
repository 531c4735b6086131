// SPDX-License-Identifier: Apache-2.0
// genesys::posix::library: binds the calls of a block, so that functions of genesys::posix need no `os`.
//
//   struct hello {
//     GENESYS_KERNEL void operator()(genesys::os os) const {
//       genesys::posix::library c(os);
//       genesys::posix::printf("hello from thread %u\n", genesys::thread_rank());
//     }
//   };
#pragma once

#include "genesys/posix/detail/open_stream.h"
#include "genesys/posix/detail/thread_variables.h"

namespace genesys::posix {

// Errno of this thread. Any thread.
GENESYS_KERNEL int& error_number() { return detail::libc::error_number(); }

class library {
 public:
  // All threads of the block that have not left must construct it together: it has barriers. It sets errno to 0.
  GENESYS_KERNEL explicit library(const os& calls) {
    using namespace detail::libc;
    block_library& b = of_block();
    detail::libc::error_number() = 0;
    b.has_standard[thread_rank()] = 0;
    const int threads = sync_block_count(true);
    (void)once(calls.on(genesys::block()), [&] {
      b.from = origin_of(calls.context());
      b.threads = static_cast<unsigned>(threads);
      b.lock = 0;
      b.standard = b.open = nullptr;
      b.variables = nullptr;
      b.bound = mark_of_block();
      return 0;
    });
  }
  // Each thread ends it alone, as exit(3) does: its streams are written out and closed. The last thread of the block
  // does so with the streams that threads share.
  GENESYS_KERNEL ~library() { end(); }
  library(const library&) = delete;
  library& operator=(const library&) = delete;

 private:
  GENESYS_KERNEL_OUTLINE static void end() {
    using namespace detail::libc;
    block_library& b = of_block();
    const unsigned rank = thread_rank();
    for (unsigned fd = 0; fd < 3; ++fd) {
      if ((b.has_standard[rank] & 1u << fd) == 0) continue;
      stream& one = b.standard[3 * rank + fd];
      if (one.descriptor < 0) continue;  // closed
      (void)flush(one);
      if (one.last == direction::reading) forget_unread(one);
      drop_buffer(one);
      if (one.descriptor > 2) (void)os(one.from.whole()).close(one.descriptor);  // of freopen()
    }
    release_variables(b);
    close_streams_of(rank);
    if (atomic<unsigned, thread_scope::block>(b.threads).fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    close_streams_of(block_threads_max);
    if (b.standard != nullptr) (void)release(b.from, b.standard);
    if (b.variables != nullptr) (void)release(b.from, b.variables);
    b.bound = 0;
  }
  GENESYS_KERNEL static void close_streams_of(unsigned owner) {
    using namespace detail::libc;
    block_library& b = of_block();
    for (;;) {
      stream* found = nullptr;
      with_lock(b.lock, [&] {
        for (found = b.open; found != nullptr && found->owner != owner; found = found->next) {
        }
      });
      if (found == nullptr) return;
      (void)close_stream(*found);
    }
  }
};

}  // namespace genesys::posix
