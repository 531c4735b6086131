// SPDX-License-Identifier: Apache-2.0
// The mesh: a cube of points that is finer where it needs to be. It consists of *leaves*, cubes of 16 points on a side.
// A leaf of level 0 is a 4th of the domain on a side; each level is twice as fine. The leaves cover the domain without
// overlap. Points hold whole numbers, so that every device computes the same.
#pragma once

#include <cstdint>

#include "genesys/kernel.h"

namespace amr {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u32 side = 16, points = side * side * side;  // of a leaf
constexpr u32 roots_log2 = 2, levels_max = 5;
constexpr u32 no_leaf = ~u32{0};
constexpr u32 leaf_bytes = 2 * points * sizeof(u32);  // the values of this step, and of the last one

// Leaves on a side of the domain, if it were all of this level.
GENESYS_KERNEL u32 leaves_on_side(u32 level) { return 1u << (roots_log2 + level); }
GENESYS_KERNEL u32 points_on_side(u32 level) { return leaves_on_side(level) * side; }

struct leaf {
  u32 level, x, y, z;  // in leaves of that level
  u32* values;         // 2 * points: the half `step % 2` is the newer one
  u32 region;          // of its level's pool, in which the values are
};

// The leaves by place: for each level an entry for each place, the number of a leaf or no_leaf.
struct mesh {
  leaf* leaves;
  u32* at[levels_max];
  u32 levels;
};

GENESYS_KERNEL u32& entry_at(const mesh& m, u32 level, u32 x, u32 y, u32 z) {
  const u32 n = leaves_on_side(level);
  return m.at[level][(u64{z} * n + y) * n + x];
}
GENESYS_KERNEL u32 point_at(u32 x, u32 y, u32 z) { return (z * side + y) * side + x; }

// The value of the point (x, y, z) of a level, of the half `half`. A coarser leaf's point covers it; of finer points
// the one at its corner stands for it.
GENESYS_KERNEL u32 value_at(const mesh& m, u32 level, u32 x, u32 y, u32 z, u32 half) {
  for (u32 up = 0; up <= level; ++up) {
    const u32 number = entry_at(m, level - up, x >> up >> 4, y >> up >> 4, z >> up >> 4);
    if (number != no_leaf)
      return m.leaves[number].values[half * points + point_at((x >> up) % side, (y >> up) % side, (z >> up) % side)];
  }
  for (u32 down = 1; level + down < m.levels; ++down) {
    const u32 number = entry_at(m, level + down, x << down >> 4, y << down >> 4, z << down >> 4);
    if (number != no_leaf)
      return m.leaves[number]
          .values[half * points + point_at((x << down) % side, (y << down) % side, (z << down) % side)];
  }
  return 0;  // the leaves cover all places
}

// A step of one point: it gets a quarter of its own value, and an eighth of each neighbour's. At the domain's edge it
// is its own neighbour.
GENESYS_KERNEL u32 next_value(const mesh& m, const leaf& of, u32 x, u32 y, u32 z, u32 half) {
  const u32* const old = of.values + half * points;
  const u32 own = old[point_at(x, y, z)];
  const u32 last = points_on_side(of.level) - 1;
  const u32 gx = of.x * side + x, gy = of.y * side + y, gz = of.z * side + z;
  u64 sum = u64{2} * own;
  sum += x > 0 ? old[point_at(x - 1, y, z)] : gx > 0 ? value_at(m, of.level, gx - 1, gy, gz, half) : own;
  sum += x + 1 < side ? old[point_at(x + 1, y, z)] : gx < last ? value_at(m, of.level, gx + 1, gy, gz, half) : own;
  sum += y > 0 ? old[point_at(x, y - 1, z)] : gy > 0 ? value_at(m, of.level, gx, gy - 1, gz, half) : own;
  sum += y + 1 < side ? old[point_at(x, y + 1, z)] : gy < last ? value_at(m, of.level, gx, gy + 1, gz, half) : own;
  sum += z > 0 ? old[point_at(x, y, z - 1)] : gz > 0 ? value_at(m, of.level, gx, gy, gz - 1, half) : own;
  sum += z + 1 < side ? old[point_at(x, y, z + 1)] : gz < last ? value_at(m, of.level, gx, gy, gz + 1, half) : own;
  return static_cast<u32>(sum / 8);
}

// The object: a sphere that crosses the domain. Lengths in 1/4096 of the domain's side.
constexpr u32 length = 4096;
struct sphere {
  int x, y, z, radius;
};
GENESYS_KERNEL sphere sphere_at(u32 step, u32 steps) {
  const int way = static_cast<int>(u64{step} * (2 * length) / steps);  // from outside to outside
  const int quarter = static_cast<int>(length) / 4;
  return {way - 2 * quarter, 2 * quarter, 2 * quarter, quarter + way / 16};
}

// The level that a place needs: the finest at the sphere's surface, and coarser with the distance from it.
GENESYS_KERNEL u32 level_wanted(const sphere& s, u32 levels, u32 level, u32 x, u32 y, u32 z) {
  const int size = static_cast<int>(length / leaves_on_side(level));
  const auto nearest = [&](int at, u32 index) {  // the distance along an axis from the leaf's nearest place
    const int begin = static_cast<int>(index) * size;
    return at < begin ? begin - at : at > begin + size ? at - begin - size : 0;
  };
  const auto farthest = [&](int at, u32 index) {
    const int begin = static_cast<int>(index) * size, from = at - begin, to = begin + size - at;
    return from > to ? from : to;
  };
  const auto square = [](long a, long b, long c) { return a * a + b * b + c * c; };
  const long near = square(nearest(s.x, x), nearest(s.y, y), nearest(s.z, z));
  const long far = square(farthest(s.x, x), farthest(s.y, y), farthest(s.z, z));
  for (u32 wanted = levels - 1; wanted > 0; --wanted) {
    const long reach = static_cast<long>(length) / 64 * static_cast<long>(levels - 1 - wanted);
    const long out = s.radius + reach, in = s.radius > reach ? s.radius - reach : 0;
    if (near <= out * out && far >= in * in) return wanted;
  }
  return 0;
}

}  // namespace amr
