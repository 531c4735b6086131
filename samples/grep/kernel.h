// SPDX-License-Identifier: Apache-2.0
// grep's kernel. Each team (team.h) takes one node after another out of the queue (tree.h), builds its path, opens it,
// and walks it (walk.h) or searches it (search.h). Only the teams know which files there are. A team is a block; a
// warp, so that a block has several small files under way; or a thread, to compare with.
#pragma once

#include "segments.h"
#include "walk.h"

namespace grep {

// The kind of a node whose directory entry does not tell it. Opens the node with O_PATH, because opening some devices
// has side effects.
template <class Team, class Calls>
GENESYS_KERNEL kind look_at(const Calls& io, workspace<Team>& space) {
  const long fd = io.openat(AT_FDCWD, space.line.path(), O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return kind::regular;  // opening it as a file then gives the error
  const long error = io.fstat(static_cast<int>(fd), &space.status);
  io.posted().close(static_cast<int>(fd));
  if (error < 0 || S_ISREG(space.status.st_mode)) return kind::regular;
  return S_ISDIR(space.status.st_mode) ? kind::directory : kind::skipped;
}

// Prints the lines of an open file that are selected. A regular file is searched first, because most have none.
template <class Team>
GENESYS_KERNEL void print_lines(const genesys::os& os, const task& work, workspace<Team>& space, reader file,
                                const node& n) {
  if (!file.stream && search(os, work, space, file, {}, n.path_length) == 0) return;
  line_printer<Team> to(os, work, space, n.path_length, with_name(work, n.type));
  if (file.stream || !to.print_binary(file)) {
    file.data_end = no_hole;
    (void)to.print_part(file, {});
  }
  to.end();
  if (Team::rank() == 0 && (!file.stream || to.any()))
    genesys::atomic(work.result->matched).store(1, std::memory_order_relaxed);
}

// Searches an open file and prints its lines, its name or its count. Closes it.
template <class Team>
GENESYS_KERNEL void search_file(const genesys::os& os, const task& work, workspace<Team>& space, long fd,
                                const node& n) {
  const auto io = Team::on(os);
  reader file = reader_of(fd, space.status);
  // Holes are not mapped: a read skips them.
  if (work.maps && !file.stream && file.data_end == no_hole) file.mapped = map_file(io, fd, file.size);
  if (share(os, work, space, file, n)) return;
  if (work.lines) {
    if constexpr (!Team::is_alone) print_lines(os, work, space, file, n);
  } else {
    const std::uint64_t lines = search(os, work, space, file, {}, n.path_length);
    if (Team::rank() == 0) report(os, work, space, n.type, n.path_length, lines);
  }
  if (file.mapped != nullptr) io.munmap(const_cast<unsigned char*>(file.mapped), file.size);
  io.posted().close(file.fd);
}

// Opens a node, and walks or searches it.
template <class Team>
GENESYS_KERNEL void visit(const genesys::os& os, const task& work, workspace<Team>& space) {
  const auto io = Team::on(os);
  const bool first = Team::rank() == 0;
  const node n = *node_at(work.files, space.node);
  write_path<Team>(work.files, space.node, space.line.path());
  if (n.type == kind::segment) {
    const segment_name part = *reinterpret_cast<const segment_name*>(name_of(node_at(work.files, space.node)));
    Team::sync();  // the path is written
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
  } else if (work.out_file == space.status.st_ino && work.out_device == space.status.st_dev) {
    if (first) complain(os, work, space.line, n.path_length, is_own_output);
  } else if (S_ISREG(space.status.st_mode) || type == kind::given) {
    return search_file(os, work, space, fd, n);
  }
  io.posted().close(static_cast<int>(fd));
}

// Copies pair_bits() for the block. Called by all of its threads.
GENESYS_KERNEL void copy_pair_bits(const words& wanted) {
  for (unsigned i = block_team::rank(); i < pairs / 32; i += block_team::threads())
    pair_bits()[i] = wanted.pair_bits[i];
  block_team::sync();
}

GENESYS_KERNEL void add_bytes_read(const task& work, std::uint64_t bytes) {
  genesys::atomic(work.result->bytes_read).fetch_add(bytes, std::memory_order_relaxed);
}

// The team takes a node. False: none is left.
template <class Team>
GENESYS_KERNEL bool take_next(const tree& files, workspace<Team>& space) {
  Team::sync();  // all threads have finished the last node
  if (Team::rank() == 0) {
    const std::uint64_t number = take_number(files);
    while ((space.node = node_of(files, number)) == not_yet) genesys::pause(2000);
  }
  Team::sync();
  return space.node != no_node;
}

// The kernel, by blocks or by warps: any number of blocks, any number of threads in each.
template <class Team>
struct search_tree {
  GENESYS_KERNEL void operator()(genesys::os os, task work) const {
    copy_pair_bits(work.wanted);
    workspace<Team>& space = workspace_of<Team>(work);
    const bool first = Team::rank() == 0;
    if (first) space.bytes_read = 0;
    while (take_next(work.files, space)) {
      visit(os, work, space);
      if (first) node_done(work.files);
    }
    if (first) add_bytes_read(work, space.bytes_read);
  }
};

// The kernel, by threads. The lanes of a warp may wait for each other wherever their branches meet. So a lane does not
// wait for its node while others search: it looks once, and then they meet.
template <>
struct search_tree<thread_team> {
  GENESYS_KERNEL void operator()(genesys::os os, task work) const {
    copy_pair_bits(work.wanted);
    workspace<thread_team>& space = workspace_of<thread_team>(work);
    space.bytes_read = 0;
    std::uint64_t number = take_number(work.files);
    while ((space.node = node_of(work.files, number)) != no_node) {
      if (space.node == not_yet) {
        genesys::pause(2000);
        continue;
      }
      visit(os, work, space);
      node_done(work.files);
      number = take_number(work.files);
    }
    add_bytes_read(work, space.bytes_read);
  }
};

}  // namespace grep
