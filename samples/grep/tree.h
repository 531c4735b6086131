// SPDX-License-Identifier: Apache-2.0
// The files and directories that were found so far: a queue in device memory that only grows. The host puts the paths
// of the command line in; from there on blocks take nodes out (kernel.h), and put in what they find in directories
// (walk.h).
//
// A node names its parent instead of holding a path, so it is small, and a path is put together when it is needed.
// Nodes lie in a pool one behind the other; the queue holds their places in the pool, plus one. A block takes a ticket,
// the number of a place in the queue, and waits there until a node is put in, or until no node is left that could bring
// one.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>

#include "genesys/kernel.h"

namespace grep {

enum class kind : std::uint8_t {
  given,    // stands on the command line: symbolic links are followed, and whatever it is, is read
  unknown,  // the file system did not say
  regular,
  directory,
  skipped,  // a symbolic link, FIFO, socket or device that was found in a directory
};

// Then the name's bytes, with no NUL behind them.
struct node {
  std::uint32_t parent;       // place in the pool; no_node: none
  std::uint16_t path_length;  // bytes of the whole path
  std::uint16_t name_length;  // bytes of the last part of it
  kind type;
};

constexpr std::uint32_t no_node = ~std::uint32_t{0};
constexpr std::uint32_t unit_bytes = 4;        // a node's place in the pool is counted in these
constexpr std::uint32_t node_units_min = 4;    // a node with a name of one to four bytes
constexpr unsigned name_bytes_max = NAME_MAX;  // of what stands in a directory
// The longest path that Linux takes, and behind it the name of something that lies too deep: Linux then says so at the
// open.
constexpr unsigned path_bytes_max = PATH_MAX + 1 + name_bytes_max;

static_assert(sizeof(node) == 12 && sizeof(node) % unit_bytes == 0);

// What the blocks share; each is changed by atomic operations only.
struct tree_state {
  std::uint64_t taken;      // tickets given to blocks
  std::uint64_t added;      // places of the queue given to nodes
  std::uint64_t units;      // of the pool, given to nodes
  std::uint64_t pending;    // nodes that are not done: waiting, or being worked on
  std::uint32_t stop;       // nobody shall take another node
  std::uint32_t exhausted;  // the pool was too small
};

struct tree {
  tree_state* state;
  std::uint32_t* queue;  // 0: nothing there yet; else the node's place in the pool + 1
  std::uint64_t queue_places;
  unsigned char* pool;
  std::uint64_t pool_units;
};

GENESYS_KERNEL node* node_at(const tree& t, std::uint32_t place) {
  return reinterpret_cast<node*>(t.pool + std::uint64_t{place} * unit_bytes);
}

GENESYS_KERNEL char* name_of(node* n) { return reinterpret_cast<char*>(n + 1); }

GENESYS_KERNEL std::uint32_t units_of(std::uint32_t name_length) {
  return (static_cast<std::uint32_t>(sizeof(node)) + name_length + unit_bytes - 1) / unit_bytes;
}

// Waits for the next node; its place in the pool, or no_node: nothing is left to do. Called by one thread of a block,
// which then calls node_done for it.
GENESYS_KERNEL std::uint32_t take_node(const tree& t) {
  using order = std::memory_order;
  const std::uint64_t ticket = genesys::atomic(t.state->taken).fetch_add(1, order::relaxed);
  if (ticket >= t.queue_places) return no_node;
  const genesys::atomic<std::uint32_t> place(t.queue[ticket]);
  for (;;) {
    if (const std::uint32_t there = place.load(order::acquire)) return there - 1;  // pairs with add_node
    if (genesys::atomic(t.state->stop).load(order::relaxed) != 0) return no_node;
    if (genesys::atomic(t.state->pending).load(order::relaxed) == 0) return no_node;
    genesys::pause(2000);
  }
}

// All that the node held has been added. Called by one thread of the block that took it.
GENESYS_KERNEL void node_done(const tree& t) {
  genesys::atomic(t.state->pending).fetch_add(~std::uint64_t{0}, std::memory_order_relaxed);
}

GENESYS_KERNEL void stop_all(const tree& t) { genesys::atomic(t.state->stop).store(1, std::memory_order_relaxed); }

struct places {
  std::uint64_t queue, pool;  // the first of each
};

// Room for some nodes that take `units` of the pool; false: there is none, and everything stops. One thread for its
// block, before the node in which they were found is done: so `pending` is never 0 while nodes are on their way.
GENESYS_KERNEL bool reserve_nodes(const tree& t, unsigned nodes, std::uint32_t units, places& first) {
  using order = std::memory_order;
  first.pool = genesys::atomic(t.state->units).fetch_add(units, order::relaxed);
  if (first.pool + units > t.pool_units) {
    genesys::atomic(t.state->exhausted).store(1, order::relaxed);
    stop_all(t);
    return false;
  }
  genesys::atomic(t.state->pending).fetch_add(nodes, order::relaxed);
  first.queue = genesys::atomic(t.state->added).fetch_add(nodes, order::relaxed);
  return true;
}

// Puts a node into room that was reserved for it. Any thread.
GENESYS_KERNEL void add_node(const tree& t, places at, const node& n, const char* name) {
  const auto place = static_cast<std::uint32_t>(at.pool);
  node* const to = node_at(t, place);
  *to = n;
  for (unsigned i = 0; i < n.name_length; ++i) name_of(to)[i] = name[i];
  genesys::atomic<std::uint32_t>(t.queue[at.queue])
      .store(place + 1, std::memory_order_release);  // pairs with take_node
}

// Writes a node's path, and a NUL behind it, from its end to its beginning: the way up to the root is known, the way
// down is not. All threads of the block, with a barrier after it before the path is used.
GENESYS_KERNEL void write_path(const tree& t, std::uint32_t place, char* path) {
  const unsigned me = genesys::thread_rank();
  node* n = node_at(t, place);
  if (me == 0) path[n->path_length] = 0;
  for (;;) {
    const unsigned begin = n->path_length - n->name_length;
    for (unsigned i = me; i < n->name_length; i += genesys::threads_in_block()) path[begin + i] = name_of(n)[i];
    if (n->parent == no_node) return;
    n = node_at(t, n->parent);
    if (me == 0 && n->path_length < begin) path[begin - 1] = '/';  // it may end in one already
  }
}

}  // namespace grep
