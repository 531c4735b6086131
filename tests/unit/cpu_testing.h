// SPDX-License-Identifier: Apache-2.0
// What the tests of the CPU device share: launches with a wait, arrays in device memory, child processes.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <new>
#include <thread>

#include "genesys/detail/target/cpu.h"
#include "target/cpu/sanitizers.h"

namespace cpu_testing {

namespace cpu = genesys::detail::cpu;
using cpu::dims;

constexpr unsigned all_lanes = 0xffffffffu;
constexpr bool sanitized = cpu::sanitizers::address || cpu::sanitizers::thread;

template <class Body>
void run(cpu::device& device, dims grid, dims block, Body body, std::size_t shared_bytes = 0) {
  device.wait(*device.launch(grid, block, shared_bytes, nullptr, body));
}

// An array in device memory, zeroed.
template <class T>
class device_array {
 public:
  device_array(cpu::device& device, std::size_t count)
      : device_(device), items_(static_cast<T*>(device.allocate_device(count * sizeof(T)))) {
    cpu::allow_device_memory();
    for (std::size_t i = 0; i < count; ++i) new (items_ + i) T();
  }
  ~device_array() { device_.free_device(items_); }
  device_array(const device_array&) = delete;
  T* get() const { return items_; }
  T& operator[](std::size_t i) const { return items_[i]; }

 private:
  cpu::device& device_;
  T* items_;
};

inline void sleep_ms(unsigned ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

class CpuDeviceDeathTest : public testing::Test {
 protected:
  // The child executes this program again, because a forked child would lack the threads.
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

}  // namespace cpu_testing
