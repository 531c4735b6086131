// SPDX-License-Identifier: Apache-2.0
// The CPU device: what a kernel's thread can ask of it, and how the host starts kernels on it.
// A kernel's threads are fibers. Each block lives on one OS thread (a "carrier") of a pool, and a
// fiber never moves to another one. The first group of functions is called inside a kernel, on the
// fiber; class device is called by host threads, any number at once.
//
// Several devices may exist at a time: the address ranges behind region_of() belong to the process,
// are reserved by the first device, and are shared by all of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace genesys::detail::cpu {

struct dims {
  unsigned x = 1, y = 1, z = 1;
};

/// Who a thread is. Constant while the thread lives.
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
// Set by the scheduler of this OS thread at each switch. Atomic only so that ThreadSanitizer, to
// which the fibers of one OS thread are different threads, has nothing to say.
extern constinit thread_local std::atomic<const thread_identity*> current_identity;

/// The running thread; outside a kernel an identity of zeros, a grid of one thread.
inline const thread_identity& self() noexcept {
  auto* identity = &current_identity;
  // Keeps GCC 12's check for null (UndefinedBehaviorSanitizer) off the flags of the addition that makes this address:
  // the linker turns it into one that sets none.
  __asm__("" : "+r"(identity));
  return *identity->load(std::memory_order_relaxed);
}

/// Whether the caller is a kernel's thread.
bool inside_kernel() noexcept;

/// Lets the other threads of this OS thread run. Outside a kernel: sched_yield().
void pause();

/// Nanoseconds since some fixed moment (CLOCK_MONOTONIC).
std::uint64_t clock_ns() noexcept;

// The rest may be called inside a kernel only; elsewhere they print a message and abort.

/// Barrier of all threads of the block that have not left (a thread that leaves may complete it).
/// What was written before it by any of them is visible to all of them after it.
void sync_block();
/// The same, and tells how many of them passed true. It is another barrier than sync_block().
int sync_block_count(bool predicate);

/// A call as a thread begins it (ops/call_hook.h). The numbers are those of scope_kind, ordering and wait_mode.
struct kernel_call {
  std::uint64_t number;       // of the system call
  const std::uint64_t* args;  // six
  unsigned char scope, order, mode;
  bool resumes;  // the thread waits for the call's ticket
};
/// From here to leave_call() the caller's barriers belong to this call. If threads of a scope meet at a barrier that
/// make different calls, or of which some make none, the device reports them and aborts the process. All arguments must
/// be equal, except addresses of private memory.
void begin_call(const kernel_call&);
/// The request is out, and this thread does not wait for it now.
void submitted_call();
/// The call has this result in this thread.
void ended_call(std::int64_t result);
void leave_call();

/// Sees the steps above of every call of every kernel of this process, on the thread that makes it, as long as it is
/// set. Null: none. For tests, and for tools that run kernels on the CPU device.
class call_observer {
 public:
  virtual void began(const kernel_call&) = 0;
  virtual void submitted() = 0;
  virtual void ended(std::int64_t result) = 0;

 protected:
  ~call_observer() = default;
};
void observe_calls(call_observer*);

/// The lanes that are converged with the caller: on this device only its own bit.
unsigned active_lanes();
/// Waits until all lanes of the mask that have not left are in a sync_warp of the same mask; orders
/// memory between them. The mask must name the caller. Several masks may be under way in a warp.
void sync_warp(unsigned lanes);
/// The lanes (of the mask, not left) that passed true. Orders no memory.
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
/// Which of the device's memories an address lies in (private_: the stack of a kernel's thread).
region region_of(const void* address) noexcept;

/// Whether processor and Linux have protection keys, so that deny_device_memory() has an effect.
/// False as well while no device was ever constructed.
bool has_protection_keys() noexcept;
/// Takes the access to device, shared and private memory from the calling OS thread, so that system
/// calls it makes with such addresses fail with EFAULT. Does nothing without protection keys.
void deny_device_memory() noexcept;
/// Gives it back. Needed (before a copy) by an OS thread that is older than the first device or that
/// was started by one without access: Linux starts them without.
void allow_device_memory() noexcept;

struct launch_state;  // one launch, from launch() on; it may outlive its device

struct device_options {
  // Threads resident at a time, a part of a warp counted as a whole one; a block that is larger runs alone on its OS
  // thread. 0: the default, 32,768 (2,048 under ThreadSanitizer, which is its most there).
  unsigned resident_threads_max = 0;
  // Of each thread's stack, in whole pages; from stack_bytes_min to stack_bytes_max. A sanitizer's build takes four
  // times as much (ThreadSanitizer's 2 MiB at most), and a device with large stacks has fewer resident threads.
  std::size_t stack_bytes = 64 * 1024;
  static constexpr std::size_t stack_bytes_min = 16 * 1024, stack_bytes_max = 4 * 1024 * 1024;
  unsigned os_threads = 0;         // 0: as many as the machine has; one per 1,024 residents at most
  std::uint64_t seed = 0;          // of the threads' order; 0: drawn
  unsigned spin_report_ms = 2000;  // 0: a thread that spins without pause() is not reported
};

class device {
 public:
  /// Throws std::system_error (no address space, no OS thread), std::invalid_argument (stack_bytes). If the program has
  /// no handler for SIGSEGV, one is set that reports stack overflows in kernels and leaves everything else as it was.
  explicit device(const device_options& = {});
  /// Waits until all launches have ended. Device memory that was not freed stays allocated.
  ~device();
  device(const device&) = delete;
  device& operator=(const device&) = delete;

  /// Device memory, 256-byte aligned, uninitialised; nullptr when exhausted or for 0 bytes.
  void* allocate_device(std::size_t bytes);
  /// False when this is not the start of an allocation. Touching freed pages faults.
  bool free_device(void* address);
  /// The allocation in which an address lies; false if in none. The out-pointers may be null.
  bool device_range(const void* address, void** base, std::size_t* bytes) const;

  unsigned warps_resident_max() const noexcept;
  unsigned resident_threads_max() const noexcept;  // what was chosen
  std::size_t stack_bytes() const noexcept;        // what a thread has
  unsigned os_threads() const noexcept;
  std::uint64_t seed() const noexcept;

  /// Starts a grid and returns at once. Launches of one stream handle run one after another, in
  /// order; those of different handles side by side. `body` is called by every thread and must live
  /// without the caller's frame; it is destroyed after its last call. Throws std::invalid_argument, saying why, for a
  /// bad configuration. An exception that leaves `body` ends the process; one that is caught in it must be done with
  /// before the thread pauses or meets others, because the C++ runtime keeps exceptions by OS thread.
  std::shared_ptr<launch_state> launch(dims grid, dims block, std::size_t shared_bytes, void* stream,
                                       std::function<void()> body);
  /// Waits for the launch; what its threads wrote is visible afterwards.
  void wait(launch_state&);
  /// The same for a limited time; false: it still runs.
  bool wait_for(launch_state&, unsigned timeout_ms);
  /// Whether it has ended; if so what its threads wrote is visible.
  bool done(launch_state&) const;
  /// Launches that have not ended.
  std::size_t launches_pending() const;

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace genesys::detail::cpu
