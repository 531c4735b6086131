// SPDX-License-Identifier: Apache-2.0
// Walks a directory: reads its entries and puts those to be searched or walked into the queue. Called by all threads of
// a team.
//
// Each record gives the offset of the next one, so one thread goes through them and notes the useful entries; then each
// thread puts some of these into the queue.
#pragma once

#include <dirent.h>

#include "report.h"

namespace grep {

// A record of getdents64(2): inode and offset (8 bytes each), its own length (2), the type (1), the name with its NUL,
// and padding to a multiple of 8.
constexpr unsigned record_length_at = 16;
constexpr unsigned record_type_at = 18;
constexpr unsigned record_name_at = 19;

GENESYS_KERNEL unsigned record_length(const unsigned char* record) {
  return record[record_length_at] + 256u * record[record_length_at + 1];
}

// The NUL is in the last 8 bytes, so only these are searched.
GENESYS_KERNEL unsigned record_name_length(const unsigned char* record) {
  unsigned end = record_length(record) - 8;
  if (end < record_name_at) end = record_name_at;
  while (record[end] != 0) ++end;
  return end - record_name_at;
}

GENESYS_KERNEL kind record_kind(const unsigned char* record, unsigned name_length) {
  const unsigned char* const name = record + record_name_at;
  if (name[0] == '.' && (name_length == 1 || (name_length == 2 && name[1] == '.'))) return kind::skipped;
  switch (record[record_type_at]) {
    case DT_REG:
      return kind::regular;
    case DT_DIR:
      return kind::directory;
    case DT_UNKNOWN:
      return kind::unknown;
    default:
      return kind::skipped;
  }
}

// Notes the useful entries among the records, and reserves space for them in the queue. One thread.
template <class Team>
GENESYS_KERNEL void note_entries(const task& work, workspace<Team>& space, unsigned bytes) {
  directory_part& d = space.directory;
  std::uint32_t units = 0;
  unsigned entries = 0;
  for (unsigned at = 0; at < bytes; at += record_length(d.records + at)) {
    const unsigned name_length = record_name_length(d.records + at);
    const kind type = record_kind(d.records + at, name_length);
    if (type == kind::skipped) continue;
    d.entries[entries++] = {units, static_cast<std::uint16_t>(at), static_cast<std::uint8_t>(name_length), type};
    units += units_of(name_length);
  }
  space.entries = reserve_nodes(work.files, entries, units, space.added) ? entries : 0;
}

// Puts one of the noted entries into the queue. Any thread.
template <class Team>
GENESYS_KERNEL void add_entry(const task& work, workspace<Team>& space, unsigned number, unsigned path_length) {
  const directory_part& d = space.directory;
  const entry& e = d.entries[number];
  const unsigned separator = space.line.path()[path_length - 1] == '/' ? 0 : 1;  // `grep ... /` prints /etc, not //etc
  const node n{space.node, static_cast<std::uint16_t>(path_length + separator + e.name_length), e.name_length, e.type};
  const places at{space.added.queue + number, space.added.pool + e.units};
  add_node(work.files, at, n, reinterpret_cast<const char*>(d.records + e.record + record_name_at));
}

template <class Team>
GENESYS_KERNEL void walk(const genesys::os& os, const task& work, workspace<Team>& space, long fd,
                         unsigned path_length) {
  const auto io = Team::on(os);
  const unsigned me = Team::rank();
  for (;;) {
    const long bytes = io.getdents64(static_cast<int>(fd), space.directory.records, records_bytes);
    if (bytes < 0 && me == 0) complain(os, work, space.line, path_length, bytes);
    if (bytes <= 0) return;
    if (me == 0) note_entries(work, space, static_cast<unsigned>(bytes));
    Team::sync();
    for (unsigned i = me; i < space.entries; i += Team::threads()) add_entry(work, space, i, path_length);
  }  // the barrier of the next call protects the records until all threads have read them
}

}  // namespace grep
