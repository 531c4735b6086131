// SPDX-License-Identifier: Apache-2.0
// grep's kernel. Each block takes one node after another out of the queue (tree.h), builds its path, opens it, and
// walks it (walk.h) or searches it (search.h). Only the blocks know which files there are. Calls for a node are made at
// block scope, once for all threads, which get the same result and take the same path through the code.
#pragma once

#include "segments.h"
#include "walk.h"

namespace grep {

// The kind of a node whose directory entry does not tell it. Opens the node with O_PATH, because opening some devices
// has side effects.
template <class Calls>
GENESYS_KERNEL kind look_at(const Calls& io, workspace& space) {
  const long fd = io.openat(AT_FDCWD, space.line.path(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return kind::regular;  // opening it as a file then gives the error
  const long error = io.fstat(static_cast<int>(fd), &space.status);
  io.close(static_cast<int>(fd));
  if (error < 0 || S_ISREG(space.status.st_mode)) return kind::regular;
  return S_ISDIR(space.status.st_mode) ? kind::directory : kind::skipped;
}

// Prints the lines of an open file that are selected. A regular file is searched first, because most have none.
GENESYS_KERNEL void print_lines(const genesys::os& os, const task& work, workspace& space, reader file, const node& n) {
  if (!file.stream && search(os, work, space, file, {}, n.path_length) == 0) return;
  line_printer to(os, work, space, n.path_length, with_name(work, n.type));
  if (file.stream || !to.print_binary(file)) {
    file.data_end = no_hole;
    (void)to.print_part(file, {});
  }
  to.end();
  if (genesys::thread_rank() == 0 && (!file.stream || to.any()))
    genesys::atomic(work.result->matched).store(1, std::memory_order_relaxed);
}

// Searches an open file and prints its lines, its name or its count. Closes it.
GENESYS_KERNEL void search_file(const genesys::os& os, const task& work, workspace& space, long fd, const node& n) {
  const auto io = os.on(genesys::block());
  reader file = reader_of(fd, space.status);
  if (work.maps && !file.stream) file.mapped = map_file(io, fd, file.size);
  if (file.mapped != nullptr) file.data_end = no_hole;
  if (share(os, work, space, file, n)) return;
  if (work.lines) {
    print_lines(os, work, space, file, n);
  } else {
    const std::uint64_t lines = search(os, work, space, file, {}, n.path_length);
    if (genesys::thread_rank() == 0) report(os, work, space, n.type, n.path_length, lines);
  }
  if (file.mapped != nullptr) io.munmap(const_cast<unsigned char*>(file.mapped), file.size);
  io.close(file.fd);
}

// Opens a node, and walks or searches it.
GENESYS_KERNEL void visit(const genesys::os& os, const task& work, workspace& space) {
  const auto io = os.on(genesys::block());
  const bool first = genesys::thread_rank() == 0;
  const node n = *node_at(work.files, space.node);
  write_path(work.files, space.node, space.line.path());
  if (n.type == kind::segment) {
    const segment_name part = *reinterpret_cast<const segment_name*>(name_of(node_at(work.files, space.node)));
    genesys::sync_block();  // the path is written
    return search_segment(os, work, space, work.large[part.file], part.number, n.path_length);
  }
  const kind type = n.type == kind::unknown ? look_at(io, space) : n.type;
  if (type == kind::skipped) return;

  // An entry of a directory may have been replaced meanwhile: follow no symbolic link, and do not wait for a FIFO.
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
    return search_file(os, work, space, fd, n);
  }
  io.close(static_cast<int>(fd));
}

// The whole block takes a node. False: none is left.
GENESYS_KERNEL bool take_next(const tree& files, workspace& space) {
  genesys::sync_block();  // all threads have finished the last node
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
