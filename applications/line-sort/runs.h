// SPDX-License-Identifier: Apache-2.0
// Runs that are merged: sorted files, of each of which a part is in the text. The lines up to the least of the parts'
// last lines can be written, because no line before them is still in a file. A part that ends within its first line is
// *cut*: its bytes bound the others, too, as the beginning of a line.
#pragma once

#include "lines.h"

namespace line_sort {

constexpr u32 runs_max = 64;  // that are merged at a time

struct run_part {
  u64 begin, bytes;  // in the text
  u32 is_last;       // nothing of the run is left in its file
  // Results.
  u32 is_bound;  // its last line is the least of all parts' last lines
  u64 first;     // bytes of the first line; 0: the part is cut
  u64 last;      // where the last whole line begins; of a cut part, the first line
  u64 take;      // bytes that can be written
};

// Finds the whole lines of a part.
GENESYS_KERNEL void find_lines(const text& of, run_part& part) {
  const u64 end = part.begin + part.bytes, whole = part.is_last ? end : find_begin(of, part.begin, end);
  part.is_bound = 0;
  part.take = whole - part.begin;
  part.first = part.take == 0 ? 0 : length_of(of, part.begin);
  part.last = part.take == 0 ? part.begin : find_begin(of, part.begin, whole - 1);
}

GENESYS_KERNEL u64 known_bytes(const run_part& part) { return part.first == 0 ? part.bytes : ~u64{0}; }

GENESYS_KERNEL int compare_wanted(const text& of, u64 a, u64 b, u64 limit) {
  const int result = compare_lines(of, a, b, 0, limit);
  return of.is_reverse ? -result : result;
}

// The part up to whose last line lines can be written. `count`: all lines can be written. Of a cut part, and another
// one whose last line begins with its bytes, it is the cut one, because its line may come first.
GENESYS_KERNEL u32 find_bound(const text& of, const run_part* parts, u32 count) {
  u32 bound = count;
  for (u32 i = 0; i < count; ++i) {
    if (parts[i].is_last) continue;
    if (bound != count) {
      const u64 known = known_bytes(parts[i]), of_bound = known_bytes(parts[bound]);
      const int result = compare_wanted(of, parts[i].last, parts[bound].last, known < of_bound ? known : of_bound);
      if (result > 0 || (result == 0 && known >= of_bound)) continue;
    }
    bound = i;
  }
  return bound;
}

// Takes of a part only the lines up to the last one of `bound`: finds the first line after it. A line that begins with
// the bytes of a cut part may come after that part's line.
GENESYS_KERNEL void take_up_to(const text& of, run_part& part, const run_part& bound) {
  u64 low = part.begin, high = part.begin + part.take;  // the beginnings of lines
  while (low < high) {
    const u64 line = find_begin(of, low, low + (high - low) / 2);
    const int result = compare_wanted(of, line, bound.last, known_bytes(bound));
    if (result > 0 || (result == 0 && bound.first == 0))
      high = line;
    else
      low = line + length_of(of, line);
  }
  part.take = low - part.begin;
}

}  // namespace line_sort
