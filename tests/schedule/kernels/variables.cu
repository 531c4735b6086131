// SPDX-License-Identifier: Apache-2.0
// Kernels with variables of their module: what a second module of the same text must reach in the first one. The
// interpreter runs them, and the suite scheduler on a GPU.

__device__ unsigned variable_calls;                // updated in place: atomics
__device__ unsigned variable_words[256];           // updated in place, by symbol and through its address
static __device__ unsigned variable_own[4] = {3, 5, 7, 11};
__constant__ unsigned variable_factors[8];         // at addresses that are known, and computed
__constant__ unsigned variable_limit;
__device__ uint4 variable_wide;

extern "C" __global__ void variable_count(unsigned* out, unsigned turns) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = out[i];
  for (unsigned turn = 0; turn < turns; ++turn) sum = sum * 3 + variable_factors[turn % 8] + variable_own[turn % 4];
  out[i] = sum;
  atomicAdd(&variable_calls, 1u);
}

extern "C" __global__ void variable_in_place(unsigned turns) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= variable_limit) return;
  for (unsigned turn = 0; turn < turns; ++turn) {
    variable_words[i] = variable_words[i] * 5 + variable_factors[2] + variable_factors[3] + turn;
    __syncthreads();
  }
}

// Reads variables and writes none: idempotent.
extern "C" __global__ void variable_read(unsigned* out, unsigned turns) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = variable_words[255 - i % 256];
  for (unsigned turn = 0; turn < turns; ++turn) sum = sum * 7 + variable_factors[(i + turn) % 8];
  out[i] = sum + variable_wide.z;
}

extern "C" __global__ void variable_wide_write(unsigned turns) {
  if (threadIdx.x != 0 || blockIdx.x != 0) return;
  uint4 all = variable_wide;
  for (unsigned turn = 0; turn < turns; ++turn) {
    all.x += variable_factors[0], all.y ^= all.x, all.z += all.y, all.w ^= turn;
  }
  variable_wide = all;
}

__device__ __noinline__ unsigned variable_step(unsigned at) { return variable_words[at] + variable_factors[at % 8]; }

extern "C" __global__ void variable_call(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = variable_step(i % 256);
}
