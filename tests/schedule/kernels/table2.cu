// SPDX-License-Identifier: Apache-2.0
// Kernels with the access patterns of the 22 kernels of the paper's Table 2: which array each reads, writes or updates
// in place, and in which order. They are our own: nothing is copied from Rodinia. compiled_test.cpp has the verdicts.
// kernels/compile.sh makes table2.ptx of it.

struct place {
  float latitude, longitude;
};
struct edges {
  int first, count;
};
struct float3_of_flow {
  float x, y, z;
};

// k-Nearest Neighbors: distances from places.
__global__ void nn(const place* places, float* distances, int count, float latitude, float longitude) {
  const int i = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  if (i >= count) return;
  const float x = latitude - places[i].latitude, y = longitude - places[i].longitude;
  distances[i] = sqrtf(x * x + y * y);
}

// Back Propagation: a layer's products in shared memory; the weights are overwritten.
__global__ void bp_forward(const float* input, float* weights, float* sums, int hidden) {
  __shared__ float node[16], product[16][16];
  const int x = threadIdx.x, y = threadIdx.y, at = (hidden + 1) * (16 * blockIdx.y + y + 1) + x + 1;
  if (x == 0) node[y] = input[16 * blockIdx.y + y + 1];
  __syncthreads();
  product[y][x] = weights[at];
  __syncthreads();
  product[y][x] *= node[y];
  __syncthreads();
  for (int step = 1; step < 16; step *= 2) {
    if (y % (2 * step) == 0) product[y][x] += product[y + step][x];
    __syncthreads();
  }
  weights[at] = product[y][x];
  if (x == 0) sums[blockIdx.y * hidden + y] = product[x][y];
}

// Weights and their last changes are updated in place.
__global__ void bp_adjust(const float* delta, int hidden, const float* layer, float* weights, float* changes) {
  const int x = threadIdx.x, y = threadIdx.y, at = (hidden + 1) * (16 * blockIdx.y + y + 1) + x + 1;
  const float change = 0.3f * delta[x + 1] * layer[16 * blockIdx.y + y + 1] + 0.3f * changes[at];
  weights[at] += change;
  changes[at] = change;
}

// PathFinder: rows of the wall and the row before, into the next row.
__global__ void pf(int rows, const int* wall, const int* before, int* after, int columns, int start, int border) {
  __shared__ int last[256], next[256];
  const int x = threadIdx.x, column = (256 - 2 * border) * blockIdx.x - border + x;
  const bool is_inside = column >= 0 && column < columns;
  if (is_inside) last[x] = before[column];
  __syncthreads();
  bool is_done = false;
  for (int i = 0; i < rows; ++i) {
    is_done = x > i && x < 255 - i && is_inside;
    if (is_done) {
      const int left = last[x - 1], right = last[x + 1], least = left < right ? left : right;
      next[x] = (least < last[x] ? least : last[x]) + wall[columns * (start + i) + column];
    }
    __syncthreads();
    if (i + 1 == rows) break;
    if (is_done) last[x] = next[x];
    __syncthreads();
  }
  if (is_done) after[column] = next[x];
}

// Breadth-First Search: the frontier is cleared while it is read, costs are read and written.
__global__ void bfs_1(const edges* nodes, const int* targets, bool* frontier, bool* updating, bool* visited, int* costs,
                      int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count || !frontier[i]) return;
  frontier[i] = false;
  for (int e = nodes[i].first; e < nodes[i].first + nodes[i].count; ++e) {
    const int to = targets[e];
    if (!visited[to]) {
      costs[to] = costs[i] + 1;
      updating[to] = true;
    }
  }
}

__global__ void bfs_2(bool* frontier, bool* updating, bool* visited, bool* goes_on, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count || !updating[i]) return;
  frontier[i] = true;
  visited[i] = true;
  *goes_on = true;
  updating[i] = false;
}

