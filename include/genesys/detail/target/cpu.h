// SPDX-License-Identifier: Apache-2.0
// The CPU device: the functions that a kernel's thread calls, and the class with which the host starts kernels.
// A kernel's threads are fibers. One OS thread (a "carrier") of a pool runs all fibers of a block, and a
// fiber never moves to another one. The first group of functions runs inside a kernel, on the fiber.
// Any number of host threads may call class device at once.
//
// Several devices may exist at a time. The address ranges behind region_of() belong to the process: the
// first device reserves them, and all devices share them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace genesys::detail::aborts {
struct launch_context;  // wire/abort.h
}

namespace genesys::detail::cpu {

struct dims {
  unsigned x = 1, y = 1, z = 1;
};

/// The identity of a thread. Constant while the thread lives.
struct thread_identity {
  dims block_index{0, 0, 0}, thread_index{0, 0, 0}, block_dims, grid_dims;
  unsigned thread_rank = 0;  // linear in the block, x fastest
  unsigned block_rank = 0;   // linear in the grid, x fastest
  unsigned lane = 0;         // 0..31
  unsigned warp = 0;         // in the block
  unsigned warp_hint = 0;    // unique among the warps resident now, < device::warps_resident_max()
  std::uint64_t launch = 0;  // counts the device's launches from 1
};

inline constexpr thread_identity no_identity{};
// Set by the scheduler of this OS thread at each switch. Atomic only for ThreadSanitizer, to which the fibers of one OS
// thread are different threads.
extern constinit thread_local std::atomic<const thread_identity*> current_identity;

/// The running thread; outside a kernel an identity of zeros, a grid of one thread.
inline const thread_identity& self() noexcept {
  auto* identity = &current_identity;
  // Hides the address from the compiler. Otherwise GCC 12's null check (UndefinedBehaviorSanitizer) uses the flags of
  // the addition that makes this address, and the linker turns that addition into an instruction that sets no flags.
  __asm__("" : "+r"(identity));
  return *identity->load(std::memory_order_relaxed);
}

/// Whether the calling thread is a kernel's thread.
bool inside_kernel() noexcept;

/// Lets the other threads of this OS thread run. Outside a kernel it is sched_yield().
void pause();

/// Stores 1 into the word and wakes the threads that wait for it with std::atomic_ref.
void raise_interrupt(std::uint32_t* word) noexcept;

/// Nanoseconds since a fixed moment (CLOCK_MONOTONIC).
std::uint64_t clock_ns() noexcept;

// Only a kernel's thread may call the functions below; elsewhere they print a message and abort.

/// Barrier of all threads of the block that have not left (a thread that leaves may complete it).
/// What was written before it by any of them is visible to all of them after it.
void sync_block();
/// The same, and returns how many of them passed true. It is a different barrier from sync_block().
int sync_block_count(bool predicate);

/// A call as a thread begins it (ops/call_hook.h). The numbers are those of scope_kind, ordering and wait_mode.
struct kernel_call {
  std::uint64_t number;       // of the system call
  const std::uint64_t* args;  // six
  unsigned char scope, order, mode;
  bool resumes;  // the thread waits for the call's ticket
};
/// From here to leave_call() the thread's barriers belong to this call. If threads meet at a barrier of a scope and
/// make different calls, or some make none, the device reports them and aborts the process. All arguments must be
/// equal, except addresses of private memory.
void begin_call(const kernel_call&);
/// The request is published, and this thread does not wait for it now.
void submitted_call();
/// The call has this result in this thread.
void ended_call(std::int64_t result);
void leave_call();

/// An observer of the steps above, for every call of every kernel of this process, on the thread that makes the call.
/// observe_calls() sets it; null: none. For tests, and for tools that run kernels on the CPU device.
class call_observer {
 public:
  virtual void began(const kernel_call&) = 0;
  virtual void submitted() = 0;
  virtual void ended(std::int64_t result) = 0;

