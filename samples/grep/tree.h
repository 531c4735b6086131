// SPDX-License-Identifier: Apache-2.0
// The files and directories found so far: a queue in device memory that only grows. The host puts in the paths of the
// command line; teams take nodes out (kernel.h), and put in the entries of directories (walk.h).
//
// A node has its parent instead of a path, so it is small; the path is built when it is needed. Nodes follow each other
// in a pool; the queue holds their index in the pool, plus one. A team takes a number, which is an index in the queue.
// It waits there until a node is put in, or until no node is left that could add one.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>

#include "genesys/kernel.h"
#include "team.h"

namespace grep {

enum class kind : std::uint8_t {
  given,    // of the command line: symbolic links are followed, and any kind of file is read
  unknown,  // the file system does not tell the kind
  regular,
  directory,
  skipped,  // a symbolic link, FIFO, socket or device in a directory
  segment,  // a part of the large file that is its parent (segments.h); it has no name
};

// Followed by the name's bytes, without a NUL.
struct node {
  std::uint32_t parent;       // index in the pool; no_node: none
  std::uint16_t path_length;  // bytes of the whole path
  std::uint16_t name_length;  // bytes of its last part
  kind type;
};

constexpr std::uint32_t no_node = ~std::uint32_t{0}, not_yet = no_node - 1;
constexpr std::uint32_t unit_bytes = 4;        // the unit of a node's index in the pool
constexpr std::uint32_t node_units_min = 4;    // a node with a name of one to four bytes
constexpr unsigned name_bytes_max = NAME_MAX;  // of an entry of a directory
// The longest path that Linux takes, followed by the name of an entry that lies too deep: opening that gives an error.
constexpr unsigned path_bytes_max = PATH_MAX + 1 + name_bytes_max;

static_assert(sizeof(node) == 12 && sizeof(node) % unit_bytes == 0);

// What the teams share; changed by atomic operations only.
struct tree_state {
  std::uint64_t taken;      // numbers taken by teams
  std::uint64_t added;      // entries of the queue reserved for nodes
  std::uint64_t units;      // units of the pool reserved for nodes
  std::uint64_t pending;    // nodes that are not done: in the queue, or in work
  std::uint32_t stop;       // teams take no further node
  std::uint32_t exhausted;  // the pool was too small
};

struct tree {
  tree_state* state;
  std::uint32_t* queue;  // 0: empty; else the node's index in the pool + 1
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

// Takes the next number. One thread of a team, which alone may then use the number.
GENESYS_KERNEL std::uint64_t take_number(const tree& t) {
  return genesys::atomic(t.state->taken).fetch_add(1, std::memory_order_relaxed);
}

// The node of a number: its index in the pool; not_yet: it may still be put in; or no_node: none is left. One thread,
// which calls node_done for the node afterwards.
GENESYS_KERNEL std::uint32_t node_of(const tree& t, std::uint64_t number) {
  using order = std::memory_order;
  if (number >= t.queue_places) return no_node;
  const genesys::atomic<std::uint32_t> place(t.queue[number]);
  if (const std::uint32_t there = place.load(order::acquire)) return there - 1;  // pairs with add_node
  if (genesys::atomic(t.state->stop).load(order::relaxed) != 0) return no_node;
  return genesys::atomic(t.state->pending).load(order::relaxed) == 0 ? no_node : not_yet;
}

// All entries of the node are in the queue. Called by one thread of the team that took the node.
GENESYS_KERNEL void node_done(const tree& t) {
  genesys::atomic(t.state->pending).fetch_add(~std::uint64_t{0}, std::memory_order_relaxed);
}

GENESYS_KERNEL void stop_all(const tree& t) { genesys::atomic(t.state->stop).store(1, std::memory_order_relaxed); }

struct places {
  std::uint64_t queue, pool;  // the first index of each
};

// Reserves space for some nodes that take `units` of the pool. False: there is none, and the search stops. One thread
// calls it for its team, before the node that has these nodes is done: so `pending` is not 0 while nodes are on their
// way into the queue.
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

// Puts a node into the space reserved for it. Any thread.
GENESYS_KERNEL void add_node(const tree& t, places at, const node& n, const char* name) {
  const auto place = static_cast<std::uint32_t>(at.pool);
  node* const to = node_at(t, place);
  *to = n;
  for (unsigned i = 0; i < n.name_length; ++i) name_of(to)[i] = name[i];
  genesys::atomic<std::uint32_t>(t.queue[at.queue]).store(place + 1, std::memory_order_release);  // pairs with node_of
}

// Writes a node's path and a NUL, from its end to its beginning, because a node knows only its parent. Called by all
// threads of the team, which need a barrier before they use the path.
template <class Team>
GENESYS_KERNEL void write_path(const tree& t, std::uint32_t place, char* path) {
  const unsigned me = Team::rank();
  node* n = node_at(t, place);
  if (n->type == kind::segment) n = node_at(t, n->parent);
  if (me == 0) path[n->path_length] = 0;
  for (;;) {
    const unsigned begin = n->path_length - n->name_length;
    for (unsigned i = me; i < n->name_length; i += Team::threads()) path[begin + i] = name_of(n)[i];
    if (n->parent == no_node) return;
    n = node_at(t, n->parent);
    if (me == 0 && n->path_length < begin) path[begin - 1] = '/';  // the parent's path may end in '/' already
  }
}

}  // namespace grep
