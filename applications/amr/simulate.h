// SPDX-License-Identifier: Apache-2.0
// The simulation, from the first step to the last. All blocks compute a step of all leaves; after every 8th step the
// mesh follows the sphere: one thread decides which leaves are refined and coarsened and moves memory between levels
// (pool.h), and all blocks copy the values. `Grid` says who the blocks and threads are, how they wait for each other,
// and how they make calls: of a kernel (kernel.h), or of the CPU (openmp.cpp).
#pragma once

#include "pool.h"

namespace amr {

using order = std::memory_order;

constexpr u32 steps_of_mesh = 8;

// A leaf that is made: its values come from `from`, its parent or the first of its eight children.
struct copy_task {
  u32 to, from;  // numbers of leaves
  u32 is_finer;  // `to` is a child of `from`
};

struct history {  // after each change of the mesh
  u64 ns, mapped_bytes;
  u32 step, leaves;
};

struct state {
  u32 arrived, round;  // of the grid's barrier; the first round begins when all blocks have started
  u32 leaves;          // numbers in use are below it
  u32 live;            // leaves that there are
  u32 copies, removed, free_count;
  u32 changes;  // leaves that may change
  u32 noted;    // entries of the history
  int error;    // an errno, or 0: then all blocks end
  u64 sum;      // of all points, at the end, each weighed by its place
  u64 volume;   // of all leaves, at the end, in leaves of the finest level
  u64 begin_ns;
};

struct task {
  mesh m;
  pools* memory;
  state* all;
  u32* wanted;   // for each leaf: 0 leave it, 1 refine, 2 may be coarsened
  u32* changes;  // numbers of leaves of which `wanted` is not 0
  copy_task* copies;
  u32* removed;  // numbers of leaves
  u32* free_numbers;
  history* past;
  u32 leaves_max, steps, first_level;
};

// --- By one thread.

template <class Calls>
GENESYS_KERNEL u32 make_leaf(const Calls& os, const task& t, u32 level, u32 x, u32 y, u32 z) {
  state& all = *t.all;
  if (all.free_count == 0 && all.leaves == t.leaves_max) {
    all.error = ENOSPC;
    return no_leaf;
  }
  long error = 0;
  u32 region = 0;
  u32* const values = take_memory(os, *t.memory, level, region, error);
  if (values == nullptr) {
    all.error = static_cast<int>(-error);
    return no_leaf;
  }
  const u32 number = all.free_count > 0 ? t.free_numbers[--all.free_count] : all.leaves++;
  t.m.leaves[number] = {level, x, y, z, values, region};
  t.wanted[number] = 0;
  entry_at(t.m, level, x, y, z) = number;
  ++all.live;
  return number;
}

// The leaf is no longer in the mesh; its values are, until the copies are made.
GENESYS_KERNEL void unlink_leaf(const task& t, u32 number) {
  const leaf& old = t.m.leaves[number];
  entry_at(t.m, old.level, old.x, old.y, old.z) = no_leaf;
  t.removed[t.all->removed++] = number;
  --t.all->live;
}

template <class Calls>
GENESYS_KERNEL void refine(const Calls& os, const task& t, u32 number) {
  const leaf old = t.m.leaves[number];
  unlink_leaf(t, number);
  for (u32 child = 0; child < 8 && t.all->error == 0; ++child) {
    const u32 made = make_leaf(os, t, old.level + 1, 2 * old.x + (child & 1), 2 * old.y + (child >> 1 & 1),
                               2 * old.z + (child >> 2));
    if (made != no_leaf) t.copies[t.all->copies++] = {made, number, 1};
  }
}

// If the leaf is the first of eight children that may all be coarsened: their parent takes their place.
template <class Calls>
GENESYS_KERNEL void coarsen(const Calls& os, const task& t, u32 number) {
  const leaf first = t.m.leaves[number];
  if (((first.x | first.y | first.z) & 1) != 0) return;
  for (u32 child = 0; child < 8; ++child) {
    const u32 each =
        entry_at(t.m, first.level, first.x + (child & 1), first.y + (child >> 1 & 1), first.z + (child >> 2));
    if (each == no_leaf || t.wanted[each] != 2) return;
  }
  u32 children[8];
  for (u32 child = 0; child < 8; ++child) {
    u32& entry = entry_at(t.m, first.level, first.x + (child & 1), first.y + (child >> 1 & 1), first.z + (child >> 2));
    children[child] = entry;
    unlink_leaf(t, entry);
  }
  const u32 made = make_leaf(os, t, first.level - 1, first.x / 2, first.y / 2, first.z / 2);
  for (u32 child = 0; child < 8 && made != no_leaf; ++child) t.copies[t.all->copies++] = {made, children[child], 0};
}

template <class Calls>
GENESYS_KERNEL_OUTLINE void change_mesh(const Calls& os, const task& t) {
  t.all->copies = t.all->removed = 0;
  for (u32 i = 0; i < t.all->changes && t.all->error == 0; ++i) {
    const u32 number = t.changes[i];
    if (t.wanted[number] == 1) refine(os, t, number);
    if (t.wanted[number] == 2) coarsen(os, t, number);
  }
  t.all->changes = 0;
}

// After the copies: the memory of the leaves that are gone.
template <class Grid>
GENESYS_KERNEL_OUTLINE void free_removed(const Grid& grid, const task& t, u32 step) {
  for (u32 i = 0; i < t.all->removed; ++i) {
    leaf& old = t.m.leaves[t.removed[i]];
    free_memory(*t.memory, old.level, old.region, old.values);
    old.values = nullptr;
    t.free_numbers[t.all->free_count++] = t.removed[i];
  }
  if (const long error = give_back(grid.calls(), *t.memory); error < 0) t.all->error = static_cast<int>(-error);
  t.past[t.all->noted++] = {grid.now_ns() - t.all->begin_ns, t.memory->mapped_bytes, step, t.all->live};
}

// The first mesh: all leaves of one level.
template <class Grid>
GENESYS_KERNEL_OUTLINE void make_first(const Grid& grid, const task& t) {
  t.all->begin_ns = grid.now_ns();
  const u32 n = leaves_on_side(t.first_level);
  for (u32 i = 0; i < n * n * n && t.all->error == 0; ++i)
    (void)make_leaf(grid.calls(), t, t.first_level, i % n, i / n % n, i / n / n);
}

// --- By all blocks: a leaf for each block in turn, and its points for the threads in turn.

template <class Grid, class Body>
GENESYS_KERNEL void each_leaf(const Grid& grid, const task& t, Body body) {
  for (u32 i = grid.block(); i < t.all->leaves; i += grid.blocks())
    if (t.m.leaves[i].values != nullptr) body(i, t.m.leaves[i]);
}
template <class Grid, class Body>
GENESYS_KERNEL void each_point(const Grid& grid, Body body) {
  for (u32 i = grid.thread(); i < points; i += grid.threads()) body(i % side, i / side % side, i / side / side, i);
}

template <class Grid>
GENESYS_KERNEL void fill_first(const Grid& grid, const task& t) {
  each_leaf(grid, t, [&](u32, const leaf& l) {
    const u32 scale = length / points_on_side(l.level);
    each_point(grid, [&](u32 x, u32 y, u32 z, u32 i) {
      const u32 gx = (l.x * side + x) * scale, gy = (l.y * side + y) * scale, gz = (l.z * side + z) * scale;
      l.values[i] = l.values[points + i] = (gx * 2654435761u ^ gy * 40503u ^ gz * 97u) >> 8;
    });
  });
}

// A step of a leaf.
template <class Grid>
GENESYS_KERNEL void step_leaf(const Grid& grid, const mesh& m, const leaf& l, u32 old) {
  each_point(grid,
             [&](u32 x, u32 y, u32 z, u32 i) { l.values[(1 - old) * points + i] = next_value(m, l, x, y, z, old); });
}

template <class Grid>
GENESYS_KERNEL void step_all(const Grid& grid, const task& t, u32 step) {
  each_leaf(grid, t, [&](u32, const leaf& l) { step_leaf(grid, t.m, l, step % 2); });
}

template <class Grid>
GENESYS_KERNEL void mark(const Grid& grid, const task& t, u32 step) {
  const sphere s = sphere_at(step, t.steps);
  each_leaf(grid, t, [&](u32 number, const leaf& l) {
    if (grid.thread() != 0) return;
    const u32 level = level_wanted(s, t.m.levels, l.level, l.x, l.y, l.z);
    const u32 of_parent = l.level == 0 ? 0 : level_wanted(s, t.m.levels, l.level - 1, l.x / 2, l.y / 2, l.z / 2);
    t.wanted[number] = level > l.level ? 1 : l.level > 0 && of_parent < l.level ? 2 : 0;
    if (t.wanted[number] != 0) t.changes[genesys::atomic<u32>(t.all->changes).fetch_add(1, order::relaxed)] = number;
  });
}

// A finer leaf gets the value of the point that covered it; a coarser one the mean of the eight points that it covers.
template <class Grid>
GENESYS_KERNEL void copy_all(const Grid& grid, const task& t, u32 half) {
  for (u32 c = grid.block(); c < t.all->copies; c += grid.blocks()) {
    const copy_task& one = t.copies[c];
    const leaf &to = t.m.leaves[one.to], &from = t.m.leaves[one.from];
    const u32* const values = from.values + half * points;
    if (one.is_finer != 0) {
      const u32 ox = to.x % 2 * (side / 2), oy = to.y % 2 * (side / 2), oz = to.z % 2 * (side / 2);
      each_point(grid, [&](u32 x, u32 y, u32 z, u32 i) {
        to.values[half * points + i] = values[point_at(ox + x / 2, oy + y / 2, oz + z / 2)];
      });
      continue;
    }
    const u32 ox = from.x % 2 * (side / 2), oy = from.y % 2 * (side / 2), oz = from.z % 2 * (side / 2);
    each_point(grid, [&](u32 x, u32 y, u32 z, u32) {
      if (((x | y | z) & 1) != 0) return;
      u64 sum = 0;
      for (u32 k = 0; k < 8; ++k) sum += values[point_at(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2))];
      to.values[half * points + point_at(ox + x / 2, oy + y / 2, oz + z / 2)] = static_cast<u32>(sum / 8);
    });
  }
}