 protected:
  ~call_observer() = default;
};
void observe_calls(call_observer*);

/// The lanes that are converged with the calling one: on this device only its own bit.
unsigned active_lanes();
/// Waits until all lanes of the mask that have not left are in a sync_warp of the same mask; orders memory between
/// them. The mask must contain the calling lane. Lanes of a warp may wait with several masks at a time.
void sync_warp(unsigned lanes);
/// The lanes of the mask that have not left and passed true. Orders no memory.
unsigned ballot(unsigned lanes, bool predicate);
/// The value that source_lane (mod 32) passed; 0xA5A5.. if it is not in the mask or has left.
/// Orders no memory.
std::uint64_t shuffle(unsigned lanes, std::uint64_t value, unsigned source_lane);

/// The block's object for this tag, 16-byte aligned (256 from 256 bytes on); filled with 0xA5 when
/// the block first asks. At most shared_objects_max tags a block.
void* shared_static(const void* tag, std::size_t bytes);
/// The launch's shared_bytes, 256-byte aligned, filled with 0xA5 when the block starts.
void* dynamic_shared();

inline constexpr unsigned warp_lanes = 32;
inline constexpr unsigned block_threads_max = 1024;
inline constexpr std::size_t shared_bytes_max = 227 * 1024;  // dynamic and static together
inline constexpr unsigned shared_objects_max = 64;

enum class region { none, device, shared, private_ };
/// The device's memory that holds an address (private_: the stack of a kernel's thread).
region region_of(const void* address) noexcept;

/// Whether the processor and Linux have protection keys (pkeys(7)), so that deny_device_memory() has an effect. Also
/// false before the first device of the process is constructed.
bool has_protection_keys() noexcept;
/// Denies the calling OS thread access to device, shared and private memory: system calls that it makes with such
/// addresses fail with EFAULT. Without protection keys it does nothing.
void deny_device_memory() noexcept;
/// Allows it again. Before it copies device memory, an OS thread needs this if it is older than the first device, or if
/// a thread without access started it: Linux starts threads without access.
void allow_device_memory() noexcept;

struct launch_state;  // one launch; may outlive its device

struct device_options {
  // Threads resident at a time; part of a warp counts as a whole one. A larger block runs alone on its OS thread. 0:
  // the default, 32,768 (2,048 under ThreadSanitizer, which is also its maximum there).
  unsigned resident_threads_max = 0;
  // The stack of each thread, in whole pages, from stack_bytes_min to stack_bytes_max. Builds with a sanitizer allocate
  // four times as much (under ThreadSanitizer at most 2 MiB). A device with large stacks has fewer resident threads.
  std::size_t stack_bytes = 64 * 1024;
  static constexpr std::size_t stack_bytes_min = 16 * 1024, stack_bytes_max = 4 * 1024 * 1024;
  unsigned os_threads = 0;         // 0: as many as the machine has processors; at most one for 1,024 resident threads
  std::uint64_t seed = 0;          // decides the order of threads; 0: a random one
  unsigned spin_report_ms = 2000;  // reports a thread that spins this long without pause(); 0: none
};

class device {
 public:
  /// Throws std::system_error (no address space, no OS thread), std::invalid_argument (stack_bytes). If the program has
  /// no handler for SIGSEGV, the device sets one. It reports stack overflows in kernels and leaves other faults as they
  /// are.
  explicit device(const device_options& = {});
  /// Waits until all launches have ended. Device memory that is still allocated stays so.
  ~device();
  device(const device&) = delete;
  device& operator=(const device&) = delete;

  /// Device memory, 256-byte aligned, not initialised. Returns nullptr if none is left, or for 0 bytes.
  void* allocate_device(std::size_t bytes);
  /// Returns false if `address` is not the start of an allocation. An access to freed pages faults.
  bool free_device(void* address);
  /// The allocation that holds an address. Returns false if none does. The out-pointers may be null.
  bool device_range(const void* address, void** base, std::size_t* bytes) const;

  unsigned warps_resident_max() const noexcept;
  unsigned resident_threads_max() const noexcept;  // as chosen
  std::size_t stack_bytes() const noexcept;        // of each thread
  unsigned os_threads() const noexcept;
  std::uint64_t seed() const noexcept;

  /// Starts a grid and returns at once. Launches of one stream handle run one after another, in order; those of
  /// different handles run side by side. Every thread calls `body`. It must not refer to the frame of launch()'s
  /// caller, and is destroyed after its last call. Throws std::invalid_argument with the reason for a bad
  /// configuration. An exception that leaves `body` ends the process. `body` must handle an exception that it catches
  /// before the thread pauses or meets others, because the C++ runtime keeps exceptions by OS thread.
  ///
  /// A launch with `abort` ends early as wire/abort.h says. The device looks at the flag before each turn that it gives
  /// to a thread, and ends all threads of a block at the same time: an exception unwinds their stacks, so `body` must
  /// not catch what it does not know, and a destructor of the kernel's must not wait for other threads.
  std::shared_ptr<launch_state> launch(dims grid, dims block, std::size_t shared_bytes, void* stream,
                                       std::function<void()> body, const aborts::launch_context* abort = nullptr);
  /// Waits until the launch has ended. What its threads wrote is visible afterwards.
  void wait(launch_state&);
  /// The same for a limited time. Returns false if the launch still runs.
  bool wait_for(launch_state&, unsigned timeout_ms);
  /// Whether the launch has ended. If so, what its threads wrote is visible.
  bool done(launch_state&) const;
  /// The number of launches that have not ended.
  std::size_t launches_pending() const;

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace genesys::detail::cpu
