// SPDX-License-Identifier: Apache-2.0
// Copies on a GPU (copy_engine.h): a stream for each way, and an event behind each copy. Nothing here waits for the
// device, because the non-stop kernel would hold it up.
#include <cuda_runtime.h>

#include "service/copy_engine.h"
#include "target/cuda/cuda_check.h"
#include "target/cuda/current_gpu.h"

namespace genesys::detail::services {
namespace {

constexpr u64 events_of_way = 256;  // so many copies are under way; before the next one the thread waits

struct copies_of_way {
  cudaStream_t stream = nullptr;
  cudaEvent_t events[events_of_way] = {};
  u64 begun = 0, ended = 0;
};

class copies_on_cuda final : public copy_engine {
 public:
  explicit copies_on_cuda(int ordinal) : ordinal_(ordinal) {
    const current_gpu set(ordinal_);
    try {
      for (copies_of_way& way : ways_) {
        detail::check(cudaStreamCreateWithFlags(&way.stream, cudaStreamNonBlocking), error_code::no_memory,
                      "making a stream for copies");
        for (cudaEvent_t& event : way.events)
          detail::check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), error_code::no_memory,
                        "making an event for copies");
      }
    } catch (...) {
      end();
      throw;
    }
  }
  ~copies_on_cuda() override { end(); }

  u64 begin(copy_way which, void* to, const void* from, std::size_t bytes) override {
    const current_gpu set(ordinal_);
    copies_of_way& way = ways_[static_cast<int>(which)];
    if (way.begun - way.ended == events_of_way) {
      detail::check(cudaEventSynchronize(way.events[way.ended % events_of_way]), error_code::launch_failed,
                    "waiting for a copy");
      ++way.ended;
    }
    detail::check(
        cudaMemcpyAsync(to, from, bytes, which == copy_way::to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
                        way.stream),
        error_code::launch_failed, "beginning a copy");
    detail::check(cudaEventRecord(way.events[way.begun % events_of_way], way.stream), error_code::launch_failed,
                  "recording the end of a copy");
    return ++way.begun;
  }

  u64 ended(copy_way which) override {
    copies_of_way& way = ways_[static_cast<int>(which)];
    if (way.ended == way.begun) return way.ended;
    const current_gpu set(ordinal_);
    while (way.ended != way.begun) {
      const cudaError_t returned = cudaEventQuery(way.events[way.ended % events_of_way]);
      if (returned == cudaErrorNotReady) {
        (void)cudaGetLastError();
        break;
      }
      detail::check(returned, error_code::launch_failed, "a copy failed");
      ++way.ended;
    }
    return way.ended;
  }

 private:
  void end() {
    const current_gpu set(ordinal_);
    for (copies_of_way& way : ways_) {
      for (cudaEvent_t event : way.events) {
        if (event != nullptr) (void)cudaEventDestroy(event);
      }
      if (way.stream != nullptr) (void)cudaStreamDestroy(way.stream);
    }
  }

  int ordinal_ = 0;
  copies_of_way ways_[2];
};

}  // namespace

std::unique_ptr<copy_engine> cuda_copy_engine(device& on) {
  int before = 0, ordinal = 0;
  detail::check(cudaGetDevice(&before), error_code::no_device, "asking for the current GPU");
  on.enter_serving_thread();
  detail::check(cudaGetDevice(&ordinal), error_code::no_device, "asking for the server's GPU");
  (void)cudaSetDevice(before);
  return std::make_unique<copies_on_cuda>(ordinal);
}

}  // namespace genesys::detail::services
