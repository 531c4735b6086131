// SPDX-License-Identifier: Apache-2.0
// Paths that wait for the threads of a block: threads take one each, and may add more. In shared memory.
#pragma once

#include <genesys/stdio.h>

struct path {
  path* next;
  char name[1];  // and more, in memory of malloc()
};

class path_list {
 public:
  // One thread, before the others.
  GENESYS_KERNEL void begin() {
    first_ = nullptr;
    lock_ = pending_ = 0;
  }
  // Adds "folder/name", or "folder" if `name` is null. Returns false without memory. Any thread.
  GENESYS_KERNEL bool add(const char* folder, const char* name) {
    namespace posix = genesys::posix;
    const std::size_t head = posix::strlen(folder), tail = name != nullptr ? posix::strlen(name) : 0;
    auto* const one = static_cast<path*>(posix::malloc(sizeof(path) + head + tail + 1));
    if (one == nullptr) return false;
    const bool has_slash = head > 0 && folder[head - 1] == '/';
    posix::sprintf(one->name, "%s%s%s", folder, name == nullptr || has_slash ? "" : "/", name != nullptr ? name : "");
    held([&] {
      one->next = first_;
      first_ = one;
      ++pending_;
    });
    return true;
  }
  // The next path; null when there is none, and nobody has one who might add more. Any thread.
  GENESYS_KERNEL path* take() {
    for (;;) {
      path* one = nullptr;
      bool is_over = false;
      held([&] {
        one = first_;
        if (one != nullptr) first_ = one->next;
        is_over = pending_ == 0;
      });
      if (one != nullptr || is_over) return one;
      genesys::pause(1000);
    }
  }
  // The thread that took it has added all that it will add.
  GENESYS_KERNEL void done(path* one) {
    held([&] { --pending_; });
    genesys::posix::free(one);
  }

 private:
  template <class Body>
  GENESYS_KERNEL void held(Body body) {
    genesys::atomic<unsigned, genesys::thread_scope::block> lock(lock_);
    for (bool is_done = false; !is_done;) {
      if (lock.exchange(1, std::memory_order_acquire) == 0) {
        body();
        lock.store(0, std::memory_order_release);
        is_done = true;
      } else {
        genesys::pause(64);
      }
    }
  }
  path* first_;
  unsigned lock_, pending_;
};
