// SPDX-License-Identifier: Apache-2.0
// CUDA for the driver (execution.h): a stream for each level, a stream for copies, one for the resident raiser. A mark
// is an event.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "schedule/driver/execution.h"
#include "schedule/driver/raiser_kernel.h"

namespace genesys::schedule {
namespace {

void check(cudaError_t returned, error_code code, const char* doing) {
  if (returned == cudaSuccess) return;
  (void)cudaGetLastError();
  throw error(code, std::string(doing) + " failed: " + cudaGetErrorString(returned));
}

class on_cuda final : public execution {
 public:
  on_cuda() : device_(detail::open_cuda_device()) {
    int ordinal = 0;
    check(cudaGetDevice(&ordinal), error_code::no_device, "asking for the current GPU");
    check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, ordinal), error_code::no_device,
          "asking for the GPU's multiprocessors");
    check(cudaDeviceGetStreamPriorityRange(&least_, &greatest_), error_code::no_device, "asking for priorities");
    copies_ = make_stream(least_);
    raiser_ = make_stream(greatest_);
    for (unsigned level = 0; level < levels_made; ++level) (void)stream_of(level);
    for (unsigned i = 0; i < events_made; ++i) free_events_.push_back(make_event());
  }
  // The driver has waited for everything. CUDA frees streams and events with the process.
  ~on_cuda() override = default;

  detail::device& on() override { return *device_; }

  mark launch(const kernel_launch& what, unsigned level, const detail::aborts::launch_context* abort) override {
    void* parameters[parameters_max + 1];
    std::size_t count = 0;
    for (const std::uint32_t offset : what.offsets) {
      parameters[count++] = const_cast<std::byte*>(what.arguments.data()) + offset;
    }
    if (abort != nullptr) parameters[count++] = const_cast<detail::aborts::launch_context*>(abort);
    cudaLaunchConfig_t shape{};
    shape.gridDim = dim3(what.blocks.x, what.blocks.y, what.blocks.z);
    shape.blockDim = dim3(what.threads.x, what.threads.y, what.threads.z);
    shape.dynamicSmemBytes = what.shared_bytes;
    shape.stream = stream_of(level);
    check(cudaLaunchKernelExC(&shape, abort != nullptr ? what.instrumented : what.plain, parameters),
          error_code::launch_failed, "launching a kernel");
    return mark_of(shape.stream);
  }

  mark copy(void* to, const void* from, std::size_t bytes) override {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, copies_), error_code::launch_failed,
          "copying a snapshot");
    return mark_of(copies_);
  }

  bool passed(mark at) override {
    const auto found = under_way_.find(at);
    if (found == under_way_.end()) return true;
    const cudaError_t state = cudaEventQuery(found->second);
    if (state == cudaErrorNotReady) {
      (void)cudaGetLastError();
      return false;
    }
    check(state, error_code::launch_failed, "a kernel");
    return true;
  }
  void forget(mark at) override {
    const auto found = under_way_.find(at);
    if (found == under_way_.end()) return;
    free_events_.push_back(found->second);
    under_way_.erase(found);
  }

  std::uint64_t blocks_at_a_time(const kernel_launch& what) override {
    const auto threads = static_cast<int>(what.threads.x * what.threads.y * what.threads.z);
    int& known = occupancy_[{what.plain, threads, what.shared_bytes}];
    if (known == 0) {
      const auto asked = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&known, what.plain, threads, what.shared_bytes);
      if (asked != cudaSuccess) (void)cudaGetLastError();
    }
    return static_cast<std::uint64_t>(std::max(0, known)) * static_cast<std::uint64_t>(multiprocessors_);
  }

  bool has_raiser() const override { return true; }
  mark start_raiser(const detail::aborts::raiser_context& with) override {
    launch_raiser(with, raiser_);
    return mark_of(raiser_);
  }

  time_ns now() const override {
    return static_cast<time_ns>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
  }

 private:
  static constexpr std::size_t parameters_max = 512;  // CUDA's limit is 4 KiB, later 32 KiB, of parameters
  static constexpr unsigned levels_made = 4, events_made = 64;

  static cudaEvent_t make_event() {
    cudaEvent_t made = nullptr;
    check(cudaEventCreateWithFlags(&made, cudaEventDisableTiming), error_code::no_memory, "making an event");
    return made;
  }
  static cudaStream_t make_stream(int priority) {
    cudaStream_t made = nullptr;
    check(cudaStreamCreateWithPriority(&made, cudaStreamNonBlocking, priority), error_code::no_memory,
          "making a stream");
    return made;
  }

  // Levels above the number of priorities share the highest one.
  cudaStream_t stream_of(unsigned level) {
    while (levels_.size() <= level) {
      levels_.push_back(make_stream(std::max(greatest_, least_ - static_cast<int>(levels_.size()))));
    }
    return levels_[level];
  }

  mark mark_of(cudaStream_t stream) {
    cudaEvent_t event = nullptr;
    if (free_events_.empty()) {
      event = make_event();
    } else {
      event = free_events_.back();
      free_events_.pop_back();
    }
    check(cudaEventRecord(event, stream), error_code::launch_failed, "recording an event");
    under_way_.emplace(++count_, event);
    return count_;
  }

  std::unique_ptr<detail::device> device_;
  int multiprocessors_ = 0, least_ = 0, greatest_ = 0;
  std::vector<cudaStream_t> levels_;
  cudaStream_t copies_ = nullptr, raiser_ = nullptr;
  std::vector<cudaEvent_t> free_events_;
  std::unordered_map<mark, cudaEvent_t> under_way_;
  std::map<std::tuple<const void*, int, std::size_t>, int> occupancy_;
  mark count_ = 0;
};

}  // namespace

std::unique_ptr<execution> cuda_execution() { return std::make_unique<on_cuda>(); }

}  // namespace genesys::schedule
