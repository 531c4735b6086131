// SPDX-License-Identifier: Apache-2.0
// Kernels that are aborted, rolled back and run again: by the tests of the rewriter, by those that run on a GPU, and by
// bench/schedule. kernels/compile.sh makes workloads.ptx of it. Each has one way to wait for other threads, or to
// change memory, that the rewriter must get right. All are deterministic: integers, or floats in a fixed order.
#include <cuda_pipeline.h>

#include <cuda/std/cstdint>

#define KERNEL extern "C" __global__ void

// A vector is added to another one in place.
KERNEL add_in_place(float* a, const float* b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] += b[i];
}

KERNEL copy(const float4* from, float4* to, long n) {
  for (long i = blockIdx.x * long{blockDim.x} + threadIdx.x; i < n; i += long{gridDim.x} * blockDim.x) to[i] = from[i];
}

// A sum by a tree in shared memory, and the last 32 by shuffles.
KERNEL __launch_bounds__(256) reduce(const int* in, int* out, int n) {
  __shared__ int part[256];
  int sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int width = 128; width >= 32; width >>= 1) {
    if (threadIdx.x < width) part[threadIdx.x] += part[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x >= 32) return;
  sum = part[threadIdx.x];
  for (int width = 16; width > 0; width >>= 1) sum += __shfl_down_sync(~0U, sum, width);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// C = A * B with tiles of 128 x 128 in shared memory; sizes are multiples of 128, k of 8.
KERNEL __launch_bounds__(256) sgemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                    int n, int depth) {
  __shared__ float tile_a[8][128], tile_b[8][128];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float sum[8][8] = {};
  const int row = threadIdx.x / 2, column = threadIdx.x % 2 * 4;
  const float* from_a = a + (blockIdx.y * 128L + row) * depth + column;
  const float* from_b = b + (threadIdx.x / 32) * static_cast<long>(n) + blockIdx.x * 128 + threadIdx.x % 32 * 4;
  for (int k = 0; k < depth; k += 8) {
    const float4 of_a = *reinterpret_cast<const float4*>(from_a + k);
    const float4 of_b = *reinterpret_cast<const float4*>(from_b + static_cast<long>(k) * n);
    tile_a[column][row] = of_a.x;
    tile_a[column + 1][row] = of_a.y;
    tile_a[column + 2][row] = of_a.z;
    tile_a[column + 3][row] = of_a.w;
    *reinterpret_cast<float4*>(&tile_b[threadIdx.x / 32][threadIdx.x % 32 * 4]) = of_b;
    __syncthreads();
#pragma unroll
    for (int inner = 0; inner < 8; ++inner) {
      float left[8], right[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        left[i] = tile_a[inner][ty * 8 + i];
        right[i] = tile_b[inner][tx * 8 + i];
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; j += 4)
      *reinterpret_cast<float4*>(&c[(blockIdx.y * 128L + ty * 8 + i) * n + blockIdx.x * 128 + tx * 8 + j]) =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}

// A tight loop: eight operations and a branch.
KERNEL __launch_bounds__(256, 8) tight_loop(float* out, int turns, float factor) {
  float x = threadIdx.x * 1e-3F, y = blockIdx.x * 1e-3F;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    x = fmaf(x, factor, y);
    y = fmaf(y, factor, x);
    x = fmaf(x, factor, -y);
    y = fmaf(y, factor, -x);
    x = fmaf(x, factor, y);
    y = fmaf(y, factor, x);
    x = fmaf(x, factor, -y);
    y = fmaf(y, factor, -x);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}

// Blocks that run long and count in global memory.
KERNEL long_atomics(unsigned* counters, int counters_mask, int turns) {
  unsigned random = blockIdx.x * blockDim.x + threadIdx.x + 1;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    random = random * 1664525U + 1013904223U;
    atomicAdd(&counters[(random >> 10) & counters_mask], random & 7);
  }
}

// Several steps of a stencil on a tile with a border, as hotspot does. Blocks of 16 x 16.
KERNEL __launch_bounds__(256) stencil(const float* in, const float* heat, float* out, int width, int height,
                                      int steps) {
  __shared__ float now[16][16], next[16][16];
  const int inside = 16 - 2 * steps;
  const int x = static_cast<int>(blockIdx.x) * inside - steps + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * inside - steps + static_cast<int>(threadIdx.y);
  const bool is_inside = x >= 0 && x < width && y >= 0 && y < height;
  const int tx = threadIdx.x, ty = threadIdx.y;
  now[ty][tx] = is_inside ? in[y * width + x] : 0;
  const float source = is_inside ? heat[y * width + x] : 0;
  __syncthreads();
  bool computed = false;
  for (int step = 0; step < steps; ++step) {
    computed = tx > step && tx < 15 - step && ty > step && ty < 15 - step && is_inside;
    if (computed) {
      next[ty][tx] = now[ty][tx] + 0.1F * (now[ty - 1][tx] + now[ty + 1][tx] + now[ty][tx - 1] + now[ty][tx + 1] -
                                           4 * now[ty][tx] + source);
    }
    __syncthreads();
    if (step == steps - 1) break;
    if (computed) now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed) out[y * width + x] = next[ty][tx];
}

// A histogram with atomics in shared memory, added to the one in global memory.
KERNEL __launch_bounds__(256) histogram(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&local[data[i]], 1U);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// One level of a breadth-first search: branches depend on data.
KERNEL bfs_level(const int* first_edge, const int* edges, int* distance, int* changed, int nodes, int level) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || distance[node] != level) return;
  for (int edge = first_edge[node]; edge < first_edge[node + 1]; ++edge) {
    const int to = edges[edge];
    if (distance[to] >= 0) continue;
    distance[to] = level + 1;
    *changed = 1;
  }
}

