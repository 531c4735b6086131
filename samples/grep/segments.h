// SPDX-License-Identifier: Apache-2.0
// Large files, which many teams search: the team that opens one cuts it into segments, and puts a node for each into
// the queue. A line belongs to the segment in which it begins. The team that finishes the last segment prints what all
// have found. Called by all threads of a team.
#pragma once

#include "lines.h"

namespace grep {

// What stands behind a segment's node, in place of a name.
struct segment_name {
  std::uint32_t file, number;
};

// With -c, and if lines are printed.
GENESYS_KERNEL bool with_name(const task& work, kind type) {
  return type == kind::given ? work.name_given : work.name_found;
}

// Prints the name or the count of a file. One thread.
template <class Team>
GENESYS_KERNEL void report(const genesys::os& os, const task& work, workspace<Team>& space, kind type,
                           unsigned path_length, std::uint64_t lines) {
  if (lines > 0) genesys::atomic(work.result->matched).store(1, std::memory_order_relaxed);
  if (work.count) {
    print_count(os, work, space.line, path_length, with_name(work, type), lines);
  } else if (lines > 0) {
    print_name(os, work, space.line, path_length);
  }
}

// Prints the lines of a large file, all of whose segments have been searched.
template <class Team>
GENESYS_KERNEL void print_segments(const genesys::os& os, const task& work, workspace<Team>& space,
                                   const large_file& file, unsigned path_length) {
  if (file.lines == 0) return;
  if (Team::rank() == 0) genesys::atomic(work.result->matched).store(1, std::memory_order_relaxed);
  line_printer<Team> to(os, work, space, path_length, with_name(work, file.type));
  bool goes_on = !to.print_binary({file.fd, false, file.size, no_hole, 0, false, file.mapped});
  for (std::uint64_t begin = 0; begin < file.size && goes_on; begin += work.segment_bytes) {
    const std::uint64_t found = work.segments[file.first_segment + begin / work.segment_bytes];
    const std::uint64_t next = begin + work.segment_bytes;
    if ((found & is_selected) == 0)
      to.skip_lines(found);
    else
      goes_on = to.print_part({file.fd, false, file.size, no_hole, begin > 0 ? begin - 1 : 0, false, file.mapped},
                              {begin, next < file.size ? next : no_end, nullptr});
  }
  to.end();
}

template <class Team>
GENESYS_KERNEL void search_segment(const genesys::os& os, const task& work, workspace<Team>& space, large_file& file,
                                   std::uint32_t number, unsigned path_length) {
  const std::uint64_t begin = number * work.segment_bytes, next = begin + work.segment_bytes;
  const range part{begin, next < file.size ? next : no_end, &file};
  const genesys::atomic<std::uint64_t> lines(file.lines);
  const bool first = Team::rank() == 0;
  // With -l one line is enough, in any segment.
  const bool is_one_enough = !work.count && !work.lines;
  const bool has_enough = Team::any(first && is_one_enough && lines.load(std::memory_order_relaxed) > 0);
  if (!has_enough) {
    const reader from{file.fd, false, file.size, no_hole, begin > 0 ? begin - 1 : 0, false, file.mapped};
    std::uint64_t ends = 0;
    const std::uint64_t found = search(os, work, space, from, part, path_length, &ends);
    if (first) lines.fetch_add(found, std::memory_order_relaxed);
    if (first && work.lines) work.segments[file.first_segment + number] = found > 0 ? is_selected : ends;
  }
  Team::sync();
  if (first) space.number = genesys::atomic(file.left).fetch_add(~0u, std::memory_order_acq_rel);  // the others' lines
  Team::sync();
  if (space.number != 1) return;
  if (work.lines) {
    if constexpr (!Team::is_alone) print_segments(os, work, space, file, path_length);
  } else if (first) {
    report(os, work, space, file.type, path_length, lines.load(std::memory_order_relaxed));
  }
  if (file.mapped != nullptr) Team::on(os).munmap(const_cast<unsigned char*>(file.mapped), file.size);
  Team::on(os).posted().close(file.fd);
  if (first) genesys::atomic(work.result->open_files).fetch_add(~0u, std::memory_order_relaxed);
}

// Cuts an open file into segments, and searches the first one. False: it is small, or there are too many large ones.
template <class Team>
GENESYS_KERNEL bool share(const genesys::os& os, const task& work, workspace<Team>& space, const reader& from,
                          const node& n) {
  const auto size = static_cast<std::uint64_t>(space.status.st_size);
  const bool is_sparse = static_cast<std::uint64_t>(space.status.st_blocks) * 512 < size;
  if (!S_ISREG(space.status.st_mode) || is_sparse || size <= work.segment_bytes) return false;
  const auto segments = static_cast<unsigned>((size + work.segment_bytes - 1) / work.segment_bytes);
  const std::uint32_t units = units_of(sizeof(segment_name));
  Team::sync();
  if (Team::rank() == 0) {
    const genesys::atomic<std::uint32_t> open(work.result->open_files);
    space.entries = 0;
    if (open.fetch_add(1, std::memory_order_relaxed) < open_files_max) {
      space.number = genesys::atomic(work.result->large_files).fetch_add(1, std::memory_order_relaxed);
      std::uint32_t first_segment = 0;
      if (work.lines)
        first_segment = genesys::atomic(work.result->segments).fetch_add(segments, std::memory_order_relaxed);
      if (space.number < large_files_max && first_segment + std::uint64_t{segments} <= segments_max &&
          reserve_nodes(work.files, segments - 1, (segments - 1) * units, space.added)) {
        work.large[space.number] = {from.fd, n.type, segments, 0, first_segment, 0, size, from.mapped};
        space.entries = segments - 1;
      }
    }
    if (space.entries == 0) open.fetch_add(~0u, std::memory_order_relaxed);
  }
  Team::sync();
  if (space.entries == 0) return false;
  const segment_name file{space.number, 0};
  for (unsigned i = Team::rank(); i < segments - 1; i += Team::threads()) {
    const node part{space.node, n.path_length, sizeof(segment_name), kind::segment};
    const segment_name name{file.file, i + 1};
    add_node(work.files, {space.added.queue + i, space.added.pool + std::uint64_t{i} * units}, part,
             reinterpret_cast<const char*>(&name));
  }
  search_segment(os, work, space, work.large[file.file], 0, n.path_length);
  return true;
}

}  // namespace grep
