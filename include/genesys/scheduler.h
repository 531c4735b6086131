// SPDX-License-Identifier: Apache-2.0
// Kernels by priority. A scheduler runs the kernels of several tasks on one device. A kernel of a more important task
// starts at once: the scheduler aborts the kernel that runs, restores its memory if that is needed, and runs it again
// later. For host programs; docs/schedule.md has the rules.
//
//   genesys::scheduler all;
//   genesys::task batch = all.add_task(10), urgent = all.add_task(-10);
//   float* data = static_cast<float*>(all.allocate(bytes));
//   genesys::launched one = batch.launch({.blocks = {4096}, .threads = {256}}, train{}, data, n);
//   urgent.launch({.blocks = {132}, .threads = {1024}}, infer{}, input, output).wait();
//   one.wait();
//
// The kernels are functors, as those of launch.h, without `os`: a kernel that makes system calls cannot be run again.
// Or they come from PTX or a fatbin: scheduler::load().
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "genesys/detail/wire/types.h"
#include "genesys/error.h"
#include "genesys/kernel.h"
#include "genesys/options.h"
#include "genesys/resident_kernel.h"

namespace genesys {

// Whether a kernel may be aborted and run again.
enum class rerun {
  // CUDA: what its PTX and its arguments show. CPU device: never, because there is no PTX.
  as_classified,
  // It gives the same result if it runs again after it was aborted anywhere. The caller promises that.
  idempotent,
  // After an abort, the memory of task_launch::writes is restored. The kernel changes nothing else.
  after_restoring,
  never
};

struct memory_range {
  void* begin = nullptr;
  std::size_t bytes = 0;
};

// The shape of a launch, and what the caller knows of the kernel.
struct task_launch {
  dim blocks = {};               // of the grid
  dim threads = {};              // of each block
  std::size_t shared_bytes = 0;  // dynamic shared memory of each block
  rerun again = rerun::as_classified;
  std::vector<memory_range> writes = {};  // device memory; for after_restoring
};

struct scheduler_options {
  options device = {};  // of the CPU device; `device.device` chooses the device
  // Memory for snapshots of what kernels write. What does not fit into device memory goes to pinned memory. A kernel
  // whose snapshot has no space is not aborted.
  std::size_t snapshot_device_bytes = std::size_t{8} << 30;
  std::size_t snapshot_pinned_bytes = std::size_t{1} << 30;
  // A waiting task rises by one nice value after each such time, or after the time that its kernel takes, if that is
  // longer. 0: never; then a more important task that never rests keeps all others from the device.
  std::uint64_t aging_step_us = 10'000;
  // So long a more important kernel may wait for the end of another one, or for its blocks, if that costs less than to
  // abort it. 0: it never waits where an abort is possible.
  std::uint64_t wait_max_us = 50;
  // A kernel whose blocks run shorter gets no polls: a more important kernel has their place as soon. 0: all get polls.
  std::uint64_t short_block_us = 20;
  // A kernel gets no polls either if all that more important tasks have launched is resident beside its blocks, at once
  // or when so few of them have left that it takes short_block_us. An urgent kernel then begins as soon, but it shares
  // multiprocessors until these blocks end, and may run slower. False: such kernels get polls, and are aborted.
  bool share_multiprocessors = true;
  // A snapshot that takes at most so long is stored before anything less important runs, so the device may wait for it.
  // A longer one is stored beside what runs. 0: all are; then less important kernels never wait for a snapshot.
  std::uint64_t snapshot_hold_max_us = 2'000;
  // A kernel that runs at most so long has no snapshot if that would take more than a quarter of its run. It is then
  // not aborted: a more important kernel waits for its blocks. 0: each kernel that needs a snapshot has one.
  std::uint64_t undivided_max_us = 250;
  // If the kernels of a task mostly follow each other within half of this time, the device waits for the next one at
  // most so long before it begins with what is less important. 0: it does not wait.
  std::uint64_t gap_max_us = 100;
  // A kernel that was aborted so often in a row, and has waited for 20 times its run, is let run. 0: no limit. Without
  // aging (aging_step_us 0) there is none.
  unsigned aborts_max = 4;
  // service_server::resident(): the kernel of a service_server raises the abort flags, and the scheduler needs no
  // resident kernel of its own. An isolated server, or one that has ended, does not; then it has its own.
  std::shared_ptr<resident_kernel> resident = {};
  // A file for the Perfetto viewer: launches, aborts, snapshots and roll-backs of all tasks. Empty: the environment's
  // GENESYS_SCHEDULE_TIMELINE; else none.
  std::string timeline = {};
};

namespace schedule {
class completion;
}
namespace detail::scheduling {
class core;
struct task_state;
struct module_state;

// A kernel with its arguments, for core::launch().
struct request {
  const void* entry = nullptr;           // a __global__ function; or
  const module_state* module = nullptr;  // a kernel of a module, by name
  std::string name;
  std::function<void()> body;  // CPU device
  std::vector<std::byte> arguments;
  std::vector<std::uint32_t> offsets, sizes;  // of each argument
};

template <class T>
void append(request& to, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>, "kernels take plain values");
  const std::size_t at = (to.arguments.size() + alignof(T) - 1) / alignof(T) * alignof(T);
  to.arguments.resize(at + sizeof(T));
  std::memcpy(to.arguments.data() + at, &value, sizeof(T));
  to.offsets.push_back(static_cast<std::uint32_t>(at));
  to.sizes.push_back(static_cast<std::uint32_t>(sizeof(T)));
}

template <class... Args>
void append_all(request& to, const Args&... args) {
  to.arguments.reserve((std::size_t{0} + ... + (sizeof(Args) + alignof(Args))));
  to.offsets.reserve(sizeof...(Args));
  to.sizes.reserve(sizeof...(Args));
  (append(to, args), ...);
}

#if defined(__CUDACC__)
template <class F, class... Args>
__global__ void scheduled_entry(F kernel, Args... args) {
  kernel(args...);
}
#endif
}  // namespace detail::scheduling

