// SPDX-License-Identifier: Apache-2.0
// The host's side of genesys: a runtime serves the system calls of kernels; a run is one launch in flight. For host
// programs. Any host thread may call these functions, several threads at once, unless a comment says otherwise.
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
#include <typeinfo>

#include "genesys/detail/wire/types.h"
#include "genesys/error.h"
#include "genesys/kernel.h"
#include "genesys/options.h"

namespace genesys {

class os;

namespace detail {
// "sort_lines" for a kernel of this type.
std::string name_of_type(const std::type_info& type);
class core;
struct run_state;
namespace wire {
struct device_context;
}
}  // namespace detail

// One launch in flight, or several on the same stream. A run makes the `os` of its kernels and owns the memory of
// copy(). Copies of a run share its state; the destructor of the last one waits as drain() does, and prints an error
// instead of throwing it. Only one thread at a time may use a run.
class run {
 public:
  // Returns the kernel's `os`, to be passed by value. Kernels that get it may be launched until drain(). Throws
  // error(forked). Defined in launch.h.
  genesys::os os() const;

  // Copies a string (with a NUL) or a trivially copyable object to the arena, where kernels, host and Linux can read
  // it. The copy lives as long as the run. Throws error: no_memory (the arena is full), bad_option (an alignment of
  // more than 64 bytes), forked.
  const char* copy(std::string_view text) const;
  // Copies several strings as main() gets its arguments: returns an array of pointers that ends with a null pointer.
  const char* const* copy(std::span<const char* const> texts) const;
  const char* const* copy(std::span<const std::string> texts) const;
  template <class T>
  requires(std::is_trivially_copyable_v<T> && !std::is_convertible_v<const T&, std::string_view> &&
           !std::is_convertible_v<const T&, std::span<const char* const>>) T* copy(const T& object) const {
    return static_cast<T*>(copy_bytes(&object, sizeof object, alignof(T)));
  }

  // Waits until the kernels on the run's stream have ended, and then until all calls of the run have ended, posted ones
  // too. Throws error: launch_failed (a kernel failed), forked. After drain() the run does not use its stream, which
  // may then be destroyed, until os() is called again.
  void drain() const;

  // Whether the kernels have ended. Does not wait. Throws error(forked).
  bool finished() const;

  // Kernels were launched on the run's stream. The host may then sleep until they call (docs/architecture.md, Threads
  // and sleep); otherwise a thread looks for calls now and then. launch() says so itself; a program that launches by
  // <<<>>> may. Throws error(forked).
  void launched() const;

  // For launch() only: starts a kernel on the CPU device.
  void start_on_cpu(dim blocks, dim threads, std::size_t shared_bytes, std::function<void()> body) const;

 private:
  friend class runtime;
  const detail::wire::device_context& begin_launch() const;
  explicit run(std::shared_ptr<detail::run_state> state) : state_(std::move(state)) {}
  void* copy_bytes(const void* from, std::size_t bytes, std::size_t alignment) const;
  std::shared_ptr<detail::run_state> state_;
};

// Serves the system calls of kernels on one device, from construction to destruction. The destructor completes calls
// that wait, and later ones, with -ECANCELED. It waits at most shutdown_timeout_ms for kernels and calls. What they
// still use it leaves in memory until the process ends, and reports that on stderr.
//
// In a child of fork() the parent's runtimes and runs are unusable: their destructors, free_device, free_arena and
// revoke do nothing, and all other functions throw error(forked). The child may make its own runtime (docs/limits.md).
class runtime {
 public:
  // Throws error: not_built, no_driver, driver_too_old, no_device, no_pinned_memory, no_memory, bad_option, system,
  // forked; layout_mismatch if this program is compiled with the headers of another version than the library's.
  explicit runtime(const options& chosen = {}) : runtime(chosen, detail::wire::layout_version) {}
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  device_kind kind() const;
  // Returns one line: the device, its driver, seed, workers, queues, pinned memory, executor, policy.
  std::string describe() const;

  // Returns a run for kernels on `stream` (a cudaStream_t; null: CUDA's default stream), and wakes the workers. Reports
  // and recordings show `name`, which may be empty. Throws error: bad_option (2,047 runs are attached), no_memory,
  // forked.
  [[nodiscard]] run attach(void* stream = nullptr, const std::string& name = {});

  // Waits for all runs that are attached now, as run::drain() does. Throws error: launch_failed, forked.
  void drain();

  // From now on a worker takes the requests of a queue together: when the queue has `calls` of them (at most half of
  // its slots), or when the first has waited `window_us` (at most a second). If `window_us` is 0 or `calls` is less
  // than 2, it takes each at once.
  void coalesce(unsigned window_us, unsigned calls);

  // Records every call that threads of the process make from now on in this file, until stop_trace() or the end of the
  // runtime; `genesys trace` reads the file (docs/trace.md). `%p` and `%r` as in options::trace. An earlier recording
  // ends. Throws error(system). Any time, any thread.
  void trace(const std::string& path, const recording_content& content = {});
  // Ends the recording and closes its file. Without a recording it does nothing.
  void stop_trace();

  // Prints every call in flight (name, arguments, block, warp, state, age), and the mean stage times so far.
  void report(std::ostream& to) const;
  statistics stats() const;

  // Device memory, as from cudaMalloc: 256-byte aligned, not initialised. allocate_device throws error(no_memory).
  // free_device accepts null; for other addresses that allocate_device did not return, the CPU device throws
  // error(bad_option). While a run is attached it only notes the memory, and the end of the last run frees it, because
  // CUDA's own function would wait for the kernels. The copies and fill_device wait until they are done; they throw
  // error(launch_failed) if CUDA fails.
  void* allocate_device(std::size_t bytes);
  void free_device(void* memory);
  void copy_to_device(void* device, const void* host, std::size_t bytes);
  void copy_to_host(void* host, const void* device, std::size_t bytes);
  void fill_device(void* device, int byte, std::size_t bytes);
  // The bytes of device memory that are free now, for all processes that use the GPU. Does not wait for kernels.
  std::size_t free_device_bytes() const;

  // grant() lets kernels use a descriptor if the policy lets them use only their own ones (docs/security.md); revoke()
  // ends that. Do not close the descriptor before revoke(): its number may then name another file. grant throws
  // error(bad_option) if `fd` is not an open descriptor below 65,536.
  void grant(int fd);
  void revoke(int fd);

  // Memory of the arena, which kernels, host and Linux address: calls use it without a copy. 64-byte aligned. It lives
  // until free_arena() or the end of the runtime. The first use pins it, so it takes milliseconds. allocate_arena
  // throws error(no_memory) if the arena is full, and error(no_pinned_memory); free_arena accepts null, and throws
  // error(bad_option) for other addresses that allocate_arena did not return.
  void* allocate_arena(std::size_t bytes);
  void free_arena(void* memory);

 private:
  runtime(const options& chosen, std::uint32_t layout_of_headers);
  std::shared_ptr<detail::core> core_;
};

}  // namespace genesys
