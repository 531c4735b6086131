// SPDX-License-Identifier: Apache-2.0
#include "target/cuda/cuda_interrupt.h"

#include <cuda.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "target/cuda/cuda_check.h"
#include "target/device.h"

namespace genesys::detail {
namespace {

struct stream_functions {
  decltype(cuStreamWaitValue32)* wait = driver_function<decltype(cuStreamWaitValue32)>("cuStreamWaitValue32");
  decltype(cuStreamWriteValue32)* write = driver_function<decltype(cuStreamWriteValue32)>("cuStreamWriteValue32");
};
const stream_functions& driver() {
  static const stream_functions found;
  return found;
}
CUdeviceptr address_of(const void* memory) { return reinterpret_cast<CUdeviceptr>(memory); }

// With few hardware queues the streams of this file would wait for each other.
bool streams_are_apart() {
  constexpr int queues_min = 4, queues_default = 8;
  const char* chosen = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
  return (chosen == nullptr ? queues_default : std::atoi(chosen)) >= queues_min;
}

class cuda_interrupt final : public interrupt {
 public:
  cuda_interrupt(interrupt_words& words, producer_state* producers, u32 queues)
      : words_(words), producers_(producers), queues_(queues) {
    if (prepare()) return;
    refused_ = true;
    (void)cudaGetLastError();
  }
  ~cuda_interrupt() override {
    for (const cudaEvent_t one : {event_, end_}) {
      if (one != nullptr) (void)cudaEventDestroy(one);
    }
    for (const cudaStream_t one : {copies_, waits_, ends_}) {
      if (one != nullptr) (void)cudaStreamDestroy(one);
    }
  }

  bool arm(launches& kernels, u64* tails) override {
    if (ended_ || refused_ || !(is_end_awaited() || kernels.are_under_way())) return false;
    if (!copy() || !wait_for_tails() || !enqueue_wait() || !await_end(kernels)) {
      refused_ = true;
      (void)cudaGetLastError();
      raise();
      return false;
    }
    std::memcpy(tails, words_.tails, queues_ * sizeof(u64));
    return true;
  }
  void wait() override { (void)cudaEventSynchronize(event_); }
  void raise() override { std::atomic_ref<u32>(words_.raised).store(1, std::memory_order_seq_cst); }
  void end() override {
    ended_ = true;
    raise();
  }
  bool is_refused() const override { return refused_ && !ended_; }

 private:
  // Before the kernels of this runtime, because CUDA may wait for kernels that run when it makes a stream or an event.
  bool prepare() {
    std::memset(words_.marks, 1, sizeof words_.marks);
    int lowest = 0, highest = 0;
    (void)cudaDeviceGetStreamPriorityRange(&lowest, &highest);
    return cudaStreamCreateWithPriority(&copies_, cudaStreamNonBlocking, highest) == cudaSuccess &&
           cudaStreamCreateWithPriority(&waits_, cudaStreamNonBlocking, highest) == cudaSuccess &&
           cudaStreamCreateWithPriority(&ends_, cudaStreamNonBlocking, highest) == cudaSuccess &&
           cudaEventCreateWithFlags(&end_, cudaEventDisableTiming) == cudaSuccess &&
           cudaEventCreateWithFlags(&event_, cudaEventBlockingSync | cudaEventDisableTiming) == cudaSuccess;
  }

  // Begins when the stream has passed its last wait, so that it holds one at a time.
  bool copy() {
    if (cudaEventSynchronize(event_) != cudaSuccess) return false;
    std::atomic_ref<u32>(words_.raised).store(0, std::memory_order_seq_cst);
    auto* const tails = reinterpret_cast<unsigned char*>(&producers_->tail);
    constexpr std::size_t apart = sizeof(producer_state);
    return cudaMemcpy2DAsync(tails + armed_byte, apart, words_.marks, 1, 1, queues_, cudaMemcpyHostToDevice, copies_) ==
               cudaSuccess &&
           cudaMemcpy2DAsync(words_.tails, sizeof(u64), tails, apart, sizeof(u64), queues_, cudaMemcpyDeviceToHost,
                             copies_) == cudaSuccess &&
           driver().write(copies_, address_of(&words_.loaded), ++loads_, CU_STREAM_WRITE_VALUE_DEFAULT) == CUDA_SUCCESS;
  }

  // Whether the end of some kernel will raise the interrupt. Its store comes behind the event.
  bool is_end_awaited() const { return end_ != nullptr && is_ahead(end_); }
  // After copy(): the store must not come before the word is cleared. If the end of an earlier kernel is awaited, that
  // one is enough: so the stream holds a bounded number of commands.
  bool await_end(launches& kernels) {
    return is_end_awaited() ||
           (kernels.hold_back(ends_) && cudaEventRecord(end_, ends_) == cudaSuccess &&
            driver().write(ends_, address_of(&words_.raised), 1, CU_STREAM_WRITE_VALUE_DEFAULT) == CUDA_SUCCESS);
  }

  // In a stream without copies: behind a copy the event comes later.
  bool enqueue_wait() {
    return driver().wait(waits_, address_of(&words_.raised), 1, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS &&
           cudaEventRecord(event_, waits_) == cudaSuccess;
  }

  // Copies need no multiprocessor. They take longer than usual while the program copies much. The load pairs with the
  // device's write behind the copies.
  bool wait_for_tails() const {
    const std::atomic_ref<u32> loaded(words_.loaded);
    const auto begun = std::chrono::steady_clock::now();
    while (loaded.load(std::memory_order_acquire) != loads_) {
      if (ended_ || std::chrono::steady_clock::now() - begun > std::chrono::seconds(10)) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(10));
    }
    return true;
  }

  interrupt_words& words_;
  producer_state* const producers_;
  const u32 queues_;
  cudaStream_t copies_ = nullptr, waits_ = nullptr, ends_ = nullptr;
  cudaEvent_t event_ = nullptr, end_ = nullptr;
  u32 loads_ = 0;
  std::atomic<bool> refused_{false};  // CUDA has refused something: no further attempt
  std::atomic<bool> ended_{false};
};

}  // namespace

std::unique_ptr<interrupt> make_cuda_interrupt(interrupt_words& words, producer_state* producers, u32 queues) {
  if (driver().wait == nullptr || driver().write == nullptr || !streams_are_apart()) return nullptr;
  return std::make_unique<cuda_interrupt>(words, producers, queues);
}

}  // namespace genesys::detail
