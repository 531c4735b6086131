// SPDX-License-Identifier: Apache-2.0
// memcached's kernel: each block is a server, and makes its calls at block scope.
#pragma once

#include "genesys/genesys.h"
#include "serve.h"

namespace memcached {

// What the threads of a block share, whatever makes its calls.
struct block_memory {
  server_memory mine;
  sockaddr_in6 from;
  u32 length;
};

// The threads of a block as a team, without calls.
struct block_threads {
  server_memory& mine;

  GENESYS_KERNEL u32 rank() const { return genesys::thread_rank(); }
  GENESYS_KERNEL u32 size() const { return genesys::threads_in_block(); }
  GENESYS_KERNEL bool is_first() const { return genesys::thread_rank() == 0; }
  GENESYS_KERNEL void sync() const { genesys::sync_block(); }
  GENESYS_KERNEL bool agrees(bool first_says) const { return genesys::sync_block_count(first_says) > 0; }
  GENESYS_KERNEL void relax() const { genesys::pause(); }
  GENESYS_KERNEL void copy(u8* into, const u8* from, u32 bytes) const {
    for (u32 i = rank(); i < bytes; i += size()) into[i] = from[i];
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

struct block_team : block_threads {
  const genesys::os& os;
  block_memory& memory;
  int fd;
  bool posts;  // does not wait until Linux has sent a reply

  GENESYS_KERNEL long receive(u8* into, u32 bytes) const {
    if (is_first()) memory.length = sizeof memory.from;
    auto* const address = reinterpret_cast<sockaddr*>(&memory.from);
    return os.on(genesys::block()).recvfrom(fd, into, bytes, 0, address, &memory.length);
  }
  GENESYS_KERNEL void send(const u8* data, u32 bytes) const {
    const auto* const address = reinterpret_cast<const sockaddr*>(&memory.from);
    const auto io = os.on(genesys::block());
    if (posts)
      io.relaxed().posted().sendto(fd, data, bytes, MSG_NOSIGNAL, address, memory.length);
    else
      io.sendto(fd, data, bytes, MSG_NOSIGNAL, address, memory.length);
  }
};

struct serve_by_blocks {
  GENESYS_KERNEL void operator()(genesys::os os, task t, bool posts) const {
    const u32 number = genesys::block_rank();
    block_memory& memory = genesys::shared<block_memory>();
    const block_team team{{memory.mine}, os, memory, t.sockets[number % t.socket_count], posts};
    serve(team, t, number, memory.mine);
  }
};

}  // namespace memcached
