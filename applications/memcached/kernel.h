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
  datagram_memory messages;
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
      for (u32 i = rank(); i < bytes / 4; i += size())
        reinterpret_cast<u32*>(into)[i] = reinterpret_cast<const u32*>(from)[i];
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
  GENESYS_KERNEL u32 next_tag(const u32* tags, u32 from, u32 depth, u32 tag) const {
    while (from < depth && tags[from] != tag) from += size();
    return from;
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
};

// The calls of a block.
struct block_calls {
  const genesys::os& os;

  GENESYS_KERNEL auto calls() const { return os.on(genesys::block()); }
  GENESYS_KERNEL bool is_first() const { return genesys::thread_rank() == 0; }
};

struct block_team : block_threads {
  reply_memory<block_calls>& replies;

  GENESYS_KERNEL u8* space() const { return replies.space(); }
  GENESYS_KERNEL void send(const u8* data, u32 bytes) const { replies.send(data, bytes); }
};

struct serve_by_blocks {
  GENESYS_KERNEL void operator()(genesys::os os, task t) const {
    const u32 number = genesys::block_rank();
    block_memory& memory = genesys::shared<block_memory>();
    const block_calls by{os};
    datagrams<block_calls> messages = datagrams_of(by, t, number, memory.messages);
    reply_memory<block_calls> replies = reply_memory_of(messages, t, number);
    serve(block_team{{memory.mine, memory.near}, replies}, messages, replies, t, number, memory.mine);
  }
};

}  // namespace memcached
