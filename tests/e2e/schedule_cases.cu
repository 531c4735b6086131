// SPDX-License-Identifier: Apache-2.0
// A program that knows nothing of genesys, for schedule_gpu_test.py: kernels of many kinds, launched in many ways. It
// prints a line `RESULT name hash` for each, which must be the same with and without the stand-in, and with --bench how
// long launches take. With --batch ROUNDS it runs long kernels instead, and prints their results; with --requests N it
// is busy for a short time every few milliseconds, and prints how long that took. It links cudart statically, as nvcc
// does by default, and calls the driver through the addresses that cudart gets.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace cg = cooperative_groups;

namespace {

constexpr int n = 1 << 20, block = 256, blocks = n / block;
std::string current = "start";

[[noreturn]] void fail(const char* what, int error, int line) {
  std::printf("RESULT %s FAILED: %s, error %d, line %d\n", current.c_str(), what, error, line);
  std::exit(1);
}

#define CHECK(call)                                                                   \
  do {                                                                                \
    const auto error = (call);                                                        \
    if (static_cast<int>(error) != 0) fail(#call, static_cast<int>(error), __LINE__); \
  } while (0)

// ---- kernels

__constant__ float factors[4];
__device__ float bias = 0.5F;
__device__ int last_count;
__managed__ int managed_start = 3;

struct view {
  float* to;
  int count;
  float factor;
  const float* from;
};

__global__ void with_variables(const float* a, const float* b, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = a[i] * factors[1] + b[i] + bias;
  if (i == 0) last_count = count;
}

__global__ void reduce(const float* from, float* to, int count) {
  extern __shared__ float shared[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += from[i];
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) to[blockIdx.x] = shared[0];
}

__global__ void by_value(view all) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < all.count) all.to[i] = all.from[i] * all.factor;
}

__global__ void scale(float* to, const float* from, float factor, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) to[i] = from[i] * factor;
}

__global__ void in_place(float* all, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) all[i] = all[i] * 1.5F + 1;
}

__global__ void histogram(const float* from, unsigned* bins, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&bins[static_cast<unsigned>(from[i]) % 64], 1U);
}

__global__ void much_shared(float* to, const float* from) {
  extern __shared__ float shared[];
  for (int i = threadIdx.x; i < 16'384; i += blockDim.x) shared[i] = from[i] + 1;
  __syncthreads();
  for (int i = threadIdx.x; i < 16'384; i += blockDim.x) to[blockIdx.x * 16'384 + i] = shared[16'383 - i];
}

__global__ void nothing() {}

__device__ float slow(float x, int turns) {
  for (int i = 0; i < turns; ++i) x = x * 1.0001F + 0.25F - x * 0.0002F;
  return x;
}

// Not idempotent: what it reads and what it writes is in one allocation.
__global__ void slow_in_place(float* all, int count, int turns) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    all[i] = slow(all[i], turns);
  }
}

__global__ void slow_copy(float* to, const float* from, int count, int turns) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    to[i] = slow(from[i], turns);
  }
}

__global__ void whole_grid(float* to, const float* from, float* between, int count) {
  const auto grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < count; i += grid.size()) between[i] = from[i] * 2;
  grid.sync();
  for (int i = grid.thread_rank(); i < count; i += grid.size()) to[i] = between[count - 1 - i];
}

__global__ void __cluster_dims__(2, 1, 1) clusters(float* to, const float* from, int count) {
  __shared__ float shared[128];
  const auto cluster = cg::this_cluster();
  const int i = blockIdx.x * 128 + threadIdx.x;
  shared[threadIdx.x] = i < count ? from[i] : 0;
  cluster.sync();
  const float other = cluster.map_shared_rank(shared, cluster.block_rank() ^ 1)[threadIdx.x];
  cluster.sync();
  if (i < count) to[i] = other + 1;
}

__global__ void by_texture(float* to, cudaTextureObject_t texture, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = tex1Dfetch<float>(texture, i) + 1;
}

