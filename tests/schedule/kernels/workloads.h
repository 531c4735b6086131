// SPDX-License-Identifier: Apache-2.0
// The kernels of workloads.cu with memory and arguments, as the scheduler launches them on a GPU. The test of random
// aborts and bench/schedule use it; nvcc compiles them. Whoever constructs a workload owns it, on one thread.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "genesys/scheduler.h"

extern "C" const char genesys_workloads_ptx[];  // workloads_ptx.cpp

namespace workloads {

using launch = std::function<genesys::launched(const genesys::task&, genesys::rerun)>;
using plain_launch = std::function<void(cudaStream_t)>;

inline void check(cudaError_t returned) {
  if (returned != cudaSuccess) throw std::runtime_error(cudaGetErrorString(returned));
}

// The original kernel, which the driver library compiles at the first call: for launches without the scheduler.
inline const void* plain_kernel(const char* name) {
  static const cudaLibrary_t library = [] {
    cudaLibrary_t made = nullptr;
    check(cudaLibraryLoadData(&made, genesys_workloads_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    return made;
  }();
  cudaKernel_t kernel = nullptr;
  check(cudaLibraryGetKernel(&kernel, library, name));
  return kernel;
}

class workload {
 public:
  workload(genesys::scheduler& on, const genesys::kernel_module& code, std::string name)
      : name(std::move(name)), on_(on), code_(code) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~workload() {
    for (const buffer& each : buffers_) {
      on_.free(each.at);
      (void)cudaFree(each.initial);
    }
    (void)cudaStreamDestroy(stream_);
  }
  workload(const workload&) = delete;
  workload& operator=(const workload&) = delete;

  const std::string name;
  std::vector<launch> launches;
  std::vector<plain_launch> plain;  // the same, without the scheduler

  // Device memory with this content. `is_written`: a kernel changes it.
  template <class T>
  T* memory(const std::vector<T>& content, bool is_written) {
    buffer made{on_.allocate(content.size() * sizeof(T)), nullptr, content.size() * sizeof(T)};
    check(cudaMemcpy(made.at, content.data(), made.bytes, cudaMemcpyHostToDevice));
    if (is_written) {
      check(cudaMalloc(&made.initial, made.bytes));
      check(cudaMemcpy(made.initial, made.at, made.bytes, cudaMemcpyDeviceToDevice));
    }
    buffers_.push_back(made);
    return static_cast<T*>(made.at);
  }

  // One more launch of the sequence. With rerun::after_restoring, an abort restores all memory that its arguments point
  // to, as without a verdict.
  template <class... Args>
  void add(const char* kernel, genesys::dim blocks, genesys::dim threads, std::size_t shared_bytes, Args... args) {
    launches.push_back([=, this](const genesys::task& as, genesys::rerun again) {
      genesys::task_launch how{.blocks = blocks, .threads = threads, .shared_bytes = shared_bytes, .again = again};
      if (again == genesys::rerun::after_restoring) (add_range(how.writes, args), ...);
      return as.launch(how, code_, kernel, args...);
    });
    plain.push_back([=](cudaStream_t in) {
      const void* values[] = {static_cast<const void*>(&args)...};
      check(cudaLaunchKernel(plain_kernel(kernel), {blocks.x, blocks.y, blocks.z}, {threads.x, threads.y, threads.z},
                             const_cast<void**>(values), shared_bytes, in));
    });
  }

  // The memory as it was at first.
  void reset() {
    for (const buffer& each : buffers_) {
      if (each.initial == nullptr) continue;
      check(cudaMemcpyAsync(each.at, each.initial, each.bytes, cudaMemcpyDeviceToDevice, stream_));
    }
    check(cudaStreamSynchronize(stream_));
  }
  void run(const genesys::task& as, genesys::rerun again) const {
    for (const launch& each : launches) each(as, again);
    as.wait();
  }
  // The content of all that kernels change.
  std::vector<unsigned char> content() {
    std::vector<unsigned char> all;
    for (const buffer& each : buffers_) {
      if (each.initial == nullptr) continue;
      const std::size_t at = all.size();
      all.resize(at + each.bytes);
      check(cudaMemcpyAsync(all.data() + at, each.at, each.bytes, cudaMemcpyDeviceToHost, stream_));
    }
    check(cudaStreamSynchronize(stream_));
    return all;
  }

 private:
  struct buffer {
    void* at;
    void* initial;  // null: no kernel changes it
    std::size_t bytes;
  };
  template <class T>
  void add_range(std::vector<genesys::memory_range>& to, const T& argument) const {
    if constexpr (std::is_pointer_v<T>) {
      for (const buffer& each : buffers_) {
        const auto is_same = [&](const genesys::memory_range& other) { return other.begin == each.at; };
        if (each.at == argument && std::none_of(to.begin(), to.end(), is_same)) to.push_back({each.at, each.bytes});
      }
    }
  }

  genesys::scheduler& on_;
  const genesys::kernel_module code_;
  cudaStream_t stream_ = nullptr;
  std::vector<buffer> buffers_;
};

inline std::vector<float> floats(std::size_t count, float low, float high) {
  std::vector<float> made(count);
  unsigned random = 1;
  for (float& each : made) {
    random = random * 1664525u + 1013904223u;
    each = low + (high - low) * static_cast<float>(random >> 8) / 16777216.0f;
  }
  return made;
}
inline std::vector<int> numbers(std::size_t count, int below) {
  std::vector<int> made(count);
  unsigned random = 7;
  for (int& each : made) {
    random = random * 1664525u + 1013904223u;
    each = static_cast<int>((random >> 8) % static_cast<unsigned>(below));
  }
  return made;
}

constexpr unsigned resident_blocks = 132 * 8;  // of 256 threads, on an H100 or H200

inline const std::vector<std::string>& names() {
  static const std::vector<std::string> all{"add_in_place", "copy",    "reduce",    "sgemm",       "tight_loop",
                                            "long_atomics", "stencil", "histogram", "bfs",         "wavefront",
                                            "eliminate",    "scan",    "rows",      "async_tiles", "mbarrier",
                                            "early_exit",   "indices", "leaders"};
  return all;
}

// `size`: 1 for benches, whose kernels take some 100 us to 3 ms; more for smaller memory, so that results are compared
// quickly.
inline std::unique_ptr<workload> make(genesys::scheduler& on, const genesys::kernel_module& code,
                                      const std::string& name, unsigned size = 1) {
  auto w = std::make_unique<workload>(on, code, name);
  const genesys::dim full{resident_blocks}, block{256};
  if (name == "add_in_place") {
    const int n = (64 << 20) / static_cast<int>(size);
    auto* a = w->memory(floats(n, 0, 1), true);
    auto* b = w->memory(floats(n, 0, 1), false);
    for (int i = 0; i < 2; ++i) w->add("add_in_place", full, block, 0, a, static_cast<const float*>(b), n);
  } else if (name == "copy") {
    const long n = (16 << 20) / size;
    auto* from = w->memory(floats(static_cast<std::size_t>(n) * 4, 0, 1), false);
    auto* to = w->memory(std::vector<float>(static_cast<std::size_t>(n) * 4), true);
    w->add("copy", full, block, 0, static_cast<const float*>(from), to, n);
  } else if (name == "reduce") {
    const int n = (256 << 20) / static_cast<int>(size);
    auto* in = w->memory(numbers(n, 100), false);
    auto* out = w->memory(std::vector<int>(resident_blocks), true);
    w->add("reduce", full, block, 0, static_cast<const int*>(in), out, n);
  } else if (name == "sgemm") {
    const int n = size == 1 ? 4096 : 1024;
    const std::size_t all = static_cast<std::size_t>(n) * n;
    auto* a = w->memory(floats(all, 0, 1), false);
    auto* b = w->memory(floats(all, 0, 1), false);
    auto* c = w->memory(std::vector<float>(all), true);
    const unsigned tiles = static_cast<unsigned>(n) / 128;
    w->add("sgemm", {tiles, tiles}, block, 0, static_cast<const float*>(a), static_cast<const float*>(b), c, n, n);
  } else if (name == "tight_loop") {
    auto* out = w->memory(std::vector<float>(resident_blocks * 256), true);
    w->add("tight_loop", full, block, 0, out, 20'000, 0.99f);
  } else if (name == "long_atomics") {
    auto* counters = w->memory(std::vector<unsigned>(1 << 20), true);
    w->add("long_atomics", full, block, 0, counters, (1 << 20) - 1, 100);
  } else if (name == "stencil") {
    const int n = size == 1 ? 4096 : 1024;
    const std::size_t all = static_cast<std::size_t>(n) * n;
    auto* one = w->memory(floats(all, 320, 340), true);
    auto* two = w->memory(std::vector<float>(all), true);
    auto* heat = w->memory(floats(all, 0, 0.01f), false);
    const unsigned tiles = (static_cast<unsigned>(n) + 7) / 8;
    for (int i = 0; i < 4; ++i) {
      w->add("stencil", {tiles, tiles}, {16, 16}, 0, static_cast<const float*>(i % 2 ? two : one),
             static_cast<const float*>(heat), i % 2 ? one : two, n, n, 4);
    }
  } else if (name == "histogram") {
    const int n = (256 << 20) / static_cast<int>(size);
    std::vector<unsigned char> bytes(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
    auto* data = w->memory(bytes, false);
    auto* bins = w->memory(std::vector<unsigned>(256), true);
    w->add("histogram", full, block, 0, static_cast<const unsigned char*>(data), bins, n);
  } else if (name == "bfs") {
    const int n = (4 << 20) / static_cast<int>(size), degree = 8;
    std::vector<int> first(static_cast<std::size_t>(n) + 1);
    for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<int>(i) * degree;
    std::vector<int> distances(static_cast<std::size_t>(n), -1);
    distances[0] = 0;
    auto* edge = w->memory(first, false);
    auto* edges = w->memory(numbers(static_cast<std::size_t>(n) * degree, n), false);
    auto* distance = w->memory(distances, true);
    auto* changed = w->memory(std::vector<int>(1), true);
    for (int level = 0; level < 9; ++level) {
      w->add("bfs_level", {(static_cast<unsigned>(n) + 255) / 256}, block, 0, static_cast<const int*>(edge),
             static_cast<const int*>(edges), distance, changed, n, level);
    }
  } else if (name == "wavefront") {
    const int tiles = size == 1 ? 256 : 32, columns = tiles * 16 + 1;
    const std::size_t all = static_cast<std::size_t>(columns) * columns;
    std::vector<int> border(all);
    for (int i = 0; i < columns; ++i)
      border[static_cast<std::size_t>(i)] = border[static_cast<std::size_t>(i) * columns] = -10 * i;
    auto* table = w->memory(border, true);
    auto* score = w->memory(numbers(all, 16), false);
    for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
      const int first = std::max(0, diagonal - tiles + 1), last = std::min(diagonal, tiles - 1);
      w->add("wavefront", {static_cast<unsigned>(last - first + 1)}, {16}, 0, table, static_cast<const int*>(score),
             columns, 10, diagonal, first);
    }
  } else if (name == "eliminate") {
    const int n = size == 1 ? 2048 : 512, columns = size == 1 ? 48 : 16;
    std::vector<float> matrix = floats(static_cast<std::size_t>(n) * n, 0, 1);
    for (int i = 0; i < n; ++i) matrix[static_cast<std::size_t>(i) * n + i] += static_cast<float>(n);
    auto* factors = w->memory(std::vector<float>(static_cast<std::size_t>(n) * n), true);
    auto* a = w->memory(matrix, true);
    auto* right = w->memory(floats(static_cast<std::size_t>(n), 0, 1), true);
    const unsigned rows = (static_cast<unsigned>(n) + 255) / 256, tiles = static_cast<unsigned>(n) / 16;
    for (int column = 0; column < columns; ++column) {
      w->add("eliminate_factors", {rows}, block, 0, factors, static_cast<const float*>(a), n, column);
      w->add("eliminate_rows", {tiles, tiles}, {16, 16}, 0, static_cast<const float*>(factors), a, right, n, column);
    }
  } else if (name == "scan") {
    const int rows = (256 << 10) / static_cast<int>(size);
    auto* in = w->memory(numbers(static_cast<std::size_t>(rows) * 256, 100), false);
    auto* out = w->memory(std::vector<int>(static_cast<std::size_t>(rows) * 256), true);
    w->add("scan", full, block, 0, static_cast<const int*>(in), out, rows);
  } else if (name == "rows") {
    const int rows = (128 << 10) / static_cast<int>(size), columns = 1024;
    auto* in = w->memory(numbers(static_cast<std::size_t>(rows) * columns, 100), false);
    auto* out = w->memory(std::vector<int>(static_cast<std::size_t>(rows)), true);
    w->add("rows_by_warps", full, block, 0, static_cast<const int*>(in), out, rows, columns);
  } else if (name == "async_tiles") {
    const int tiles = 4096 / static_cast<int>(size);
    auto* in = w->memory(numbers(static_cast<std::size_t>(tiles) * 1024, 1 << 20), false);
    auto* out = w->memory(std::vector<int>(resident_blocks * 256), true);
    w->add("async_tiles", full, block, 0, static_cast<const int*>(in), out, tiles);
  } else if (name == "mbarrier") {
    const int rounds = 2048 / static_cast<int>(size);
    auto* in = w->memory(numbers(static_cast<std::size_t>(rounds) * 256, 1 << 20), false);
    auto* out = w->memory(std::vector<int>(resident_blocks * 256), true);
    w->add("by_mbarrier", full, block, 0, static_cast<const int*>(in), out, rounds);
  } else if (name == "early_exit") {
    const int n = static_cast<int>(resident_blocks) * 256 - 100;
    auto* in = w->memory(numbers(static_cast<std::size_t>(n), 1 << 20), false);
    auto* out = w->memory(std::vector<int>(static_cast<std::size_t>(n)), true);
    w->add("early_exit", full, block, 1024, static_cast<const int*>(in), out, n, 4096 / static_cast<int>(size));
  } else if (name == "indices" || name == "leaders") {
    std::vector<int> order(128);
    for (std::size_t i = 0; i < 128; ++i) order[i] = static_cast<int>(i * 37 % 128);
    auto* of = w->memory(order, false);
    auto* out = w->memory(std::vector<int>(resident_blocks * 128), true);
    w->add(name == "indices" ? "indices" : "leaders", full, {128}, 0, static_cast<const int*>(of), out,
           2000 / static_cast<int>(size));
  } else {
    throw std::invalid_argument("there is no workload " + name);
  }
  return w;
}

}  // namespace workloads
