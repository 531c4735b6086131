// SPDX-License-Identifier: Apache-2.0
// Which files there are, and which parts of them nobody has taken yet. Blocks of a kernel, and threads of the CPU
// version, take files one after another. A large file is cut into segments: who opens it shares it with all.
#pragma once

#include <cstdint>

#include "genesys/kernel.h"

namespace wordcount {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using order = std::memory_order;

constexpr u64 segment_bytes = 4u << 20;

// A file of more than a segment. Changed by atomic operations only, but for what `is_there` publishes.
struct large_file {
  u64 size;
  u32 fd, file;
  u32 is_there;
  u32 next;  // segment that nobody has taken
  u32 left;  // segments that are not done
};

// What all share; at the start all is 0.
struct work_state {
  u32 next_file;    // that nobody has taken
  u32 opened;       // files: a large one is shared already
  u32 large_count;  // of large files
  u32 failed;       // a message was printed
  u64 bytes;        // that were read
};

struct work {
  const char* names;  // the files' names, each with a NUL
  const u64* starts;  // of each name in `names`
  u32 files;
  work_state* state;
  large_file* large;  // one for each file
  u64* counts;        // one for each word
  u64* computed;      // or null: nanoseconds that each block has computed, in host memory (timeline.h)
};

struct part {
  u32 file;
  large_file* of;  // null: the whole file
  u32 segment;
};

GENESYS_KERNEL u32 segments_of(u64 size) { return static_cast<u32>((size + segment_bytes - 1) / segment_bytes); }

// The next segment of a large file, or null. One thread.
GENESYS_KERNEL bool take_segment(const work& all, part& taken) {
  const u32 count = genesys::atomic<u32>(all.state->large_count).load(order::acquire);
  for (u32 i = 0; i < count && i < all.files; ++i) {
    large_file& one = all.large[i];
    while (genesys::atomic<u32>(one.is_there).load(order::acquire) == 0) genesys::pause(100);  // pairs with share()
    const u32 segments = segments_of(one.size);
    if (genesys::atomic<u32>(one.next).load(order::relaxed) >= segments) continue;
    const u32 segment = genesys::atomic<u32>(one.next).fetch_add(1, order::relaxed);
    if (segment >= segments) continue;
    taken = {one.file, &one, segment};
    return true;
  }
  return false;
}

// The next part: a file, or a segment of a large one. False: nothing is left. One thread.
GENESYS_KERNEL bool take_part(const work& all, part& taken) {
  if (genesys::atomic<u32>(all.state->next_file).load(order::relaxed) < all.files) {
    const u32 file = genesys::atomic<u32>(all.state->next_file).fetch_add(1, order::relaxed);
    if (file < all.files) {
      taken = {file, nullptr, 0};
      return true;
    }
  }
  for (;;) {
    // A file that is being opened may be a large one.
    const bool is_last = genesys::atomic<u32>(all.state->opened).load(order::acquire) >= all.files;
    if (take_segment(all, taken)) return true;
    if (is_last) return false;
    genesys::pause(2000);
  }
}

// Shares a large file, whose first segment the thread takes. One thread.
GENESYS_KERNEL part share(const work& all, u32 file, int fd, u64 size) {
  large_file& one = all.large[genesys::atomic<u32>(all.state->large_count).fetch_add(1, order::acq_rel)];
  one.size = size;
  one.fd = static_cast<u32>(fd);
  one.file = file;
  one.next = 1;
  one.left = segments_of(size);
  genesys::atomic<u32>(one.is_there).store(1, order::release);
  return {file, &one, 0};
}

// The file is open, or will never be. One thread.
GENESYS_KERNEL void note_opened(const work& all) {
  genesys::atomic<u32>(all.state->opened).fetch_add(1, order::release);  // pairs with take_part()
}

}  // namespace wordcount