__global__ void by_managed(int* to) { to[threadIdx.x] = managed_start + threadIdx.x; }
__global__ void prints(int x) {
  if (threadIdx.x == 0) printf("printed on the device: %d\n", x);
}

// ---- what the cases share

struct buffers {
  float *a, *b, *to, *more;
  cudaStream_t streams[4];
};

void result(const void* bytes, std::size_t count) {
  unsigned long long hash = 1469598103934665603ULL;
  for (std::size_t i = 0; i < count; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 1099511628211ULL;
  std::printf("RESULT %s %016llx\n", current.c_str(), hash);
  std::fflush(stdout);
}

void result_of(const void* device, std::size_t count) {
  std::vector<char> bytes(count);
  CHECK(cudaMemcpy(bytes.data(), device, count, cudaMemcpyDeviceToHost));
  result(bytes.data(), count);
}

// ---- cases

void case_variables(buffers& of) {
  current = "variables";
  const float four[4] = {1, 2, 3, 4}, other_bias = 1.25F;
  CHECK(cudaMemcpyToSymbol(factors, four, sizeof four));
  CHECK(cudaMemcpyToSymbol(bias, &other_bias, sizeof other_bias));
  with_variables<<<blocks, block>>>(of.a, of.b, of.to, n);
  CHECK(cudaGetLastError());
  result_of(of.to, n * sizeof(float));
  current = "variable of the kernel";
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, last_count, sizeof count));
  result(&count, sizeof count);
}

