// SPDX-License-Identifier: Apache-2.0
// Where formatted text goes: a sink is a buffer and a function that makes space in it. A call owns its sink; the
// functions run on the calling thread, host or kernel.
#pragma once

#include "genesys/detail/wire/types.h"

namespace genesys::detail::libc {

/// The base of a sink. `Derived` has `bool drain()`, called when the buffer is full. It takes the bytes that are in the
/// buffer and moves `at` or `end` so that there is space. If it leaves none and returns true, the sink drops what
/// follows. If it returns false, formatting ends with -EIO.
template <class Derived>
struct sink {
  char* at;   // the next byte goes here
  char* end;  // behind the buffer

  GENESYS_KERNEL_OUTLINE bool write(const char* from, u64 bytes) {
    while (bytes != 0) {
      const u64 step = space_for(bytes);
      if (step == 0) return drained_;
      GENESYS_NO_UNROLL
      for (u64 i = 0; i < step; ++i) at[i] = from[i];
      at += step;
      from += step;
      bytes -= step;
    }
    return true;
  }

  /// Writes the character `count` times.
  GENESYS_KERNEL_OUTLINE bool fill(char c, u64 count) {
    while (count != 0) {
      const u64 step = space_for(count);
      if (step == 0) return drained_;
      GENESYS_NO_UNROLL
      for (u64 i = 0; i < step; ++i) at[i] = c;
      at += step;
      count -= step;
    }
    return true;
  }

 protected:
  GENESYS_KERNEL sink(char* buffer, u64 bytes) : at(buffer), end(buffer + bytes) {}

 private:
  // How many of `bytes` fit now. 0: none will.
  GENESYS_KERNEL u64 space_for(u64 bytes) {
    if (at == end && !(drained_ = static_cast<Derived*>(this)->drain())) return 0;
    const u64 space = static_cast<u64>(end - at);
    return bytes < space ? bytes : space;
  }

  bool drained_ = true;  // what drain() returned
};

/// Memory of a fixed size. It drops what does not fit.
struct memory_sink : sink<memory_sink> {
  GENESYS_KERNEL memory_sink(char* buffer, u64 bytes) : sink(buffer, bytes) {}
  GENESYS_KERNEL bool drain() { return true; }
};

}  // namespace genesys::detail::libc
