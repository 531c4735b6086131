// SPDX-License-Identifier: Apache-2.0
// Launches on a GPU (kernel_launcher.h): the non-stop kernel in a stream of the highest priority, requests in streams
// of the lowest one.
#include <cuda_runtime.h>

#include <algorithm>

#include "service/current_gpu.h"
#include "service/kernel_launcher.h"

namespace genesys::detail::services {
namespace {

void check(cudaError_t returned, error_code code, const char* doing) {
  if (returned == cudaSuccess) return;
  (void)cudaGetLastError();
  throw error(code, std::string(doing) + " failed: " + cudaGetErrorString(returned));
}

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
    int resident = 0;  // this also loads the kernel, which a launch beside a waiting kernel could not
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, entry_, static_cast<int>(threads), 0),
          error_code::bad_option, "asking how many blocks are resident");
    if (blocks + 1 > static_cast<unsigned>(resident * multiprocessors_)) {
      throw error(error_code::bad_option, "the GPU has no space for " + std::to_string(blocks + 1) + " blocks of " +
                                              std::to_string(threads) + " threads at a time: choose fewer");
    }
  }
  void launch(const kernel_shape& shape, const serve_context& with) override { launch(shape, stream_, entry_, with); }
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
  // Or the one after the last one, if all are busy.
  cudaStream_t idle_stream() {
    const u32 next = ++last_;
    for (u32 i = 0; i < request_streams; ++i) {
      const cudaStream_t one = requests_[(next + i) % request_streams];
      if (look(one) != progress::under_way) return one;
    }
    return requests_[next % request_streams];
  }

  const void *entry_, *request_entry_;
  cudaStream_t stream_ = nullptr, requests_[request_streams] = {};
  u32 last_ = 0;
  int ordinal_ = 0, multiprocessors_ = 0;
};

}  // namespace

std::unique_ptr<kernel_launcher> cuda_launcher(device&, const program& what) { return std::make_unique<on_cuda>(what); }

}  // namespace genesys::detail::services