void case_simple(buffers& of) {
  current = "shared memory";
  reduce<<<64, block, block * sizeof(float)>>>(of.a, of.to, n);
  result_of(of.to, 64 * sizeof(float));
  current = "struct by value";
  by_value<<<blocks, block>>>({of.to, n, 1.5F, of.a});
  result_of(of.to, n * sizeof(float));
  current = "in place";
  for (int i = 0; i < 5; ++i) in_place<<<blocks, block>>>(of.to, n);
  result_of(of.to, n * sizeof(float));
  current = "atomics";
  CHECK(cudaMemset(of.more, 0, 64 * sizeof(unsigned)));
  for (int i = 0; i < 3; ++i) histogram<<<blocks, block>>>(of.a, reinterpret_cast<unsigned*>(of.more), n);
  result_of(of.more, 64 * sizeof(unsigned));
  current = "much shared memory";
  constexpr int bytes = 64 * 1024;
  CHECK(cudaFuncSetAttribute(much_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  for (int i = 0; i < 2; ++i) much_shared<<<16, block, bytes>>>(of.to, of.a);
  CHECK(cudaGetLastError());
  result_of(of.to, 16 * bytes);
}

void case_streams(buffers& of) {
  current = "streams and events";
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  for (int i = 0; i < 4; ++i)
    scale<<<64, block, 0, of.streams[i]>>>(of.to + i * (n / 4), of.a + i * (n / 4), i + 1.F, n / 4);
  CHECK(cudaEventRecord(event, of.streams[0]));
  CHECK(cudaStreamWaitEvent(of.streams[1], event, 0));
  in_place<<<blocks / 4, block, 0, of.streams[1]>>>(of.to, n / 4);
  CHECK(cudaEventSynchronize(event));
  for (cudaStream_t each : of.streams) CHECK(cudaStreamSynchronize(each));
  result_of(of.to, n * sizeof(float));
  CHECK(cudaEventDestroy(event));

  current = "default stream of the thread";
  scale<<<64, block, 0, cudaStreamPerThread>>>(of.to, of.b, 3, n);
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  result_of(of.to, n * sizeof(float));

  current = "memory of a stream";
  float* own = nullptr;
  std::vector<float> back(n);
  CHECK(cudaMallocAsync(&own, n * sizeof(float), of.streams[0]));
  scale<<<64, block, 0, of.streams[0]>>>(own, of.a, 3, n);
  in_place<<<blocks, block, 0, of.streams[0]>>>(own, n);
  CHECK(cudaMemcpyAsync(back.data(), own, n * sizeof(float), cudaMemcpyDeviceToHost, of.streams[0]));
  CHECK(cudaFreeAsync(own, of.streams[0]));
  CHECK(cudaStreamSynchronize(of.streams[0]));
  result(back.data(), n * sizeof(float));

  current = "launch with attributes";
  cudaLaunchConfig_t how = {};
  how.gridDim = 64, how.blockDim = block, how.stream = of.streams[1];
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributePriority;
  attribute.val.priority = -1;
  how.attrs = &attribute, how.numAttrs = 1;
  for (int i = 0; i < 2; ++i) CHECK(cudaLaunchKernelEx(&how, scale, of.to, static_cast<const float*>(of.a), 5.F, n));
  CHECK(cudaStreamSynchronize(of.streams[1]));
  result_of(of.to, n * sizeof(float));
}

void case_special(buffers& of) {
  current = "clusters";
  clusters<<<64, 128>>>(of.to, of.a, 64 * 128);
  CHECK(cudaGetLastError());
  result_of(of.to, 64 * 128 * sizeof(float));

  current = "texture";
  cudaResourceDesc from = {};
  from.resType = cudaResourceTypeLinear;
  from.res.linear.devPtr = of.a;
  from.res.linear.desc = cudaCreateChannelDesc<float>();
  from.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &from, &how, nullptr));
  for (int i = 0; i < 2; ++i) by_texture<<<blocks, block>>>(of.to, texture, n);
  CHECK(cudaDestroyTextureObject(texture));
  result_of(of.to, n * sizeof(float));

  current = "managed variable";
  by_managed<<<1, 32>>>(reinterpret_cast<int*>(of.to));
  result_of(of.to, 32 * sizeof(int));

  current = "managed memory";
  float* managed = nullptr;
  CHECK(cudaMallocManaged(&managed, n * sizeof(float)));
  for (int i = 0; i < 2; ++i) scale<<<64, block>>>(managed, of.b, 7, n);
  CHECK(cudaDeviceSynchronize());
  result(managed, n * sizeof(float));
  CHECK(cudaFree(managed));

  current = "whole grid";
  int count = n;
  void* parameters[] = {&of.to, &of.a, &of.more, &count};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(whole_grid), 132, block, parameters, 0, nullptr));
  result_of(of.to, n * sizeof(float));

  current = "printf";
  prints<<<1, 32>>>(42);
  CHECK(cudaDeviceSynchronize());
  result("printed", 7);
}

void case_graph(buffers& of) {
  current = "graph";
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  const cudaStream_t stream = of.streams[2];
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 5; ++i) scale<<<64, block, 0, stream>>>(of.to, of.a, i + 1.F, n);
  reduce<<<64, block, block * sizeof(float), stream>>>(of.to, of.more, n);
  CHECK(cudaStreamEndCapture(stream, &graph));
  float factor = 2;
  int count = 64;
  float* to = of.more + 128;
  void* parameters[] = {&to, &of.a, &factor, &count};
  cudaKernelNodeParams node_of = {};
  node_of.func = reinterpret_cast<void*>(scale);
  node_of.gridDim = 1, node_of.blockDim = 64, node_of.kernelParams = parameters;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &node_of));
  CHECK(cudaGraphInstantiate(&ready, graph, 0));
  CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  factor = 9;
  CHECK(cudaGraphExecKernelNodeSetParams(ready, node, &node_of));
  CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::vector<float> back(192);
  CHECK(cudaMemcpy(back.data(), of.more, back.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 64; i < 128; ++i) back[i] = 0;
  result(back.data(), back.size() * sizeof(float));
  CHECK(cudaGraphExecDestroy(ready));
  CHECK(cudaGraphDestroy(graph));
}

// ---- the driver's own interface

