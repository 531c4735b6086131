// SPDX-License-Identifier: Apache-2.0
// What fatbin_test.cpp reads in fatbins of each compression.
__global__ void scale(float* to, const float* from, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] * factor;
}
