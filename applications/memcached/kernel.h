// SPDX-License-Identifier: Apache-2.0
// memcached's kernel: each block is a server, and makes its calls at block scope.
#pragma once

#include "genesys/genesys.h"
#include "serve.h"

namespace memcached {

constexpr u32 near_bytes = 2048;

// What the threads of a block share, whatever makes its calls.
struct block_memory {
  server_memory mine;
  u32 near[near_bytes / 4];
};

// The threads of a block as a team, without calls.
struct block_threads {
  server_memory& mine;
  u32* near;  // near_bytes in shared memory

  GENESYS_KERNEL u32 rank() const { return genesys::thread_rank(); }
  GENESYS_KERNEL u32 size() const { return genesys::threads_in_block(); }
  GENESYS_KERNEL bool is_first() const { return genesys::thread_rank() == 0; }
  GENESYS_KERNEL void sync() const { genesys::sync_block(); }
  GENESYS_KERNEL bool agrees(bool first_says) const { return genesys::sync_block_count(first_says) > 0; }
  GENESYS_KERNEL void relax() const { genesys::pause(); }
  GENESYS_KERNEL void copy(u8* into, const u8* from, u32 bytes) const {
    u32 done = 0;
    if ((reinterpret_cast<std::uintptr_t>(into) | reinterpret_cast<std::uintptr_t>(from)) % 4 == 0) {
      done = bytes / 4 * 4;
      copy_words(reinterpret_cast<u32*>(into), reinterpret_cast<const u32*>(from), bytes / 4);
    }
    for (u32 i = done + rank(); i < bytes; i += size()) into[i] = from[i];
  }
  // One thread parses, byte by byte: a short datagram is copied to shared memory before.
  GENESYS_KERNEL const u8* to_parse(const u8* datagram, u32 bytes) const {
    if (bytes > near_bytes) return datagram;
    copy(reinterpret_cast<u8*>(near), datagram, bytes);
    sync();
    return reinterpret_cast<const u8*>(near);
  }
  // Some tags at a time: one load after the other would wait for device memory each time.
  GENESYS_KERNEL u32 next_tag(const u32* tags, u32 from, u32 depth, u32 tag) const {
    constexpr u32 at_a_time = 8;
    for (; from < depth; from += at_a_time * size()) {
      u32 seen[at_a_time];
      for (u32 k = 0; k < at_a_time; ++k) seen[k] = from + k * size() < depth ? tags[from + k * size()] : 0;
      for (u32 k = 0; k < at_a_time; ++k)
        if (seen[k] == tag) return from + k * size();  // (no item has the tag 0)
    }
    return depth;
  }
  // The least of the threads' numbers, to all of them.
  GENESYS_KERNEL u64 least(u64 number) const {
    const genesys::atomic<u64, genesys::thread_scope::block> greatest(mine.least[0]);  // of the complements
    if (is_first()) greatest.store(0, order::relaxed);
    sync();
    if (number != ~u64{0}) greatest.fetch_max(~number, order::relaxed);
    sync();
    const u64 result = ~greatest.load(order::relaxed);
    sync();
    return result;
  }

 private:
  // Some words at a time, as in next_tag().
  GENESYS_KERNEL void copy_words(u32* into, const u32* from, u32 words) const {
    constexpr u32 at_a_time = 4;
    for (u32 first = rank(); first < words; first += at_a_time * size()) {
      u32 seen[at_a_time];
      for (u32 k = 0; k < at_a_time; ++k) seen[k] = first + k * size() < words ? from[first + k * size()] : 0;
      for (u32 k = 0; k < at_a_time; ++k)
        if (first + k * size() < words) into[first + k * size()] = seen[k];
    }
  }
};

// The calls of a block.
struct block_calls {
  const genesys::os& os;

  GENESYS_KERNEL auto calls() const { return os.on(genesys::block()); }
};

struct block_team : block_threads {
  datagrams<block_calls> messages;
  u8* replies;

  GENESYS_KERNEL u8* space() const { return replies; }
  GENESYS_KERNEL long receive(u8* into) const { return messages.receive(into); }
  GENESYS_KERNEL void send(const u8* data, u32 bytes) const { messages.send(data, bytes); }
};

struct serve_by_blocks {
  GENESYS_KERNEL void operator()(genesys::os os, task t) const {
    const u32 number = genesys::block_rank();
    block_memory& memory = genesys::shared<block_memory>();
    const block_calls by{os};
    if (genesys::thread_rank() == 0)
      genesys::atomic<u32, genesys::thread_scope::system>(t.have_started[number]).store(1, order::relaxed);
    serve(block_team{{memory.mine, memory.near}, datagrams_of(by, t, number), replies_of(t, number)}, t, number,
          memory.mine);
  }
};

}  // namespace memcached
