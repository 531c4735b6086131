// SPDX-License-Identifier: Apache-2.0
// The simulation, in one kernel from the first step to the last. All blocks of the grid compute a step of all leaves;
// after every 8th step the mesh follows the sphere: one thread decides which leaves are refined and coarsened and moves
// memory between levels (pool.h), and all blocks copy the values. The blocks wait for each other at barriers of the
// grid, so all of them must be resident.
#pragma once

#include "pool.h"

namespace amr {

using order = std::memory_order;

constexpr u32 steps_of_mesh = 8;
constexpr u64 start_ns_max = 5'000'000'000;  // from the first block that starts to the last one

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

// All threads of all blocks. False: not all blocks have started, since not all are resident; then all blocks end.
GENESYS_KERNEL bool start_grid(state& all) {
  constexpr u32 none = 0, first = 1, never = ~0U;
  const genesys::atomic<u32> round(all.round), arrived(all.arrived);
  genesys::sync_block();
  if (genesys::thread_rank() == 0) {
    const auto decide = [&](u32 value) {
      u32 before = none;
      round.compare_exchange(before, value, order::acq_rel);  // pairs with the loads below
    };
    const u64 begin = genesys::clock_ns();
    if (arrived.fetch_add(1, order::acq_rel) + 1 == genesys::blocks_in_grid()) {  // pairs with those of other blocks
      arrived.store(0, order::relaxed);
      decide(first);
    }
    while (round.load(order::acquire) == none) {
      genesys::pause(500);
      if (genesys::clock_ns() - begin > start_ns_max) decide(never);
    }
  }
  genesys::sync_block();
  return round.load(order::acquire) == first;  // the next round begins after this thread
}

// All threads of all blocks.
GENESYS_KERNEL void sync_grid(state& all) {
  genesys::sync_block();
  if (genesys::thread_rank() == 0) {
    const genesys::atomic<u32> round(all.round), arrived(all.arrived);
    const u32 now = round.load(order::relaxed);
    if (arrived.fetch_add(1, order::acq_rel) + 1 == genesys::blocks_in_grid()) {  // pairs with those of other blocks
      arrived.store(0, order::relaxed);
      round.store(now + 1, order::release);  // pairs with the load below
    } else {
      while (round.load(order::acquire) == now) genesys::pause(500);
    }
  }
  genesys::sync_block();
}

// --- By one thread.

GENESYS_KERNEL u32 make_leaf(const genesys::os& os, const task& t, u32 level, u32 x, u32 y, u32 z) {
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

GENESYS_KERNEL void refine(const genesys::os& os, const task& t, u32 number) {
  const leaf old = t.m.leaves[number];
  unlink_leaf(t, number);
  for (u32 child = 0; child < 8 && t.all->error == 0; ++child) {
    const u32 made = make_leaf(os, t, old.level + 1, 2 * old.x + (child & 1), 2 * old.y + (child >> 1 & 1),
                               2 * old.z + (child >> 2));
    if (made != no_leaf) t.copies[t.all->copies++] = {made, number, 1};
  }
}

// If the leaf is the first of eight children that may all be coarsened: their parent takes their place.
GENESYS_KERNEL void coarsen(const genesys::os& os, const task& t, u32 number) {
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

GENESYS_KERNEL_OUTLINE inline void change_mesh(const genesys::os& os, const task& t) {
  t.all->copies = t.all->removed = 0;
  for (u32 i = 0; i < t.all->changes && t.all->error == 0; ++i) {
    const u32 number = t.changes[i];
    if (t.wanted[number] == 1) refine(os, t, number);
    if (t.wanted[number] == 2) coarsen(os, t, number);
  }
  t.all->changes = 0;
}

// After the copies: the memory of the leaves that are gone.
GENESYS_KERNEL_OUTLINE inline void free_removed(const genesys::os& os, const task& t, u32 step) {
  for (u32 i = 0; i < t.all->removed; ++i) {
    leaf& old = t.m.leaves[t.removed[i]];
    free_memory(*t.memory, old.level, old.region, old.values);
    old.values = nullptr;
    t.free_numbers[t.all->free_count++] = t.removed[i];
  }
  if (const long error = give_back(os, *t.memory); error < 0) t.all->error = static_cast<int>(-error);
  t.past[t.all->noted++] = {genesys::clock_ns() - t.all->begin_ns, t.memory->mapped_bytes, step, t.all->live};
}

// The first mesh: all leaves of one level.
GENESYS_KERNEL_OUTLINE inline void make_first(const genesys::os& os, const task& t) {
  t.all->begin_ns = genesys::clock_ns();
  const u32 n = leaves_on_side(t.first_level);
  for (u32 i = 0; i < n * n * n && t.all->error == 0; ++i)
    (void)make_leaf(os, t, t.first_level, i % n, i / n % n, i / n / n);
}

// --- By all blocks: a leaf for each block in turn, and its points for the threads in turn.

template <class Body>
GENESYS_KERNEL void each_leaf(const task& t, Body body) {
  for (u32 i = genesys::block_rank(); i < t.all->leaves; i += genesys::blocks_in_grid())
    if (t.m.leaves[i].values != nullptr) body(i, t.m.leaves[i]);
}
template <class Body>
GENESYS_KERNEL void each_point(Body body) {
  for (u32 i = genesys::thread_rank(); i < points; i += genesys::threads_in_block())
    body(i % side, i / side % side, i / side / side, i);
}

GENESYS_KERNEL void fill_first(const task& t) {
  each_leaf(t, [&](u32, const leaf& l) {
    const u32 scale = length / points_on_side(l.level);
    each_point([&](u32 x, u32 y, u32 z, u32 i) {
      const u32 gx = (l.x * side + x) * scale, gy = (l.y * side + y) * scale, gz = (l.z * side + z) * scale;
      l.values[i] = l.values[points + i] = (gx * 2654435761u ^ gy * 40503u ^ gz * 97u) >> 8;
    });
  });
}

GENESYS_KERNEL void step_all(const task& t, u32 step) {
  const u32 old = step % 2;
  each_leaf(t, [&](u32, const leaf& l) {
    each_point(
        [&](u32 x, u32 y, u32 z, u32 i) { l.values[(1 - old) * points + i] = next_value(t.m, l, x, y, z, old); });
  });
}

GENESYS_KERNEL void mark(const task& t, u32 step) {
  const sphere s = sphere_at(step, t.steps);
  each_leaf(t, [&](u32 number, const leaf& l) {
    if (genesys::thread_rank() != 0) return;
    const u32 level = level_wanted(s, t.m.levels, l.level, l.x, l.y, l.z);
    const u32 of_parent = l.level == 0 ? 0 : level_wanted(s, t.m.levels, l.level - 1, l.x / 2, l.y / 2, l.z / 2);
    t.wanted[number] = level > l.level ? 1 : l.level > 0 && of_parent < l.level ? 2 : 0;
    if (t.wanted[number] != 0) t.changes[genesys::atomic<u32>(t.all->changes).fetch_add(1, order::relaxed)] = number;
  });
}

// A finer leaf gets the value of the point that covered it; a coarser one the mean of the eight points that it covers.
GENESYS_KERNEL void copy_all(const task& t, u32 half) {
  for (u32 c = genesys::block_rank(); c < t.all->copies; c += genesys::blocks_in_grid()) {
    const copy_task& one = t.copies[c];
    const leaf &to = t.m.leaves[one.to], &from = t.m.leaves[one.from];
    const u32* const values = from.values + half * points;
    if (one.is_finer != 0) {
      const u32 ox = to.x % 2 * (side / 2), oy = to.y % 2 * (side / 2), oz = to.z % 2 * (side / 2);
      each_point([&](u32 x, u32 y, u32 z, u32 i) {
        to.values[half * points + i] = values[point_at(ox + x / 2, oy + y / 2, oz + z / 2)];
      });
      continue;
    }
    const u32 ox = from.x % 2 * (side / 2), oy = from.y % 2 * (side / 2), oz = from.z % 2 * (side / 2);
    each_point([&](u32 x, u32 y, u32 z, u32) {
      if (((x | y | z) & 1) != 0) return;
      u64 sum = 0;
      for (u32 k = 0; k < 8; ++k) sum += values[point_at(x + (k & 1), y + (k >> 1 & 1), z + (k >> 2))];
      to.values[half * points + point_at(ox + x / 2, oy + y / 2, oz + z / 2)] = static_cast<u32>(sum / 8);
    });
  }
}

// A sum that depends on where each value is, but not on which leaf has which number.
GENESYS_KERNEL void add_up(const task& t, u32 half) {
  u64 sum = 0;
  each_leaf(t, [&](u32, const leaf& l) {
    each_point([&](u32 x, u32 y, u32 z, u32 i) {
      const u64 place = ((u64{l.level} * 8191 + l.z * side + z) * 8191 + l.y * side + y) * 8191 + l.x * side + x;
      sum += (place * 0x9e37'79b9'7f4a'7c15 | 1) * l.values[half * points + i];
    });
  });
  genesys::atomic<u64>(t.all->sum).fetch_add(sum, order::relaxed);
  each_leaf(t, [&](u32, const leaf& l) {
    if (genesys::thread_rank() == 0)
      genesys::atomic<u64>(t.all->volume).fetch_add(u64{1} << 3 * (t.m.levels - 1 - l.level), order::relaxed);
  });
}

// As many blocks as are resident at a time, any number of threads in each.
struct simulate {
  GENESYS_KERNEL void operator()(genesys::os os, task t) const {
    const bool is_first = genesys::block_rank() == 0 && genesys::thread_rank() == 0;
    if (is_first) make_first(os, t);
    if (!start_grid(*t.all)) {
      if (is_first) t.all->error = EDEADLK;
      return;
    }
    if (t.all->error != 0) return;
    fill_first(t);
    for (u32 step = 0; step < t.steps; ++step) {
      sync_grid(*t.all);
      if (step % steps_of_mesh == 0) {
        mark(t, step);
        sync_grid(*t.all);
        if (is_first) change_mesh(os, t);
        sync_grid(*t.all);
        if (t.all->error != 0) return;
        copy_all(t, step % 2);
        sync_grid(*t.all);
        if (is_first) free_removed(os, t, step);
        sync_grid(*t.all);
        if (t.all->error != 0) return;
      }
      step_all(t, step);
    }
    sync_grid(*t.all);
    add_up(t, t.steps % 2);
  }
};

}  // namespace amr
