// SPDX-License-Identifier: Apache-2.0
// The floor of a call after a silence: one lane wakes a thread of the host that sleeps, and sees its answer. On a GPU
// the lane stores a word that a stream waits for, and the thread sleeps at an event behind that wait; on the CPU device
// it sleeps at the word itself. Nothing of genesys takes part but the launch.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "genesys/genesys.h"
#include "support/times.h"

#if defined(__CUDACC__)
#include <cuda.h>
#include <cuda_runtime.h>
#endif

namespace baseline {

struct alignas(128) interrupt_floor {
  alignas(64) std::uint32_t raised;
  alignas(64) std::uint32_t answered;
};
struct there_and_back {
  GENESYS_KERNEL void operator()(genesys::os, unsigned rounds, std::uint64_t silence_ns, interrupt_floor* at,
                                 std::uint64_t* took_ns) const {
    const genesys::atomic<std::uint32_t, genesys::thread_scope::system> answered(at->answered);
    for (unsigned i = 1; i <= rounds; ++i) {
      sleep_ns(silence_ns);
      const std::uint64_t begin = genesys::clock_ns();
#if GENESYS_ON_CUDA
      genesys::atomic<std::uint32_t, genesys::thread_scope::system>(at->raised).store(1, std::memory_order_relaxed);
#else
      const std::atomic_ref<std::uint32_t> raised(at->raised);
      raised.store(1);
      raised.notify_all();
#endif
      while (answered.load(std::memory_order_acquire) < i) genesys::pause();
      took_ns[i - 1] = genesys::clock_ns() - begin;
    }
  }
};

class bare_interrupt {
 public:
  explicit bare_interrupt(genesys::runtime& rt)
      : rt_(rt), words_(static_cast<interrupt_floor*>(rt.allocate_arena(sizeof(interrupt_floor)))) {
#if defined(__CUDACC__)
    cudaDriverEntryPointQueryResult found{};
    void* entry = nullptr;
    must(cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", &entry, 12000, cudaEnableDefault, &found));
    wait_value_ = reinterpret_cast<decltype(wait_value_)>(entry);
    int lowest = 0, highest = 0;
    must(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    must(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, highest));
    must(cudaEventCreateWithFlags(&event_, cudaEventBlockingSync | cudaEventDisableTiming));
#endif
  }
  ~bare_interrupt() {
#if defined(__CUDACC__)
    (void)cudaEventDestroy(event_);
    (void)cudaStreamDestroy(stream_);
#endif
    rt_.free_arena(words_);
  }
  bare_interrupt(const bare_interrupt&) = delete;
  bare_interrupt& operator=(const bare_interrupt&) = delete;

  // How long each of `rounds` took, after that much silence each. `spins`: the thread does not sleep, but looks all the
  // time.
  void operator()(unsigned rounds, std::uint64_t silence_ns, std::uint64_t* took_ns, bool spins = false) {
    std::atomic_ref<std::uint32_t> raised(words_->raised), answered(words_->answered);
    answered.store(0);
    if (spins) {
      raised.store(0);
    } else {
      arm(raised);
    }
    const genesys::run run = genesys::launch(rt_, {}, there_and_back{}, rounds, silence_ns, words_, took_ns);
    for (unsigned i = 1; i <= rounds; ++i) {
      if (spins) {
        while (raised.load(std::memory_order_acquire) == 0) {
        }
        raised.store(0);
        answered.store(i, std::memory_order_release);
        continue;
      }
      sleep(raised);
      answered.store(i);
      if (i < rounds) arm(raised);
    }
    run.drain();
  }

 private:
#if defined(__CUDACC__)
  static void must(cudaError_t returned) {
    if (returned != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(returned));
  }
  void arm(std::atomic_ref<std::uint32_t>& raised) {
    raised.store(0);
    if (wait_value_(stream_, reinterpret_cast<CUdeviceptr>(&words_->raised), 1, CU_STREAM_WAIT_VALUE_GEQ) !=
        CUDA_SUCCESS)
      throw std::runtime_error("cuStreamWaitValue32 failed");
    must(cudaEventRecord(event_, stream_));
  }
  void sleep(std::atomic_ref<std::uint32_t>&) { must(cudaEventSynchronize(event_)); }
  decltype(cuStreamWaitValue32)* wait_value_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
#else
  static void arm(std::atomic_ref<std::uint32_t>& raised) { raised.store(0); }
  static void sleep(std::atomic_ref<std::uint32_t>& raised) { raised.wait(0); }
#endif

  genesys::runtime& rt_;
  interrupt_floor* const words_;
};

}  // namespace baseline