// One diagonal of tiles of 16 x 16 of a table for two sequences, as Needleman-Wunsch. Blocks of 16.
KERNEL __launch_bounds__(16) wavefront(int* table, const int* score, int columns, int penalty, int diagonal,
                                       int first) {
  __shared__ int tile[17][17], match[16][16];
  const int bx = blockIdx.x + first, by = diagonal - bx, t = threadIdx.x;
  int* corner = table + (by * 16) * columns + bx * 16;
  for (int y = 0; y < 16; ++y) match[y][t] = score[(by * 16 + y + 1) * columns + bx * 16 + t + 1];
  if (t == 0) tile[0][0] = corner[0];
  tile[t + 1][0] = corner[(t + 1) * columns];
  tile[0][t + 1] = corner[t + 1];
  __syncthreads();
  for (int step = 0; step < 31; ++step) {
    const int y = step - t;
    if (y >= 0 && y < 16) {
      const int from_above = tile[y][t + 1] - penalty, from_left = tile[y + 1][t] - penalty;
      tile[y + 1][t + 1] = max(tile[y][t] + match[y][t], max(from_above, from_left));
    }
    __syncthreads();
  }
  for (int y = 0; y < 16; ++y) corner[(y + 1) * columns + t + 1] = tile[y + 1][t + 1];
}

// Gaussian elimination: the two kernels run by turns, for each column.
KERNEL eliminate_factors(float* factors, const float* a, int n, int column) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n - 1 - column) return;
  factors[n * (i + column + 1) + column] = a[n * (i + column + 1) + column] / a[n * column + column];
}
KERNEL eliminate_rows(const float* factors, float* a, float* right, int n, int column) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n - 1 - column || y >= n - column) return;
  const float factor = factors[n * (x + 1 + column) + column];
  a[n * (x + 1 + column) + y + column] -= factor * a[n * column + y + column];
  if (y == 0) right[x + 1 + column] -= factor * right[column];
}

// Sums up to each element of 256, one row a block at a time, by shuffles in the warps.
KERNEL __launch_bounds__(256) scan(const int* in, int* out, int rows) {
  __shared__ int sums[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    int value = in[row * 256 + threadIdx.x];
    for (int by = 1; by < 32; by *= 2) {
      const int other = __shfl_up_sync(~0U, value, by);
      if (lane >= by) value += other;
    }
    if (lane == 31) sums[warp] = value;
    __syncthreads();
    int before = 0;
    for (int i = 0; i < warp; ++i) before += sums[i];
    out[row * 256 + threadIdx.x] = value + before;
    __syncthreads();
  }
}