constexpr char driver_ptx[] = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry triple(.param .u64 to, .param .u64 from, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .f32 %f<3>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [to];
  ld.param.u64 %rd2, [from];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra $L_end;
  cvta.to.global.u64 %rd3, %rd2;
  mul.wide.s32 %rd4, %r5, 4;
  add.s64 %rd5, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5];
  mul.f32 %f2, %f1, 0f40400000;
  cvta.to.global.u64 %rd6, %rd1;
  add.s64 %rd7, %rd6, %rd4;
  st.global.f32 [%rd7], %f2;
$L_end:
  ret;
}
)";

template <class function>
function* driver(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status;
  CHECK(cudaGetDriverEntryPointByVersion(name, &found, CUDART_VERSION, cudaEnableDefault, &status));
  if (found == nullptr) fail(name, 1, __LINE__);
  return reinterpret_cast<function*>(found);
}

#define DRIVER(name) driver<decltype(name)>(#name)

void case_driver(buffers& of) {
  current = "driver: parameters";
  CUmodule module;
  CUfunction triple;
  CHECK(DRIVER(cuModuleLoadData)(&module, driver_ptx));
  CHECK(DRIVER(cuModuleGetFunction)(&triple, module, "triple"));
  struct {
    float* to;
    const float* from;
    int count;
  } given = {of.to, of.a, n};
  void* parameters[] = {&given.to, &given.from, &given.count};
  for (int i = 0; i < 2; ++i) {
    CHECK(DRIVER(cuLaunchKernel)(triple, blocks, 1, 1, block, 1, 1, 0, nullptr, parameters, nullptr));
  }
  result_of(of.to, n * sizeof(float));

  current = "driver: buffer of arguments";
  given.from = of.b;
  std::size_t bytes = 2 * sizeof(void*) + sizeof(int);
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &given, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  for (int i = 0; i < 2; ++i) {
    CHECK(DRIVER(cuLaunchKernel)(triple, blocks, 1, 1, block, 1, 1, 0, of.streams[0], nullptr, extra));
  }
  CHECK(cudaStreamSynchronize(of.streams[0]));
  result_of(of.to, n * sizeof(float));

  current = "driver: configuration";
  given.from = of.a;
  CUlaunchConfig how = {};
  how.gridDimX = blocks, how.gridDimY = how.gridDimZ = 1;
  how.blockDimX = block, how.blockDimY = how.blockDimZ = 1;
  how.hStream = of.streams[3];
  for (int i = 0; i < 2; ++i) CHECK(DRIVER(cuLaunchKernelEx)(&how, triple, parameters, nullptr));
  CHECK(cudaStreamSynchronize(of.streams[3]));
  result_of(of.to, n * sizeof(float));
  CHECK(DRIVER(cuModuleUnload)(module));

  current = "driver: library";
  CUlibrary library;
  CUkernel kernel;
  CHECK(DRIVER(cuLibraryLoadData)(&library, driver_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK(DRIVER(cuLibraryGetKernel)(&kernel, library, "triple"));
  for (int i = 0; i < 2; ++i) {
    CHECK(DRIVER(cuLaunchKernel)(reinterpret_cast<CUfunction>(kernel), blocks, 1, 1, block, 1, 1, 0, nullptr,
                                 parameters, nullptr));
  }
  result_of(of.to, n * sizeof(float));
  CHECK(DRIVER(cuLibraryUnload)(library));
}

double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Medians of rounds; the first ones warm up.
void bench(buffers& of) {
  constexpr int rounds = 21, launches = 5'000;
  std::vector<double> empty, scaled;
  for (int i = 0; i < rounds; ++i) {
    double begin = now_us();
    for (int k = 0; k < launches; ++k) nothing<<<1, 32>>>();
    CHECK(cudaDeviceSynchronize());
    empty.push_back((now_us() - begin) / launches);
    begin = now_us();
    for (int k = 0; k < launches; ++k) scale<<<1, 32>>>(of.to, of.a, 1, 32);
    CHECK(cudaDeviceSynchronize());
    scaled.push_back((now_us() - begin) / launches);
  }
  for (auto* each : {&empty, &scaled}) {
    std::sort(each->begin(), each->end());
    std::printf("TIME %s %.4f\n", each == &empty ? "empty" : "arguments", (*each)[rounds / 2]);
  }
}

// A batch job: kernels of milliseconds in several streams, copies, and each way to wait.
void batch(buffers& of, int rounds) {
  constexpr int turns = 30'000;
  const cudaStream_t one = of.streams[0], other = of.streams[1];
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  float* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, n * sizeof(float)));
  for (int i = 0; i < rounds; ++i) {
    current = "round " + std::to_string(i);
    if (i == 0) CHECK(cudaMemcpyAsync(of.to, of.a, n * sizeof(float), cudaMemcpyDeviceToDevice, one));
    slow_in_place<<<blocks, block, 0, one>>>(of.to, n, turns);
    slow_copy<<<blocks, block, 0, one>>>(of.more, of.to, n, turns);
    CHECK(cudaEventRecord(event, one));
    CHECK(cudaStreamWaitEvent(other, event, 0));
    in_place<<<blocks, block, 0, other>>>(of.more, n);
    CHECK(cudaMemcpyAsync(pinned, of.more, n * sizeof(float), cudaMemcpyDeviceToHost, other));
    if (i % 4 == 0) {
      CHECK(cudaDeviceSynchronize());
    } else if (i % 4 == 1) {
      CHECK(cudaEventRecord(event, other));
      while (cudaEventQuery(event) == cudaErrorNotReady) {
      }
    } else if (i % 4 == 2) {
      while (cudaStreamQuery(other) == cudaErrorNotReady) {
      }
    } else {
      CHECK(cudaStreamSynchronize(other));
    }
    result(pinned, n * sizeof(float));
  }
  current = "batch";
  result_of(of.to, n * sizeof(float));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaEventDestroy(event));
}