// One launch of a task. Copies share its state.
class launched {
 public:
  // Waits until the kernel has run whole. Throws error(launch_failed).
  void wait() const;
  bool is_done() const;

 private:
  friend class task;
  std::shared_ptr<const schedule::completion> end_;
};

// Kernels that the scheduler loaded. CUDA only.
class kernel_module {
 private:
  friend class scheduler;
  friend class task;
  std::shared_ptr<const detail::scheduling::module_state> state_;
};

// Launches that run one after another, with one nice value. Any thread may use it, several threads at once. Copies
// share its state; the last one waits for the launches.
class task {
 public:
  // Runs `kernel(args...)` in every thread of the grid, after the earlier launches of this task, and returns at once.
  // The kernel and its arguments are trivially copyable. Throws error: launch_failed, not_built (on a GPU, in a file
  // that nvcc did not compile).
  template <class F, class... Args>
  requires(!std::is_same_v<F, kernel_module>) launched launch(const task_launch& how, F kernel, Args... args)
  const {
    detail::scheduling::request what;
    what.name = typeid(F).name();
    if (runs_on_cpu()) what.body = [=] { kernel(args...); };
#if defined(__CUDACC__)
    what.entry = reinterpret_cast<const void*>(&detail::scheduling::scheduled_entry<F, Args...>);
    detail::scheduling::append_all(what, kernel, args...);
#endif
    return start(how, std::move(what));
  }

  // The same for a kernel of a module, by its name there, and its parameters in their order. Throws error: bad_option
  // (no such kernel, or other parameters), launch_failed.
  template <class... Args>
  launched launch(const task_launch& how, const kernel_module& of, std::string_view name, Args... args) const {
    detail::scheduling::request what;
    what.module = of.state_.get();
    what.name = name;
    detail::scheduling::append_all(what, args...);
    return start(how, std::move(what));
  }

  // Waits for all launches so far.
  void wait() const;
  // From -20, the most important, to 19, as in nice(2). At -20 nothing aborts the task.
  void set_nice(int nice) const;

 private:
  friend class scheduler;
  bool runs_on_cpu() const;
  launched start(const task_launch& how, detail::scheduling::request what) const;
  std::shared_ptr<detail::scheduling::task_state> state_;
};

// What a scheduler has done so far for one kernel. Times are sums over its launches, in microseconds.
struct kernel_counts {
  std::string kernel;                               // its C++ name
  std::uint64_t launches = 0, completed = 0;        // a launch that is aborted is made again
  std::uint64_t aborts = 0, drains = 0, waits = 0;  // how often a more important kernel went first, by which way
  std::uint64_t snapshots = 0, snapshot_bytes = 0;
  double wasted_us = 0;  // of launches that were aborted
  double snapshot_us = 0, roll_back_us = 0;
  double block_us = 0;  // its longest block; 0: not measured
};

// Any thread may call these functions.
class scheduler {
 public:
  // Throws error: not_built, no_driver, no_device, no_memory, no_pinned_memory, bad_option.
  explicit scheduler(const scheduler_options& chosen = {});
  // Waits for all launches.
  ~scheduler();
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  device_kind kind() const;
  std::string describe() const;

  // At most 16 tasks exist at a time. Throws error(bad_option).
  task add_task(int nice = 0);

  // Loads PTX, a fatbin or a cubin (CUDA only). Kernels that come as machine code alone are never aborted. Throws
  // error: not_built (the CPU device), bad_option (the driver refuses the code).
  kernel_module load(std::string_view code);

  // Device memory. The classifier knows kernels' memory by these allocations and asks the driver about others. free()
  // waits for no kernel, as cudaFree does; no launch may still use the memory. It stays with the scheduler, for later
  // allocations.
  void* allocate(std::size_t bytes);
  void free(void* memory);
  void copy_to_device(void* device, const void* host, std::size_t bytes);
  void copy_to_host(void* host, const void* device, std::size_t bytes);

  // A row for each kernel that was launched, in the order of their first launches.
  std::vector<kernel_counts> counts() const;
  // Prints them.
  void report(std::ostream& to) const;

 private:
  std::shared_ptr<detail::scheduling::core> core_;
};

}  // namespace genesys
