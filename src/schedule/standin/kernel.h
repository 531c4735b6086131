// SPDX-License-Identifier: Apache-2.0
// A kernel of a loaded module, and its variants with polls. The registry makes it; observers use it on any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "schedule/standin/driver_api.h"
#include "schedule/standin/kernel_tally.h"
#include "schedule/standin/module_image.h"

namespace genesys::schedule::standin {

// A kernel with polls, loaded beside the program's own.
struct kernel_variant {
  CUfunction function = nullptr;  // a CUkernel, which all launch functions take, in each context
  variant made = variant::none;
  std::uint32_t context_offset = 0;  // of launch_context, which is behind the kernel's own parameters
  int threads_max = 0;               // of a block: polls may need registers
};

class kernel {
 public:
  // `handle`: a CUkernel or a CUfunction, by which the driver is asked for the layout of the parameters when it is
  // needed.
  kernel(std::shared_ptr<module_image> image, std::string name, void* handle, bool is_library_kernel);

  const std::string& name() const { return name_; }
  module_image& image() const { return *image_; }
  // Null: there is no PTX of it, and why_no_verdict() says why. The first call for a module reads all its PTX.
  const kernel_verdict* verdict() const { return image_->verdict_of(name_); }
  std::string why_no_verdict() const;

  // Where its parameters lie, as the driver says. Without is_known the driver does not say.
  struct parameter_layout {
    bool is_known = false;
    std::vector<parameter> parameters;
    std::uint32_t bytes = 0;
  };
  const parameter_layout& layout();

  // Null: it cannot be had, and why_no_variant() says why. The first call for a module rewrites it and lets the driver
  // compile it. There must be a current context.
  const kernel_variant* variant_of(variant wanted);
  std::string why_no_variant() const;

  // How long a launch of it runs, as was seen of the launches before. 0: not known.
  std::uint64_t learnt_run_ns() const { return run_ns_.load(std::memory_order_relaxed); }
  void learn_run(std::uint64_t ns);
  // A launch of it was aborted after so long.
  void learn_run_at_least(std::uint64_t ns);

  // What it has done so far. Kernels that are never launched have none.
  kernel_tally& tally();

  // The program has set an attribute of the kernel; its variants get it, too.
  void set_attribute(CUfunction_attribute which, int value);

 private:
  void ask_for_layout();
  kernel_variant load(variant wanted);

  const std::shared_ptr<module_image> image_;
  const std::string name_;
  void* const handle_;
  const bool is_library_kernel_;
  std::atomic<std::uint64_t> run_ns_{0};
  std::atomic<kernel_tally*> tally_{nullptr};
  std::once_flag layout_once_;
  parameter_layout layout_;

  mutable std::mutex changing_;                 // of what follows
  std::map<variant, kernel_variant> variants_;  // without a function: it cannot be had
  std::map<CUfunction_attribute, int> attributes_;
  std::string why_no_variant_;
};

}  // namespace genesys::schedule::standin
