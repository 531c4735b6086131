// SPDX-License-Identifier: Apache-2.0
// The non-stop kernel on a GPU (kernel_launcher.h): launches in a stream of the highest priority.
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
  explicit on_cuda(const program& what) : entry_(what.on_cuda) {
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
  }
  ~on_cuda() override { (void)cudaStreamDestroy(stream_); }  // after its launches, or with the process

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
  void launch(const kernel_shape& shape, const serve_context& with) override {
    const current_gpu set(ordinal_);
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(shape.threads);
    config.stream = stream_;
    serve_context parameter = with;
    void* parameters[] = {&parameter};
    check(cudaLaunchKernelExC(&config, entry_, parameters), error_code::launch_failed, "launching the non-stop kernel");
  }
  progress look() override {
    const current_gpu set(ordinal_);
    const cudaError_t returned = cudaStreamQuery(stream_);
    if (returned == cudaSuccess) return progress::ended;
    (void)cudaGetLastError();
    return returned == cudaErrorNotReady ? progress::under_way : progress::unknown;
  }

 private:
  const void* entry_;
  cudaStream_t stream_ = nullptr;
  int ordinal_ = 0, multiprocessors_ = 0;
};

}  // namespace

std::unique_ptr<kernel_launcher> cuda_launcher(device&, const program& what) { return std::make_unique<on_cuda>(what); }

}  // namespace genesys::detail::services
