// SPDX-License-Identifier: Apache-2.0
// The interface of both devices to the host: memory of each kind, what an address is, starting and ending of kernels.
// Implemented by target/cuda and target/cpu; used by memory/ and host/. Any thread may call any function.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "genesys/detail/wire/abort.h"
#include "genesys/detail/wire/protocol.h"
#include "genesys/error.h"
#include "genesys/kernel.h"
#include "genesys/options.h"
#include "target/device_memory.h"
#include "target/interrupt.h"
#include "target/mapper.h"

namespace genesys::detail {

// What an address is, and the range it lies in.
struct address_info {
  pointer_kind kind = pointer_kind::unknown;
  u64 begin = 0, bytes = 0;
};

enum class progress {
  under_way,
  ended,
  unknown,  // the device cannot tell: a kernel failed, or the stream is destroyed
};

// One run's kernels on a device.
class launches {
 public:
  virtual ~launches() = default;
  // The program has launched kernels, in the calling thread. Throws nothing.
  virtual void launched() = 0;
  // Whether some of the kernels that launched() was told are under way. Does not touch the program's stream.
  virtual bool are_under_way() = 0;
  // Makes another stream of the device wait until these kernels have ended. False: the device refuses.
  virtual bool hold_back(void* stream) = 0;
  // Waits until they have ended; throws error(launch_failed) if one failed.
  virtual void wait() = 0;
  virtual progress look() = 0;
  // How many have not ended; 0 also if the device does not count them.
  virtual std::size_t count() { return 0; }
  // CPU device only. `abort`: if it is not null, the launch ends early as detail/wire/abort.h says: threads need no
  // polls, because the device looks at the flag wherever it switches threads.
  virtual void start(dim blocks, dim threads, std::size_t shared_bytes, std::function<void()> body,
                     const aborts::launch_context* abort) = 0;
};

class device : public device_memory {
 public:
  virtual device_kind kind() const = 0;
  virtual std::string describe() const = 0;
  virtual u32 warps_resident_max() const = 0;
  // The same in all processes that use this device, and in no others.
  virtual u64 number() const { return 0; }

  // Memory that both sides address, zeroed. Throws error(no_pinned_memory). Freeing may wait for any kernel.
  virtual void* allocate_both(std::size_t bytes) = 0;
  // The same, but each part is usable only after provide(), which zeroes it. Parts begin at multiples of 4 KiB.
  virtual void* reserve_both(std::size_t bytes) = 0;
  // False: there is not enough memory. Does not wait for kernels.
  virtual bool provide(void* part, std::size_t bytes) = 0;
  virtual void free_both(void* memory) = 0;  // of allocate_both() or reserve_both()
  virtual void copy_to_device(void* device, const void* host, std::size_t bytes) = 0;
  // Loads words that kernels may change meanwhile; each arrives whole. There are `words` in each of `rows` rows, which
  // begin `apart` bytes apart.
  virtual void load_words(u64* into, const void* device, u32 words, u32 rows, std::size_t apart) = 0;

  // Says what an address is. Never waits for kernels.
  virtual address_info ask(u64 address) = 0;
  // For memory that kernels map.
  virtual mapper& memory_mapper() = 0;
  // Kernels launched on `stream` from now on.
  virtual std::unique_ptr<launches> attach(void* stream) = 0;
  // Called by each thread that makes system calls, before the first.
  virtual void enter_serving_thread() = 0;
  // `words`: in allocate_both() memory. Null: the driver lacks what it takes. CUDA makes nothing before the first
  // arm().
  virtual std::unique_ptr<interrupt> make_interrupt(interrupt_words& words, producer_state* producers, u32 queues) = 0;
};

// The device that `chosen` asks for. Throws error.
std::unique_ptr<device> open_device(const options& chosen);

#if GENESYS_WITH_CUDA
std::unique_ptr<device> open_cuda_device();  // throws error(no_driver, driver_too_old, no_device)
#endif
#if GENESYS_WITH_CPU
std::unique_ptr<device> open_cpu_device(const options& chosen);
#endif

}  // namespace genesys::detail
