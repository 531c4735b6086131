// SPDX-License-Identifier: Apache-2.0
#include "openmp.h"

#include <omp.h>
#include <sys/mman.h>

#include <cerrno>
#include <chrono>

namespace amr {
namespace {

// Linux's calls, with results as a kernel gets them.
struct native_calls {
  const pools& memory;
  u64 limit;

  long mmap(void* at, u64 bytes, int protection, int flags, int fd, long offset) const {
    if (!fits(bytes)) return -ENOMEM;
    void* const made = ::mmap(at, bytes, protection, flags & ~genesys::map_device, fd, offset);
    return made == MAP_FAILED ? -errno : reinterpret_cast<long>(made);
  }
  long madvise(void* at, u64 bytes, int advice) const {
    if (advice == MADV_POPULATE_WRITE && !fits(bytes)) return -ENOMEM;
    return ::madvise(at, bytes, advice) == 0 ? 0 : -errno;
  }
  bool fits(u64 bytes) const { return limit == 0 || memory.mapped_bytes + bytes <= limit; }
};

struct openmp_grid {
  native_calls own_calls;

  static u32 block() { return static_cast<u32>(omp_get_thread_num()); }
  static u32 blocks() { return static_cast<u32>(omp_get_num_threads()); }
  static constexpr u32 thread() { return 0; }
  static constexpr u32 threads() { return 1; }
  const native_calls& calls() const { return own_calls; }
  static u64 now_ns() {
    return static_cast<u64>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  }
  static bool start() {
    sync();
    return true;
  }
  static void sync() {
#pragma omp barrier
  }
};

struct vector_grid : openmp_grid {};

// The points that have all their neighbours in the leaf. The values stay below 2^24, so that 32 bits hold the sum; the
// compiler makes vector instructions of the inner loop.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
[[gnu::target_clones("avx512f", "avx2", "default")]]
#endif
void step_inside(const u32* from, u32* to) {
  constexpr u32 row = side, plane = side * side;
  for (u32 z = 1; z + 1 < side; ++z) {
    for (u32 y = 1; y + 1 < side; ++y) {
      const u32* const old = from + point_at(0, y, z);
      u32* const made = to + point_at(0, y, z);
      for (u32 x = 1; x + 1 < side; ++x) {
        made[x] = (2 * old[x] + old[x - 1] + old[x + 1] + (old + x - row)[0] + old[x + row] + (old + x - plane)[0] +
                   old[x + plane]) /
                  8;
      }
    }
  }
}

// Takes the place of simulate.h's.
void step_leaf(const vector_grid&, const mesh& m, const leaf& l, u32 old) {
  u32* const to = l.values + (1 - old) * points;
  step_inside(l.values + old * points, to);
  const auto set = [&](u32 x, u32 y, u32 z) { to[point_at(x, y, z)] = next_value(m, l, x, y, z, old); };
  for (u32 a = 0; a < side; ++a) {
    for (u32 b = 0; b < side; ++b) {
      for (const u32 end : {0u, side - 1}) {
        set(end, a, b);
        set(a, end, b);
        set(a, b, end);
      }
    }
  }
}

}  // namespace

void simulate_by_openmp(const task& t, u64 limit, bool with_vectors) {
  const native_calls calls{*t.memory, limit};
#pragma omp parallel num_threads(omp_get_num_procs())
  {
    if (with_vectors)
      simulate_all(vector_grid{{calls}}, t);
    else
      simulate_all(openmp_grid{calls}, t);
  }
}

}  // namespace amr
