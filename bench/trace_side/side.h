// SPDX-License-Identifier: Apache-2.0
// One side of the bench trace: a runtime and the kernels that call, in a library that the bench loads. There are two
// such libraries, with the same sources: one is compiled without any tracing.
#pragma once

#include <cstdint>

namespace trace_bench {

struct shape {
  unsigned blocks, threads, lanes_a_warp;
  unsigned lanes() const { return blocks * (threads / 32 * lanes_a_warp); }
};

enum class call { getppid, pread };

struct counts {
  std::uint64_t completed, recorded, dropped;
};

class side {
 public:
  virtual ~side() = default;
  // Every lane of the shape makes so many calls, one after another, and begins one each `period_ns` at the most; until
  // all have their results. pread: 64 bytes of a cached file into device memory. Throws std::runtime_error: wrong
  // results.
  virtual void ask(call which, shape in, unsigned calls, unsigned period_ns = 0) = 0;
  virtual void start(const char* path) = 0;
  virtual void stop() = 0;
  virtual counts so_far() = 0;
};

struct side_options {
  const char* device;  // "cuda" or "cpu"
  unsigned workers;    // 0: as the runtime chooses
  int file;            // for pread
};
using make_side = side*(const side_options&);
inline constexpr char make_side_name[] = "genesys_bench_make_side";

}  // namespace trace_bench
