// SPDX-License-Identifier: Apache-2.0
// What the driver asks of a device: launches in levels of priority, copies beside them, and whether they have ended.
// Implemented by cuda_execution and cpu_execution. One thread at a time calls it, under the driver's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "genesys/detail/wire/abort.h"
#include "genesys/detail/wire/block_times.h"
#include "genesys/kernel.h"
#include "genesys/resident_kernel.h"
#include "schedule/abort/flag_raiser.h"
#include "schedule/driver/residency.h"
#include "schedule/policy/kernel_facts.h"
#include "target/device.h"

namespace genesys::schedule {

// A kernel with its shape and arguments. Whoever makes it keeps the code loaded until the launch is complete.
struct kernel_launch {
  dim blocks{}, threads{};
  std::size_t shared_bytes = 0;
  // CPU device.
  std::function<void()> body;
  // CUDA: as cudaLaunchKernelExC takes them. `instrumented` has polls and one more parameter, launch_context; or null.
  const void* plain = nullptr;
  const void* instrumented = nullptr;
  // Code that measures how long its blocks run, with block_times behind its own parameters. `polls`: and with
  // launch_context behind that, so that it can be aborted, too. CPU device: any kernel can be timed.
  enum class timing { none, plain, polls };
  timing timed_code = timing::none;
  const void* timed = nullptr;
  std::vector<std::byte> arguments;
  std::vector<std::uint32_t> offsets;  // of each argument
  std::vector<std::uint32_t> sizes;    // of each argument, in bytes; empty: not known
  bool is_cooperative = false;

  std::uint64_t threads_in_all() const {
    return std::uint64_t{blocks.x} * blocks.y * blocks.z * threads.x * threads.y * threads.z;
  }
};

class execution {
 public:
  // A place in the order of what was asked for. It is passed when all of that has ended.
  using mark = std::uint64_t;

  virtual ~execution() = default;
  virtual detail::device& on() = 0;

  // Starts the kernel after all earlier ones of this level. Blocks of a higher level go before blocks of lower ones, if
  // the device can do that. `abort`: the instrumented kernel, or on the CPU device one that may be aborted; null: the
  // plain one. `times`: the timed kernel, which gets both parameters if its timing is `polls`. Throws
  // error(launch_failed).
  virtual mark launch(const kernel_launch& what, unsigned level, const detail::aborts::launch_context* abort,
                      const detail::times::block_times* times) = 0;
  // The next launch of this level begins when the mark is passed.
  virtual void begin_after(unsigned, mark) {}
  // Copies device memory, or between it and pinned memory, beside all kernels and other copies.
  virtual mark copy(void* to, const void* from, std::size_t bytes) = 0;
  // The same behind the launches of a level so far, to pinned memory. 0: the device cannot do that.
  virtual mark copy_after(unsigned, void*, const void*, std::size_t) { return 0; }
  virtual bool passed(mark at) = 0;
  // `at` is not asked for again.
  virtual void forget(mark) {}
  // Throws error(launch_failed) if a kernel failed; marks behind it are then never passed. It may take a microsecond.
  virtual void look_for_failure() {}

  enum class code { plain, instrumented, timed };
  // What one of its blocks takes of a multiprocessor.
  virtual block_needs needs_of(const kernel_launch&, code) { return {}; }
  virtual multiprocessor_limits limits() const { return {}; }
  // How many blocks of one of the kernels run at a time; 0: not known.
  std::uint64_t blocks_at_a_time(const kernel_launch& what, code which) {
    return std::uint64_t{needs_of(what, which).at_a_time} * limits().multiprocessors;
  }

  // Copies of abort flags that begin at once. Null: the device has none.
  virtual flag_copies* copies_of_flags() { return nullptr; }

  // A resident raiser, which the device then runs before the next launch. The mark is passed when it has left.
  virtual bool has_raiser() const { return false; }
  virtual mark start_raiser(const detail::aborts::raiser_context&) { return 0; }

  // Device memory that kernels use. Any thread may call these, without the lock. Unlike the device's own, they wait for
  // no kernel. Throws error(no_memory).
  virtual void* allocate(std::size_t bytes) { return on().allocate(bytes); }
  virtual void free(void* memory) { on().free(memory); }

  virtual time_ns now() const = 0;
  // How long the driver's thread sleeps between two looks at what is under way; 0: it does not.
  virtual time_ns nap() const { return 0; }
};

std::unique_ptr<execution> cpu_execution(const options& chosen);
#if GENESYS_WITH_CUDA
// `resident`: null, or it serves as the resident raiser while it can.
std::unique_ptr<execution> cuda_execution(std::shared_ptr<resident_kernel> resident);
#endif

}  // namespace genesys::schedule
