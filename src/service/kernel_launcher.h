// SPDX-License-Identifier: Apache-2.0
// Launches the non-stop kernel, on either device, in a stream of its own, and requests that have launches of their own,
// in others: in this process (cpu_launcher.cpp, cuda_launcher.cpp), or in a child process (child_launcher.h), which has
// one of these. One thread at a time calls it.
#pragma once

#include <memory>
#include <string>

#include "genesys/service.h"
#include "service/kernel_image.h"
#include "target/device.h"

namespace genesys::detail::services {

struct kernel_shape {
  unsigned blocks = 0, threads = 0;  // blocks: with the one that dispatches
};

// How many requests are launched at a time. The launches of one stream wait for each other.
constexpr u32 request_streams = 4;

class kernel_launcher {
 public:
  virtual ~kernel_launcher() = default;
  // Fills in what is zero, with a value for this device. Throws error(bad_option): so much is not resident at a time.
  virtual void choose(unsigned& blocks, unsigned& threads) = 0;
  // Starts a launch behind the last one. Throws error(launch_failed).
  virtual void launch(const kernel_shape& shape, const serve_context& with) = 0;
  // Of all launches of the non-stop kernel so far.
  virtual progress look() = 0;
  // Launches all blocks of a request; `threads`: of each. `with.first` is not used. Throws error(launch_failed).
  virtual void launch_request(unsigned threads, const launch_context& with) = 0;
  // Of all launches of requests so far.
  virtual progress look_at_requests() = 0;

  // Another kernel takes the place of this one. target(): what its linker must know.
  virtual link_target target() = 0;
  // No launch of the non-stop kernel is under way. Launches are of this kernel from here on. Loading its code waits for
  // all that runs in the device, for `wait_ms` at most. Throws error: launch_failed (something runs on), no_memory,
  // bad_option (so much is not resident at a time). Launches are of the old kernel then.
  virtual void swap(const kernel_image& image, unsigned wait_ms) = 0;
  // The first launch of the new kernel was refused: launches are of the old one again.
  virtual void swap_back() = 0;
};

// Calls launch(blocks, part) for the launches that a request is cut into.
template <class F>
void cut_request(launch_context with, const F& launch) {
  constexpr u32 blocks_of_launch_max = 1u << 16;
  for (u32 first = 0; first < with.blocks; first += blocks_of_launch_max) {
    with.first = first;
    launch(with.blocks - first < blocks_of_launch_max ? with.blocks - first : blocks_of_launch_max, with);
  }
}

// For the kind of the device. Throws error.
std::unique_ptr<kernel_launcher> launcher_for(device& on, const program& what);
#if GENESYS_WITH_CPU
std::unique_ptr<kernel_launcher> cpu_launcher(device& on, const program& what);
#endif
#if GENESYS_WITH_CUDA
std::unique_ptr<kernel_launcher> cuda_launcher(device& on, const program& what);  // throws error(not_built, no_memory)
#endif

}  // namespace genesys::detail::services
