// SPDX-License-Identifier: Apache-2.0
// The host's side of genesys: a runtime serves the system calls of kernels; a run stands for one launch in flight. Used
// by host programs, on any thread; functions say where that is not so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "genesys/error.h"
#include "genesys/kernel.h"
#include "genesys/options.h"

namespace genesys {

class os;

namespace detail {
class core;
struct run_state;
namespace wire {
struct device_context;
}
}  // namespace detail

// One launch in flight, or several on the same stream: hands kernels their `os`, owns the copies made for them. The
// last copy of it drains on destruction. A run must not be used by two threads at once.
class run {
 public:
  // For the kernel, by value. A kernel that gets it may be launched until drain(). Defined in launch.h.
  genesys::os os() const;

  // A copy of a string or of a trivially copyable object in memory that the kernel can read; lives as long as the run.
  const char* copy(std::string_view text) const;
  // Copies of several strings, as main() gets its arguments: an array of pointers that ends with a null pointer.
  const char* const* copy(std::span<const char* const> texts) const;
  const char* const* copy(std::span<const std::string> texts) const;
  template <class T>
  requires(std::is_trivially_copyable_v<T> && !std::is_convertible_v<const T&, std::string_view> &&
           !std::is_convertible_v<const T&, std::span<const char* const>>) T* copy(const T& object) const {
    return static_cast<T*>(copy_bytes(&object, sizeof object, alignof(T)));
  }

  // Waits until the kernels launched on the run's stream have ended, and then all their calls. Throws
  // error(launch_failed) if a kernel failed.
  // Until os() is asked for again, the run does not look at its stream any more: it may be destroyed.
  void drain() const;

  // Whether the kernels have ended; does not wait.
  bool finished() const;

  // For launch(): starts a kernel on the CPU device.
  void start_on_cpu(dim blocks, dim threads, std::size_t shared_bytes, std::function<void()> body) const;

 private:
  friend class runtime;
  const detail::wire::device_context& begin_launch() const;
  explicit run(std::shared_ptr<detail::run_state> state) : state_(std::move(state)) {}
  void* copy_bytes(const void* from, std::size_t bytes, std::size_t alignment) const;
  std::shared_ptr<detail::run_state> state_;
};

// Serves the system calls of kernels on one device, from construction to destruction. The destructor answers calls that
// wait, and later ones, with -ECANCELED, waits at most shutdown_timeout_ms, and then leaves behind what a kernel or a
// call still uses, and says so on stderr.
//
// In a child of fork() a runtime of its parent's, and its runs, can only be forgotten: their destructors, free_*() and
// revoke() do nothing, all else throws error(forked). The child may make a runtime of its own (docs/limits.md).
class runtime {
 public:
  // Throws error: no driver, too old a driver, no memory to pin, an option out of range.
  explicit runtime(const options& chosen = {});
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  device_kind kind() const;
  // One line: the device, its driver, workers, queues, memory, seed.
  std::string describe() const;

  // A run for kernels that are launched on `stream` (a cudaStream_t; null is CUDA's default stream). Wakes the workers.
  [[nodiscard]] run attach(void* stream = nullptr);

  // Waits for all runs and their calls.
  void drain();

  // From now on the requests of a queue are taken together: when there are `calls` of them (at most half of a queue's
  // slots), or the first has waited `window_us` (at most a second). Either of them 0: at once. Any time, any thread.
  void coalesce(unsigned window_us, unsigned calls);

  // Prints every call in flight: name, arguments, block, warp, state, age; and the stage times so far.
  void report(std::ostream& to) const;
  statistics stats() const;

  // Device memory, as cudaMalloc gives it; 256-byte aligned. Throws error(no_memory). What is freed while a run is
  // attached goes back when the last run ends, since CUDA would wait for the kernels.
  void* allocate_device(std::size_t bytes);
  void free_device(void* memory);
  void copy_to_device(void* device, const void* host, std::size_t bytes);
  void copy_to_host(void* host, const void* device, std::size_t bytes);
  void fill_device(void* device, int byte, std::size_t bytes);
  // Device memory that is free now, whoever uses the rest; also while kernels run.
  std::size_t free_device_bytes() const;

  // Hands kernels a descriptor, where the policy lets them have only their own (docs/security.md), and takes it back.
  // Until then the program must not close it: its number may become another file's. Throws error(bad_option).
  void grant(int fd);
  void revoke(int fd);

  // Memory that kernels, host and Linux all address: calls use it without a copy. 64-byte aligned. Throws
  // error(no_memory).
  void* allocate_arena(std::size_t bytes);
  void free_arena(void* memory);

 private:
  std::shared_ptr<detail::core> core_;
};

}  // namespace genesys
