// SPDX-License-Identifier: Apache-2.0
// The host's side of genesys: a runtime serves the system calls of kernels; a run stands for one launch in flight. Used
// by host programs, on any thread; functions say where that is not so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "genesys/error.h"
#include "genesys/os.h"

namespace genesys {

enum class device_kind { any, cpu, cuda };

// Who makes the calls (docs/performance.md tells which is best for what).
enum class executor_kind {
  any,      // the environment's GENESYS_EXECUTOR (threads, uring, direct); else threads
  threads,  // the worker that took the request
  uring,    // where the call would wait for a disk, io_uring; else the worker. Without io_uring: threads
  direct,   // kernels submit to Linux themselves (docs/direct.md); what they cannot: the worker. Else as uring
};

// How kernels wait for answers unless they say it themselves (os::waits, docs/semantics.md). by_scope: as measured to
// be best for a thread, a warp, a block, a grid (docs/performance.md).
enum class wait_strategy { by_scope, back_off, spin };

// How a runtime is set up. Zero means: chosen for this machine. describe() tells what was chosen.
struct options {
  device_kind device =
      device_kind::any;  // any: the environment's GENESYS_DEVICE (cpu, cuda); else CUDA if it is there, else CPU
  executor_kind executor = executor_kind::any;
  unsigned workers = 0;                   // threads that make calls, as long as none of them is held up
  unsigned workers_max = 1024;            // threads in all, with those held up in calls that block
  unsigned queues = 0;                    // queues of requests; as many as workers
  unsigned slots_per_queue = 1024;        // requests that a queue holds, a power of two, at least 64
  std::size_t arena_bytes = 64u << 20;    // memory for allocate_arena and run::copy
  std::size_t bounce_bytes = 112u << 20;  // memory through which staged arguments pass, at least 16 MiB
  unsigned rings = 0;  // executor direct: rings of io_uring that kernels share, at most 16, a thread of Linux each
  // Entries of each, a power of two from 2 to 16,384: calls that Linux has not begun. (If more lanes of a warp than
  // that call together, threads make these calls.)
  unsigned ring_entries = 4096;
  unsigned stall_us = 100;  // a call that takes longer is left to its worker, and its queue given to another
  // Coalescing: the requests of a queue are taken together, when so many are there or the first has waited so long.
  // 0: at once. runtime::coalesce() changes it.
  unsigned coalesce_us = 0, coalesce_calls = 0;
  unsigned idle_us = 200;  // a worker without work sleeps after this
  // How often, at least, sleeping queues are looked at while a run is attached; but after many seconds without a call
  // so seldom that one may wait a two-thousandth of that time, or ten times this.
  unsigned monitor_us = 400;
  unsigned grid_calls_max = 64;  // calls of one grid under way at a time, a power of two; more get -EAGAIN
  wait_strategy wait = wait_strategy::by_scope;
  unsigned parked_max = 65536;  // calls that wait for descriptors or time; more get -EAGAIN
  // What kernels have unmapped, but cannot be let go before they end (docs/memory.md): bytes, mappings. Past them
  // munmap gives -ENOMEM.
  std::uint64_t quarantine_bytes = std::uint64_t{4} << 30;
  unsigned quarantine_mappings = 4096;
  unsigned shutdown_timeout_ms = 2000;    // how long the end waits for kernels and calls
  unsigned stall_warn_ms = 10000;         // a call that takes longer is named on stderr, once; 0: never
  unsigned resident_threads_max = 32768;  // CPU device: threads that exist at a time
  // What kernels may ask for (docs/security.md): `all`, `io`, `strict`, `none`, or a file with rules; empty: the
  // environment's GENESYS_POLICY, else all. And rules on top of it, a line each.
  std::string policy = {};
  std::string policy_rules = {};
  // Limits; 0: none. The rules may have them, too, and then theirs hold.
  unsigned descriptors_max = 0;        // that kernels have open; beyond it -EMFILE
  std::uint64_t mapped_bytes_max = 0;  // that kernels have mapped; beyond it -ENOMEM
  std::uint64_t calls_per_second = 0;  // beyond it -EAGAIN
  std::uint64_t seed = 0;              // CPU device: the order of threads; 0: drawn
  bool sigquit = true;  // SIGQUIT (Ctrl-\) prints report() to stderr, where the program has no handler of its own
};

// What a runtime has done so far.
struct statistics {
  std::map<std::string, std::uint64_t> calls;   // completed by threads of the process, by name
  std::uint64_t completed = 0;                  // these, and direct_calls
  std::map<std::string, std::uint64_t> denied;  // by the policy, by name
  std::uint64_t posted = 0;                     // posted calls that are finished
  std::uint64_t posted_failed = 0;              // those that gave an error
  std::uint64_t grid_calls_missed = 0;          // calls of grids that not all blocks made
  std::uint64_t parked = 0;                     // waits on descriptors and timers, all so far
  std::uint64_t queue_migrations = 0;           // queues given to another worker because a call took long
  std::uint64_t bundles = 0;                    // times that requests of a queue were taken, one or several at once
  std::uint64_t uring_calls = 0;                // executor uring: calls that were given to io_uring,
  std::uint64_t uring_submissions = 0;          // and in how many submissions
  std::uint64_t direct_calls = 0;               // executor direct: calls that kernels submitted themselves
  std::uint64_t malformed = 0;                  // requests that made no sense and were dropped
  unsigned workers = 0;                         // threads now
  std::uint64_t mapped_device_bytes = 0, mapped_host_bytes = 0;  // what kernels have mapped, as it is now
  std::uint64_t quarantined_bytes = 0;                           // and unmapped, but could not be let go yet
  // Of one call in seventeen.
  double queued_us_mean = 0;  // from publishing to being picked up, over what is measurable (steps of 1 us)
  double served_us_mean = 0;  // from being picked up to the answer
};

namespace detail {
class core;
struct run_state;
}  // namespace detail

// One launch in flight, or several on the same stream: hands kernels their `os`, owns the copies made for them. The
// last copy of it drains on destruction. A run must not be used by two threads at once.
class run {
 public:
  // For the kernel, by value.
  genesys::os os() const;

  // A copy of a string or of a trivially copyable object in memory that the kernel can read; lives as long as the run.
  const char* copy(std::string_view text) const;
  template <class T>
  requires(std::is_trivially_copyable_v<T> &&
           !std::is_convertible_v<const T&, std::string_view>) T* copy(const T& object) const {
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
  explicit run(std::shared_ptr<detail::run_state> state) : state_(std::move(state)) {}
  void* copy_bytes(const void* from, std::size_t bytes, std::size_t alignment) const;
  std::shared_ptr<detail::run_state> state_;
};

// Serves the system calls of kernels on one device, from construction to destruction. The destructor answers calls that
// wait, and later ones, with -ECANCELED, waits at most shutdown_timeout_ms, and then leaves behind what a kernel or a
// call still uses, and says so on stderr.
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
