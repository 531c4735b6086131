// SPDX-License-Identifier: Apache-2.0
// Runs that are merged: sorted files, of each of which a part is in the text. The lines up to the least of the parts'
// last lines can be written, because no line before them is still in a file.
#pragma once

#include "lines.h"

namespace line_sort {

constexpr u32 runs_max = 64;  // that are merged at a time

struct run_part {
  u64 begin, bytes;  // in the text
  u32 is_last;       // nothing of the run is left in its file
  u32 is_cut;        // its last line is not whole: nothing can be said of it
  u64 last;          // where the last whole line begins
  u64 take;          // result: bytes that can be written
};

// Finds the last whole line of a part.
GENESYS_KERNEL void find_last(const text& of, run_part& part) {
  u64 end = part.begin + part.bytes;
  if (!part.is_last) {
    while (end > part.begin && of.bytes[end - 1] != '\n') --end;
  }
  part.take = end - part.begin;
  part.is_cut = end == part.begin ? 1 : 0;
  part.last = end;
  if (part.is_cut) return;
  for (part.last = end - 1; part.last > part.begin && of.bytes[part.last - 1] != '\n';) --part.last;
}

GENESYS_KERNEL int compare_wanted(const text& of, u64 a, u64 b) {
  const int result = compare_lines(of, a, b, 0);
  return of.is_reverse ? -result : result;
}

// The line up to which lines can be written: the least of the last lines. No part is left that has more: ~0.
GENESYS_KERNEL u64 find_bound(const text& of, const run_part* parts, u32 count) {
  u64 bound = ~u64{0};
  for (u32 i = 0; i < count; ++i)
    if (!parts[i].is_last && (bound == ~u64{0} || compare_wanted(of, parts[i].last, bound) < 0)) bound = parts[i].last;
  return bound;
}

// Takes of a part only the lines up to `bound`: finds the first line behind it.
GENESYS_KERNEL void take_up_to(const text& of, run_part& part, u64 bound) {
  if (bound == ~u64{0}) return;
  u64 low = part.begin, high = part.begin + part.take;  // the beginnings of lines
  while (low < high) {
    u64 line = low + (high - low) / 2;
    while (line > low && of.bytes[line - 1] != '\n') --line;
    if (compare_wanted(of, line, bound) > 0)
      high = line;
    else
      low = line + length_of(of, line);
  }
  part.take = low - part.begin;
}

}  // namespace line_sort
