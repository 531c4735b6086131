// SPDX-License-Identifier: Apache-2.0
// One launch that the program asked for, with a copy of its arguments, so that it can be issued again. Made by the
// functions of own_launches.cpp on the program's thread; a kept copy may be used on any thread whose current context is
// the launch's.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "schedule/standin/driver_api.h"
#include "schedule/standin/kernel.h"

namespace genesys::schedule::standin {

// The launch as the program gave it.
struct given_launch {
  CUfunction function = nullptr;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  unsigned shared_bytes = 0;
  CUstream stream = CU_STREAM_LEGACY;  // never null
  bool is_cooperative = false;         // by the function that was called; attributes may also say so
  bool is_by_configuration = false;    // by cuLaunchKernelEx
  std::span<const CUlaunchAttribute> attributes = {};
  void** parameters = nullptr;  // an address for each argument, or null
  void** extra = nullptr;       // a buffer with the arguments, or null
};

class observed_launch {
 public:
  observed_launch(std::shared_ptr<kernel> what, const given_launch& given);

  const std::shared_ptr<kernel>& launched() const { return kernel_; }
  CUfunction function() const { return function_; }
  std::span<const unsigned, 3> grid() const { return grid_; }
  std::span<const unsigned, 3> block() const { return block_; }
  std::uint64_t threads() const;
  unsigned shared_bytes() const { return shared_bytes_; }
  CUstream stream() const { return stream_; }
  // The context that was current; null if the driver does not say.
  CUcontext context() const { return context_; }

  // Each parameter at its offset. Empty and has_arguments() false: the layout is not known, so the launch cannot be
  // kept or issued as a variant.
  std::span<const std::byte> arguments() const { return arguments_; }
  bool has_arguments() const { return has_arguments_; }

  bool is_cooperative() const { return is_cooperative_; }
  bool has_clusters() const { return has_clusters_; }
  bool is_captured() const { return is_captured_; }  // the stream records it into a graph, and runs nothing
  // It has attributes that tie it to other work: events, programmatic dependent launch, updates from the device.
  bool has_ties() const { return has_ties_; }
  // Whether it may be aborted and issued again, as far as the launch alone says.
  bool is_plain() const { return has_arguments_ && !is_cooperative_ && !has_clusters_ && !is_captured_ && !has_ties_; }

  // A copy that stays valid after the program's call, as long as the kernel is loaded. Only if has_arguments(). If the
  // stream is CU_STREAM_PER_THREAD, it means that of the thread that issues the copy.
  observed_launch keep() const;
  // Later issues use another stream. It must not be null.
  void move_to(CUstream stream) { stream_ = stream; }

  // Launches the kernel as the program asked for it.
  CUresult issue() const;
  // Launches a variant with its last parameter, `context`. Only if has_arguments(), and the variant is of this kernel.
  CUresult issue(const kernel_variant& variant, std::span<const std::byte> context) const;

 private:
  void copy_arguments();
  void look_at_attributes();
  CUresult launch_copied(CUfunction function, std::span<const std::byte> appended, std::uint32_t offset) const;
  CUresult launch(CUfunction function, void** parameters, void** extra) const;

  std::shared_ptr<kernel> kernel_;
  CUfunction function_;
  unsigned grid_[3], block_[3], shared_bytes_;
  CUstream stream_;
  CUcontext context_ = nullptr;
  std::vector<CUlaunchAttribute> attributes_;
  std::vector<std::byte> arguments_;
  void** parameters_;  // of the program; null in a kept copy
  void** extra_;
  bool is_by_configuration_, has_arguments_ = false;
  bool is_cooperative_, has_clusters_ = false, is_captured_, has_ties_ = false;
};

}  // namespace genesys::schedule::standin