// Each warp adds up rows of its own by shuffles: no thread can leave alone, and there is no barrier.
KERNEL rows_by_warps(const int* in, int* out, int rows, int columns) {
  const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
    int sum = 0;
    for (int i = lane; i < columns; i += 32) sum += in[row * columns + i];
    for (int width = 16; width > 0; width >>= 1) sum += __shfl_down_sync(~0U, sum, width);
    if (lane == 0) out[row] = sum;
  }
}

// Tiles of 1,024 integers come by cp.async into two buffers by turns.
KERNEL __launch_bounds__(256) async_tiles(const int4* in, int* out, int tiles) {
  __shared__ int4 buffer[2][256];
  __pipeline_memcpy_async(&buffer[0][threadIdx.x], &in[threadIdx.x], sizeof(int4));
  __pipeline_commit();
  int sum = 0;
#pragma unroll 1
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      __pipeline_memcpy_async(&buffer[(tile + 1) & 1][threadIdx.x], &in[(tile + 1) * 256 + threadIdx.x], sizeof(int4));
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const int4 other = buffer[tile & 1][255 - threadIdx.x];
    sum = sum * 3 + (other.x ^ other.y) + (other.z ^ other.w);
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum + blockIdx.x;
}

// Warps hand over a tile by an mbarrier, and a barrier of the block ends each round.
KERNEL __launch_bounds__(256) by_mbarrier(const int* in, int* out, int rounds) {
  __shared__ alignas(8) cuda::std::uint64_t done;
  __shared__ int tile[256];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&done));
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(256) : "memory");
  __syncthreads();
  int sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    tile[threadIdx.x] = in[round * 256 + threadIdx.x];
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(at) : "memory");
    asm volatile(
        "{ .reg .pred done;\n"
        "wait: mbarrier.test_wait.parity.shared.b64 done, [%0], %1;\n"
        "@!done bra wait; }" ::"r"(at),
        "r"(round & 1)
        : "memory");
    sum = sum * 5 + tile[255 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum + blockIdx.x;
}

// Threads behind the end of the data leave before the barriers.
KERNEL early_exit(const int* in, int* out, int n, int rounds) {
  extern __shared__ int shared[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int value = in[i];
  const int last = min(static_cast<int>(blockDim.x), n - static_cast<int>(blockIdx.x * blockDim.x)) - 1;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    shared[threadIdx.x] = value;
    __syncthreads();
    value = value * 3 + shared[last - threadIdx.x];
    __syncthreads();
  }
  out[i] = value;
}

// The loads of a loop without a barrier go through indices that other threads have stored to shared memory: a thread
// that goes on after the others have left would write anywhere.
KERNEL __launch_bounds__(128) indices(const int* order, int* out, int rounds) {
  __shared__ int index[128];
  const int first = blockIdx.x * 128;
  for (int round = 0; round < rounds; ++round) {
    index[threadIdx.x] = order[(threadIdx.x + round) & 127];
    __syncthreads();
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < static_cast<int>(threadIdx.x / 32) * 4 + 1; ++i) sum = sum * 7 + index[(threadIdx.x + i) & 127];
    out[first + index[127 - threadIdx.x]] = sum;
    __syncthreads();
    index[127 - threadIdx.x] = 0x7fffffff;
    __syncthreads();
  }
}

// One thread of each warp works for the others, who wait at the barrier and then follow the indices that it has stored.
KERNEL __launch_bounds__(128) leaders(const int* order, int* out, int rounds) {
  __shared__ int index[128];
  const int first = blockIdx.x * 128;
  for (int round = 0; round < rounds; ++round) {
    index[threadIdx.x] = 0x7fffffff;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
#pragma unroll 1
      for (int i = 0; i < 32; ++i) index[threadIdx.x + i] = order[(threadIdx.x + i + round) & 127];
    }
    __syncthreads();
    out[first + index[127 - threadIdx.x]] = index[threadIdx.x] + round;
    __syncthreads();
  }
}

__device__ unsigned calls;

// No parameters at all.
KERNEL count_calls() { atomicAdd(&calls, threadIdx.x + 1); }