// Kmeans: the nearest centre of each point.
__global__ void km_nearest(const float* points, const float* centres, int* membership, int count, int clusters,
                           int features) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= count) return;
  float least = 3.4e38f;
  int index = 0;
  for (int i = 0; i < clusters; ++i) {
    float distance = 0;
    for (int f = 0; f < features; ++f) {
      const float d = points[f * count + point] - centres[i * features + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      index = i;
    }
  }
  membership[point] = index;
}

// Rows to columns.
__global__ void km_swap(const float* rows, float* columns, int count, int features) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int f = 0; i < count && f < features; ++f) columns[f * count + i] = rows[i * features + f];
}

// Hotspot3D: power and old temperatures, into new temperatures.
__global__ void hotspot3d(const float* power, const float* old, float* now, float factor, int nx, int ny, int nz) {
  const int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y, plane = nx * ny;
  const int west = x == 0 ? 0 : -1, east = x == nx - 1 ? 0 : 1;
  int at = x + y * nx;
  float below = old[at], here = below, above = old[at + plane];
  for (int z = 0; z < nz - 1; ++z) {
    now[at] = factor * power[at] + here + old[at + west] + old[at + east] + below + above;
    at += plane;
    below = here;
    here = above;
    above = old[z < nz - 2 ? at + plane : at];
  }
  now[at] = here + below;
}

// LU Decomposition: three kernels that update one matrix in place.
__global__ void lud_diagonal(float* m, int size, int offset) {
  __shared__ float tile[16][16];
  const int x = threadIdx.x;
  for (int i = 0; i < 16; ++i) tile[i][x] = m[(offset + i) * size + offset + x];
  __syncthreads();
  for (int i = 0; i < 15; ++i) {
    if (x > i) {
      for (int j = 0; j < i; ++j) tile[x][i] -= tile[x][j] * tile[j][i];
      tile[x][i] /= tile[i][i];
    }
    __syncthreads();
  }
  for (int i = 1; i < 16; ++i) m[(offset + i) * size + offset + x] = tile[i][x];
}

__global__ void lud_perimeter(float* m, int size, int offset) {
  __shared__ float diagonal[16][16], row[16][16];
  const int x = threadIdx.x, right = offset + (blockIdx.x + 1) * 16;
  for (int i = 0; i < 16; ++i) {
    diagonal[i][x] = m[(offset + i) * size + offset + x];
    row[i][x] = m[(offset + i) * size + right + x];
  }
  __syncthreads();
  for (int i = 1; i < 16; ++i) {
    for (int j = 0; j < i; ++j) row[i][x] -= diagonal[i][j] * row[j][x];
  }
  __syncthreads();
  for (int i = 1; i < 16; ++i) m[(offset + i) * size + right + x] = row[i][x];
}

