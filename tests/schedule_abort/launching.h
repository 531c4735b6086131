// SPDX-License-Identifier: Apache-2.0
// Kernels of these tests on either device, without a runtime: streams, launches, memory. Called by the test's thread.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "genesys/detail/schedule/abort_guard.h"
#include "schedule/abort/abort_table.h"
#include "target/device.h"

namespace abort_testing {

using genesys::detail::u32;
using genesys::detail::u64;
namespace aborts = genesys::detail::aborts;
using aborts::launch_context;

// The device of all tests: GENESYS_DEVICE says which.
inline genesys::detail::device& shared_device() {
  static const auto device = genesys::detail::open_device({});
  return *device;
}
inline bool on_cuda() { return shared_device().kind() == genesys::device_kind::cuda; }

// How often a stress test repeats what it does.
inline u32 rounds() {
#if defined(__SANITIZE_THREAD__)
  return 3;
#else
  return std::getenv("GENESYS_TEST_FULL") != nullptr ? 400 : 40;
#endif
}

// The seed of the test's choices, which a failure prints.
inline u64 seed() {
  static const u64 chosen = [] {
    const char* given = std::getenv("GENESYS_TEST_SEED");
    const u64 value = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::printf("GENESYS_TEST_SEED=%llu\n", static_cast<unsigned long long>(value));
    return value;
  }();
  return chosen;
}

#if defined(__CUDACC__)
template <class F, class... Args>
__global__ void entry(F kernel, Args... args) {
  kernel(args...);
}
#endif

struct shape {
  u32 blocks, threads;
  u64 all() const { return u64{blocks} * threads; }
};

class stream {
 public:
  stream() {
#if defined(__CUDACC__)
    if (on_cuda()) {
      cudaStream_t made = nullptr;
      if (cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking) != cudaSuccess) std::abort();
      handle_ = made;
    } else
#endif
      handle_ = &own_;
    launches_ = shared_device().attach(handle_);
  }
  ~stream() {
    wait();
#if defined(__CUDACC__)
    if (on_cuda()) (void)cudaStreamDestroy(static_cast<cudaStream_t>(handle_));
#endif
  }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  template <class F, class... Args>
  void launch(shape of, F kernel, Args... args) {
#if defined(__CUDACC__)
    if (on_cuda()) {
      entry<<<of.blocks, of.threads, 0, static_cast<cudaStream_t>(handle_)>>>(kernel, args...);
      if (cudaGetLastError() != cudaSuccess) throw std::runtime_error("a launch failed");
      return;
    }
#endif
    launches_->start({of.blocks}, {of.threads}, 0, [=] { kernel(args...); }, nullptr);
  }
  void wait() { launches_->wait(); }
  bool ended() { return launches_->look() == genesys::detail::progress::ended; }

 private:
  char own_ = 0;
  void* handle_ = nullptr;
  std::unique_ptr<genesys::detail::launches> launches_;
};

// Words in device memory, zeroed.
class words {
 public:
  explicit words(std::size_t count) : count_(count), at_(shared_device().allocate(count * sizeof(u64))) {
    put(std::vector<u64>(count));
  }
  ~words() { shared_device().free(at_); }
  words(const words&) = delete;
  words& operator=(const words&) = delete;
  u64* get() const { return static_cast<u64*>(at_); }
  void put(const std::vector<u64>& from) { shared_device().copy_to_device(at_, from.data(), count_ * sizeof(u64)); }
  std::vector<u64> take() const {
    std::vector<u64> all(count_);
    shared_device().copy_to_host(all.data(), at_, count_ * sizeof(u64));
    return all;
  }

 private:
  std::size_t count_;
  void* at_;
};

}  // namespace abort_testing