// A sum that depends on where each value is, but not on which leaf has which number.
template <class Grid>
GENESYS_KERNEL void add_up(const Grid& grid, const task& t, u32 half) {
  u64 sum = 0;
  each_leaf(grid, t, [&](u32, const leaf& l) {
    each_point(grid, [&](u32 x, u32 y, u32 z, u32 i) {
      const u64 place = ((u64{l.level} * 8191 + l.z * side + z) * 8191 + l.y * side + y) * 8191 + l.x * side + x;
      sum += (place * 0x9e37'79b9'7f4a'7c15 | 1) * l.values[half * points + i];
    });
  });
  genesys::atomic<u64>(t.all->sum).fetch_add(sum, order::relaxed);
  each_leaf(grid, t, [&](u32, const leaf& l) {
    if (grid.thread() == 0)
      genesys::atomic<u64>(t.all->volume).fetch_add(u64{1} << 3 * (t.m.levels - 1 - l.level), order::relaxed);
  });
}

// All threads of all blocks.
template <class Grid>
GENESYS_KERNEL void simulate_all(const Grid& grid, const task& t) {
  const bool is_first = grid.block() == 0 && grid.thread() == 0;
  if (is_first) make_first(grid, t);
  if (!grid.start()) {
    if (is_first) t.all->error = EDEADLK;
    return;
  }
  if (t.all->error != 0) return;
  fill_first(grid, t);
  for (u32 step = 0; step < t.steps; ++step) {
    grid.sync();
    if (step % steps_of_mesh == 0) {
      mark(grid, t, step);
      grid.sync();
      if (is_first) change_mesh(grid.calls(), t);
      grid.sync();
      if (t.all->error != 0) return;
      copy_all(grid, t, step % 2);
      grid.sync();
      if (is_first) free_removed(grid, t, step);
      grid.sync();
      if (t.all->error != 0) return;
    }
    step_all(grid, t, step);
  }
  grid.sync();
  add_up(grid, t, t.steps % 2);
}

}  // namespace amr
