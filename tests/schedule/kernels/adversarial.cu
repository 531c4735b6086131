// SPDX-License-Identifier: Apache-2.0
// Kernels that hide in CUDA C++ what they read and write, as nvcc compiles that. compiled_test.cpp has the verdicts.
// kernels/compile.sh makes adversarial.ptx of it.
#include <cooperative_groups.h>
#include <cstdio>

#include <cuda/atomic>

struct view {
  float* data;
  int size;
  const float* source;
};
struct node {
  node* next;
  int value;
};
struct table_of_pointers {
  float* rows[4];
};

__device__ int counter;
__device__ float* where;

__global__ void again_struct(view v) {
  if (threadIdx.x < v.size) v.data[threadIdx.x] = v.source[threadIdx.x];
}
__global__ void restore_struct(view v) {
  if (threadIdx.x < v.size) v.data[threadIdx.x] += v.source[threadIdx.x];
}
__global__ void restore_rows(table_of_pointers t, const int* which) {
  t.rows[which[0] & 3][threadIdx.x] = t.rows[3][threadIdx.x + 1];
}
__global__ void restore_alias(float* a, int n) {
  float* b = a + n;
  a[threadIdx.x] = b[threadIdx.x];
}
__global__ void restore_swapped(float* a, float* b, int steps) {
  for (int i = 0; i < steps; ++i) {
    b[threadIdx.x] = a[threadIdx.x + 1];
    __syncthreads();
    float* t = a;
    a = b;
    b = t;
  }
}
__global__ void restore_ternary(float* a, float* b, int n) {
  float* p = threadIdx.x < n ? a : b;
  p[threadIdx.x] = b[2 * threadIdx.x];
}
// The list begins in a parameter and goes on through memory.
__global__ void let_end_list(node* first) {
  for (node* n = first; n; n = n->next) n->value = 1;
}
__global__ void restore_list(const node* first, int* sum) {
  int all = 0;
  for (const node* n = first; n; n = n->next) all += n->value;
  *sum = all;
}
__global__ void let_end_batched(float** batch) { batch[blockIdx.x][threadIdx.x] = 1; }
__global__ void restore_batched(const float* const* batch, float* to) {
  to[threadIdx.x] = batch[blockIdx.x][threadIdx.x];
}
__global__ void let_end_global_pointer() { where[threadIdx.x] = 2; }
__global__ void restore_counter() { ++counter; }
__global__ void restore_atomic(int* bins, const int* values) { atomicAdd(&bins[values[threadIdx.x]], 1); }
// Only the first thread that comes writes.
__global__ void restore_first(float* a) {
  __shared__ int taken;
  if (threadIdx.x == 0) taken = 0;
  __syncthreads();
  if (atomicExch(&taken, 1) == 0) a[threadIdx.x] = 1;
}
__global__ void let_end_lock(int* lock, float* a) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  a[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}
__global__ void let_end_flag(volatile int* flag, float* a) {
  while (*flag == 0) {
  }
  a[threadIdx.x] = 1;
}
__global__ void let_end_atomic_ref(int* flag, float* a) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*flag);
  while (ref.load(cuda::memory_order_acquire) == 0) {
  }
  a[threadIdx.x] = 1;
}
__global__ void let_end_grid(float* a) {
  a[threadIdx.x] = 1;
  cooperative_groups::this_grid().sync();
}
__global__ void let_end_cluster(float* a) {
  __shared__ float mine;
  auto cluster = cooperative_groups::this_cluster();
  *cluster.map_shared_rank(&mine, 0) = 1;
  cluster.sync();
  a[threadIdx.x] = mine;
}
__global__ void let_end_print(const float* a) { printf("%f\n", a[threadIdx.x]); }
__global__ void let_end_heap(float* a) {
  float* p = static_cast<float*>(malloc(64));
  p[threadIdx.x] = 1;
  a[threadIdx.x] = p[0];
  free(p);
}
__global__ void let_end_assert(float* a) {
  if (a == nullptr) __trap();
  a[threadIdx.x] = 1;
}
__global__ void let_end_sleep(float* a) {
  __nanosleep(100);
  a[threadIdx.x] = 1;
}
__global__ void restore_clock(float* a, float* b) { (clock64() & 1 ? a : b)[threadIdx.x] = 1; }
__global__ void again_clock(long long* a) { a[threadIdx.x] = clock64(); }
__global__ void again_read_back(volatile float* unused, float* a, const float* b) {
  a[threadIdx.x] = b[threadIdx.x];
  __threadfence();
  float x = a[threadIdx.x];
  for (int i = 0; i < 8; ++i) a[threadIdx.x] = x = x * 2 + a[threadIdx.x];
}
__global__ void restore_read_back(float* a, const float* b, int n) {
  if (threadIdx.x < n) a[threadIdx.x] = b[threadIdx.x];
  __threadfence();
  a[threadIdx.x + 64] = a[threadIdx.x];
}
// Pointers in lanes: each lane has one of two pointers, and all take that of lane 0.
__global__ void restore_shuffled(float* a, float* b) {
  const auto mine = reinterpret_cast<unsigned long long>(threadIdx.x & 1 ? a : b);
  float* p = reinterpret_cast<float*>(__shfl_sync(~0u, mine, 0));
  p[threadIdx.x] = b[threadIdx.x + 32];
}
__global__ void restore_pointer_in_shared(float* a, const float* b) {
  __shared__ const float* source;
  if (threadIdx.x == 0) source = b[0] > 0 ? a : b;
  __syncthreads();
  a[threadIdx.x] = source[threadIdx.x + 1];
}
__global__ void restore_difference(float* a, float* b) {
  const long distance = b - a;
  a[threadIdx.x + distance] = b[threadIdx.x + 1];
}
__global__ void restore_assembly(float* a) {
  float x;
  asm volatile("{ .reg .u64 t; add.u64 t, %1, 4; ld.global.f32 %0, [t]; }" : "=f"(x) : "l"(a));
  asm volatile("st.global.f32 [%0], %1;" ::"l"(a), "f"(x));
}
__noinline__ __device__ float* chosen(float* a, float* b, int which) { return which ? a : b; }
__noinline__ __device__ void put(float* to, float x) { *to = x; }
__global__ void restore_function(float* a, float* b, int which) { put(chosen(a, b, which), b[threadIdx.x]); }
__global__ void again_function(float* a, const float* b) { put(a + threadIdx.x, b[threadIdx.x]); }
// nvcc makes a loop of it.
__noinline__ __device__ void down(float* a, int n) {
  a[n] = 1;
  if (n > 0) down(a, n - 1);
}
__global__ void again_recursion(float* a) { down(a, threadIdx.x); }
typedef void (*putter)(float*, float);
__device__ putter chosen_putter = put;
__global__ void let_end_function_pointer(float* a) { chosen_putter(a, 1); }
// A tree reduction in shared memory, its sum by block.
__global__ void again_reduce(float* sums, const float* values, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) sum += values[i];
  tile[threadIdx.x] = sum;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = tile[0];
}
// Matrix multiplication with tiles; pointers move.
__global__ void again_sgemm(float* c, const float* a, const float* b, int n) {
  __shared__ float left[16][16], right[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  a += (blockIdx.y * 16 + y) * n + x;
  b += y * n + blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16, a += 16, b += 16 * n) {
    left[y][x] = *a;
    right[y][x] = *b;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += left[y][i] * right[i][x];
    __syncthreads();
  }
  c[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x] = sum;
}
// Scattered by 32-bit indices from memory; a stride of 64 bits.
__global__ void again_scatter(float* to, const float* from, const int* index, size_t stride) {
  to[index[threadIdx.x] * stride + 1] = from[threadIdx.x * stride];
}