// Requests: a kernel that fills the GPU for a short time, after a pause.
void requests(buffers& of, int count) {
  std::vector<double> took;
  timespec pause = {0, 4'000'000};
  for (int i = 0; i < count; ++i) {
    nanosleep(&pause, nullptr);
    const double begin = now_us();
    slow_copy<<<132, 1024, 0, of.streams[0]>>>(of.more, of.b, n, 200);
    CHECK(cudaStreamSynchronize(of.streams[0]));
    took.push_back(now_us() - begin);
  }
  std::sort(took.begin(), took.end());
  std::printf("TIME request %.1f median, %.1f p99\n", took[took.size() / 2], took[took.size() * 99 / 100]);
  current = "requests";
  result_of(of.more, n * sizeof(float));
}

}  // namespace

int main(int count, char** words) {
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) a[i] = (i * 37 % 1000) * 0.25F, b[i] = (i % 77) * 0.5F;
  buffers all;
  for (float** each : {&all.a, &all.b, &all.to, &all.more}) CHECK(cudaMalloc(each, n * sizeof(float)));
  for (cudaStream_t& each : all.streams) CHECK(cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking));
  CHECK(cudaMemcpy(all.a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(all.b, b.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  const std::string asked = count > 1 ? words[1] : "";
  if (asked == "--batch" || asked == "--requests") {
    const int number = count > 2 ? std::atoi(words[2]) : 1;
    asked == "--batch" ? batch(all, number) : requests(all, number);
  } else {
    case_variables(all);
    case_simple(all);
    case_streams(all);
    case_special(all);
    case_graph(all);
    case_driver(all);
    if (asked == "--bench") bench(all);
  }
  for (cudaStream_t each : all.streams) CHECK(cudaStreamDestroy(each));
  for (float* each : {all.a, all.b, all.to, all.more}) CHECK(cudaFree(each));
  std::puts("END");
  return 0;
}