__global__ void lud_internal(float* m, int size, int offset) {
  __shared__ float row[16][16], column[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int down = offset + (blockIdx.y + 1) * 16, right = offset + (blockIdx.x + 1) * 16;
  row[y][x] = m[(offset + y) * size + right + x];
  column[y][x] = m[(down + y) * size + offset + x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += column[y][i] * row[i][x];
  m[(down + y) * size + right + x] -= sum;
}

// Needleman-Wunsch: a diagonal of tiles of a matrix, from the borders of the tiles before. `step`: 1 or -1.
__device__ __forceinline__ void nw(const int* reference, int* m, int columns, int penalty, int corner) {
  __shared__ int tile[17][17], similar[16][16];
  const int x = threadIdx.x;
  if (x == 0) tile[0][0] = m[corner];
  for (int y = 0; y < 16; ++y) similar[y][x] = reference[corner + columns * (y + 1) + x + 1];
  tile[x + 1][0] = m[corner + columns * (x + 1)];
  tile[0][x + 1] = m[corner + x + 1];
  __syncthreads();
  for (int i = 0; i < 31; ++i) {
    const int at_x = x + 1, at_y = i - x + 1;
    if (at_y >= 1 && at_y <= 16) {
      const int a = tile[at_y - 1][at_x - 1] + similar[at_y - 1][at_x - 1], b = tile[at_y][at_x - 1] - penalty;
      const int c = tile[at_y - 1][at_x] - penalty;
      tile[at_y][at_x] = a > b ? (a > c ? a : c) : (b > c ? b : c);
    }
    __syncthreads();
  }
  for (int y = 0; y < 16; ++y) m[corner + columns * (y + 1) + x + 1] = tile[y + 1][x + 1];
}
__global__ void nw_1(const int* reference, int* m, int columns, int penalty, int i) {
  nw(reference, m, columns, penalty, columns * 16 * (i - 1 - blockIdx.x) + 16 * blockIdx.x);
}
__global__ void nw_2(const int* reference, int* m, int columns, int penalty, int i, int width) {
  nw(reference, m, columns, penalty, columns * 16 * (width - 1 - blockIdx.x) + 16 * (blockIdx.x + width - i));
}

// Gaussian Elimination: multipliers from the matrix; then the matrix and the right side, in place.
__global__ void fan_1(float* multipliers, const float* a, int size, int t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size - 1 - t) multipliers[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
}
__global__ void fan_2(const float* multipliers, float* a, float* b, int size, int t) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size - 1 - t || y >= size - t) return;
  a[size * (x + 1 + t) + y + t] -= multipliers[size * (x + 1 + t) + t] * a[size * t + y + t];
  if (y == 0) b[x + 1 + t] -= multipliers[size * (x + 1 + t) + t] * b[t];
}

// Myocyte: states and parameters in, derivatives and partial results out; each thread one instance. The partial
// results are written before they are read.
__device__ void derivatives(float t, const float* state, float* rates, const float* parameters, int i) {
  const float v = state[i * 91 + 38], sodium = parameters[i * 18 + 3];
  rates[i * 91] = (1 / (1 + expf(-v / 7)) - state[i * 91]) / (0.1f + t);
  rates[i * 91 + 1] = sodium * v - state[i * 91 + 1];
}
__device__ void partial_results(const float* state, float* com, int i) {
  com[i * 3] = state[i * 91 + 2];
  com[i * 3 + 1] = com[i * 3] * 2;
}
__global__ void myocyte(float t, const float* state, float* rates, const float* parameters, float* com, int instances) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= instances) return;
  derivatives(t, state, rates, parameters, i);
  partial_results(state, com, i);
}

// CFD Solver: five kernels of one step; old variables and fluxes, into new variables.
__global__ void cfd_memset(float* to, float value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = value;
}
__constant__ float far_away[5];
__global__ void cfd_initialize(int count, float* variables) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 5; ++j) variables[i + j * count] = far_away[j];
}
__device__ float pressure(float density, const float3_of_flow& momentum, float energy) {
  const float square = momentum.x * momentum.x + momentum.y * momentum.y + momentum.z * momentum.z;
  return 0.4f * (energy - 0.5f * square / density);
}
__global__ void cfd_step_factor(int count, const float* variables, const float* surfaces, float* factors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float3_of_flow momentum = {variables[i + count], variables[i + 2 * count], variables[i + 3 * count]};
  const float p = pressure(variables[i], momentum, variables[i + 4 * count]);
  factors[i] = 0.5f / (sqrtf(surfaces[i]) * sqrtf(1.4f * p / variables[i]));
}
__global__ void cfd_flux(int count, const int* neighbours, const float* normals, const float* variables,
                         float* fluxes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float flux = 0;
  for (int j = 0; j < 4; ++j) {
    const int to = neighbours[i + j * count];
    if (to >= 0) flux += normals[i + j * count] * (variables[to] + variables[to + count] - variables[i]);
    if (to == -2) flux += normals[i + j * count] * far_away[j];
  }
  fluxes[i] = flux;
}
__global__ void cfd_time_step(int j, int count, const float* old, float* variables, const float* factors,
                              const float* fluxes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float factor = factors[i] / (4 - j);
  for (int k = 0; k < 5; ++k) variables[i + k * count] = old[i + k * count] + factor * fluxes[i + k * count];
}
