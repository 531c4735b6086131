// SPDX-License-Identifier: Apache-2.0
// grep's kernel. Each block takes one node after the other out of the queue (tree.h), makes its path, opens it, and
// walks it (walk.h) or searches it (search.h): nobody but the blocks knows which files there are. Calls that concern a
// node are made at block scope, once for all threads, which then have the same answer and take the same way.
#pragma once

#include "search.h"
#include "walk.h"

namespace grep {

// Not known by its directory entry: looked at without opening it for real, because opening some devices does something.
template <class Calls>
GENESYS_KERNEL kind look_at(const Calls& io, workspace& space) {
  const long fd = io.openat(AT_FDCWD, space.line.path(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return kind::regular;  // opening it then says what is wrong
  const long error = io.fstat(static_cast<int>(fd), &space.status);
  io.close(static_cast<int>(fd));
  if (error < 0 || S_ISREG(space.status.st_mode)) return kind::regular;
  return S_ISDIR(space.status.st_mode) ? kind::directory : kind::skipped;
}

// Searches an open file and prints what is to be printed of it.
GENESYS_KERNEL void search_file(const genesys::os& os, const task& work, workspace& space, long fd, const node& n) {
  const unsigned path_length = n.path_length;
  const std::uint64_t lines = search(os, work, space, reader_of(fd, space.status), path_length);
  if (genesys::thread_rank() != 0) return;
  if (lines > 0) genesys::atomic(work.result->matched).store(1, std::memory_order_relaxed);
  if (work.count) {
    print_count(os, work, space.line, path_length, work.name_given || n.type != kind::given, lines);
  } else if (lines > 0) {
    print_name(os, work, space.line, path_length);
  }
}

// Opens a node and does what it calls for.
GENESYS_KERNEL void visit(const genesys::os& os, const task& work, workspace& space) {
  const auto io = os.on(genesys::block());
  const bool first = genesys::thread_rank() == 0;
  const node n = *node_at(work.files, space.node);
  write_path(work.files, space.node, space.line.path());
  const kind type = n.type == kind::unknown ? look_at(io, space) : n.type;
  if (type == kind::skipped) return;

  // What was found in a directory may have become something else by now: no link is followed, no FIFO waited for.
  const int flags = O_RDONLY | O_NOCTTY | O_CLOEXEC | (type == kind::given ? 0 : O_NOFOLLOW | O_NONBLOCK);
  const long fd = io.openat(AT_FDCWD, space.line.path(), flags);
  if (fd < 0) {
    const bool link = fd == -ELOOP && type != kind::given;
    if (!link && first) complain(os, work, space.line, n.path_length, fd);
    return;
  }
  const long error = io.fstat(static_cast<int>(fd), &space.status);
  if (error < 0) {
    if (first) complain(os, work, space.line, n.path_length, error);
  } else if (S_ISDIR(space.status.st_mode)) {
    walk(os, work, space, fd, n.path_length);
  } else if (S_ISREG(space.status.st_mode) || type == kind::given) {
    search_file(os, work, space, fd, n);
  }
  io.close(static_cast<int>(fd));
}

// The whole block takes a node; false: nothing is left.
GENESYS_KERNEL bool take_next(const tree& files, workspace& space) {
  genesys::sync_block();  // all are through with the last one
  if (genesys::thread_rank() == 0) space.node = take_node(files);
  genesys::sync_block();
  return space.node != no_node;
}

// The kernel: any number of blocks, any number of threads in each.
struct search_tree {
  GENESYS_KERNEL void operator()(genesys::os os, task work) const {
    workspace& space = genesys::shared<workspace>();
    const unsigned me = genesys::thread_rank(), threads = genesys::threads_in_block();
    for (unsigned i = me; i < pairs / 32; i += threads) space.pair_bits[i] = work.wanted.pair_bits[i];
    if (me == 0) space.bytes_read = 0;
    while (take_next(work.files, space)) {
      visit(os, work, space);
      if (me == 0) node_done(work.files);
    }
    if (me == 0) genesys::atomic(work.result->bytes_read).fetch_add(space.bytes_read, std::memory_order_relaxed);
  }
};

}  // namespace grep
