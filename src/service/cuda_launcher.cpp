// SPDX-License-Identifier: Apache-2.0
// Launches on a GPU (kernel_launcher.h): the non-stop kernel in a stream of the highest priority, requests in streams
// of the lowest one.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "service/kernel_launcher.h"
#include "target/cuda/current_gpu.h"

namespace genesys::detail::services {
namespace {

void check(cudaError_t returned, error_code code, const char* doing) {
  if (returned == cudaSuccess) return;
  (void)cudaGetLastError();
  throw error(code, std::string(doing) + " failed: " + cudaGetErrorString(returned));
}

// A linked kernel: its entry, and the table of its loaded functions.
class linked_kernel {
 public:
  // Its code is in the device when it returns. Throws error.
  linked_kernel(const kernel_image& image, const std::string& name) {
    // The library has no copy of the bytes that it is made of.
    check(cudaLibraryLoadData(&library_, image.cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
          error_code::no_memory, "loading the linked kernel");
    try {
      cudaKernel_t kernel = nullptr;
      void* table = nullptr;
      std::size_t bytes = 0;
      cudaFuncAttributes unused{};
      check(cudaLibraryGetKernel(&kernel, library_, name.c_str()), error_code::bad_option, "finding the linked kernel");
      entry_ = kernel;
      check(cudaFuncGetAttributes(&unused, entry_), error_code::no_memory, "loading the linked kernel");
      check(cudaLibraryGetGlobal(&table, &bytes, library_, table_symbol), error_code::bad_option,
            "finding the table of loaded functions");
      loaded_ = static_cast<const u64*>(table);
    } catch (...) {
      (void)cudaLibraryUnload(library_);
      throw;
    }
  }
  ~linked_kernel() { (void)cudaLibraryUnload(library_); }
  linked_kernel(const linked_kernel&) = delete;
  linked_kernel& operator=(const linked_kernel&) = delete;
  const void* entry() const { return entry_; }
  const u64* loaded() const { return loaded_; }

 private:
  cudaLibrary_t library_ = nullptr;
  const void* entry_ = nullptr;
  const u64* loaded_ = nullptr;
};

class on_cuda final : public kernel_launcher {
 public:
  explicit on_cuda(const program& what) : entry_(what.on_cuda), request_entry_(what.launch_on_cuda) {
    if (entry_ == nullptr) {
      throw error(error_code::not_built,
                  "this file was compiled without nvcc, so its services run on the CPU device only");
    }
    check(cudaGetDevice(&ordinal_), error_code::no_device, "asking for the current GPU");
    check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, ordinal_), error_code::no_device,
          "asking for the GPU's multiprocessors");
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), error_code::no_device, "asking for priorities");
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest), error_code::no_memory,
          "making a stream");
    if (request_entry_ == nullptr) return;
    for (cudaStream_t& one : requests_) {
      check(cudaStreamCreateWithPriority(&one, cudaStreamNonBlocking, least), error_code::no_memory, "making a stream");
    }
  }
  ~on_cuda() override {  // after its launches, or with the process
    (void)cudaStreamDestroy(stream_);
    for (cudaStream_t one : requests_) {
      if (one != nullptr) (void)cudaStreamDestroy(one);
    }
  }

  void choose(unsigned& blocks, unsigned& threads) override {
    if (threads == 0) threads = 256;
    if (blocks == 0) blocks = static_cast<unsigned>(std::max(1, multiprocessors_ / 8));
    check_space(entry_, blocks, threads, "choose fewer");
    shape_ = {blocks + 1, threads};
  }
  void launch(const kernel_shape& shape, const serve_context& with) override {
    serve_context parameter = with;
    parameter.loaded = now_ != nullptr ? now_->loaded() : nullptr;
    launch(shape, stream_, now_ != nullptr ? now_->entry() : entry_, parameter);
  }
  progress look() override {
    const current_gpu set(ordinal_);
    return look(stream_);
  }
  void launch_request(unsigned threads, const launch_context& with) override {
    const current_gpu set(ordinal_);
    const cudaStream_t in = idle_stream();
    cut_request(with, [&](u32 blocks, const launch_context& part) {
      launch({blocks, threads}, in, request_entry_, part);
    });
  }
  progress look_at_requests() override {
    const current_gpu set(ordinal_);
    progress all = progress::ended;
    for (cudaStream_t one : requests_) {
      const progress is = one == nullptr ? progress::ended : look(one);
      if (is == progress::unknown) return is;
      if (is == progress::under_way) all = is;
    }
    return all;
  }

  link_target target() override {
    const current_gpu set(ordinal_);
    const char* name = nullptr;
    int major = 0, minor = 0;
    check(cudaFuncGetName(&name, entry_), error_code::not_built, "asking for the kernel's name");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal_), error_code::no_device,
          "asking for the GPU's architecture");
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal_), error_code::no_device,
          "asking for the GPU's architecture");
    return {name, static_cast<unsigned>(10 * major + minor)};
  }
  void swap(const kernel_image& image, unsigned wait_ms) override {
    const current_gpu set(ordinal_);
    if (name_.empty()) name_ = target().kernel;
    wait_for_context(wait_ms);
    auto made = std::make_unique<linked_kernel>(image, name_);
    check_space(made->entry(), shape_.blocks - 1, shape_.threads,
                "the loaded services use too many registers or too much shared memory. Choose fewer blocks or threads "
                "for the server, or make the service smaller");
    before_ = std::exchange(now_, std::move(made));
  }
  void swap_back() override { now_ = std::move(before_); }

 private:
  template <class C>
  void launch(const kernel_shape& shape, cudaStream_t in, const void* entry, C with) {
    const current_gpu set(ordinal_);
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(shape.threads);
    config.stream = in;
    void* parameters[] = {&with};
    check(cudaLaunchKernelExC(&config, entry, parameters), error_code::launch_failed, "launching a kernel of services");
  }
  static progress look(cudaStream_t at) {
    const cudaError_t returned = cudaStreamQuery(at);
    if (returned == cudaSuccess) return progress::ended;
    (void)cudaGetLastError();
    return returned == cudaErrorNotReady ? progress::under_way : progress::unknown;
  }
  // Loading and unloading code waits for all kernels of the context, and cannot be given up. So this waits before, for
  // kernels of the program, too.
  void wait_for_context(unsigned wait_ms) const {
    using record_event = int (*)(void* context, cudaEvent_t event);  // cuCtxRecordEvent, from CUDA 12.5 on
    using get_current = int (*)(void** context);
    const auto record = driver_function<record_event>("cuCtxRecordEvent", 12'050);
    const auto current = driver_function<get_current>("cuCtxGetCurrent", 4'000);
    void* context = nullptr;
    if (record == nullptr || current == nullptr || current(&context) != 0) return;
    cudaEvent_t all = nullptr;
    check(cudaEventCreateWithFlags(&all, cudaEventDisableTiming), error_code::no_memory, "making an event");
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait_ms);
    cudaError_t is = record(context, all) == 0 ? cudaErrorNotReady : cudaSuccess;
    while (is == cudaErrorNotReady && (is = cudaEventQuery(all)) == cudaErrorNotReady) {
      if (std::chrono::steady_clock::now() > until) break;
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    (void)cudaGetLastError();
    (void)cudaEventDestroy(all);
    if (is != cudaErrorNotReady) return;
    throw error(error_code::launch_failed,
                "another kernel of the program runs, and the GPU loads code only when none does: load before that "
                "kernel starts, or with a longer drain_ms");
  }
  template <class F>
  static F driver_function(const char* name, unsigned version) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult how{};
    const cudaError_t returned = cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &how);
    (void)cudaGetLastError();
    return returned == cudaSuccess && how == cudaDriverEntryPointSuccess ? reinterpret_cast<F>(found) : nullptr;
  }
  // Or the one after the last one, if all are busy.
  cudaStream_t idle_stream() {
    const u32 next = ++last_;
    for (u32 i = 0; i < request_streams; ++i) {
      const cudaStream_t one = requests_[(next + i) % request_streams];
      if (look(one) != progress::under_way) return one;
    }
    return requests_[next % request_streams];
  }

  // This also loads the kernel, which a launch beside a waiting kernel could not.
  void check_space(const void* entry, unsigned blocks, unsigned threads, const char* what_to_do) const {
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, entry, static_cast<int>(threads), 0),
          error_code::bad_option, "asking how many blocks are resident");
    if (blocks + 1 <= static_cast<unsigned>(resident * multiprocessors_)) return;
    throw error(error_code::bad_option, "the GPU has no space for " + std::to_string(blocks + 1) + " blocks of " +
                                            std::to_string(threads) + " threads at a time: " + what_to_do);
  }

  const void *entry_, *request_entry_;
  cudaStream_t stream_ = nullptr, requests_[request_streams] = {};
  u32 last_ = 0;
  int ordinal_ = 0, multiprocessors_ = 0;
  kernel_shape shape_;
  std::string name_;
  // `before_` stays until the next swap(). Without now_ launches are of entry_.
  std::unique_ptr<linked_kernel> now_, before_;
};

}  // namespace

std::unique_ptr<kernel_launcher> cuda_launcher(device&, const program& what) { return std::make_unique<on_cuda>(what); }

}  // namespace genesys::detail::services
