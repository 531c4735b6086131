// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/kernel.h"

#include <algorithm>

#include "schedule/rewrite/abort_words.h"
#include "schedule/standin/jump_table.h"
#include "schedule/standin/relaxed_capture.h"

namespace genesys::schedule::standin {
namespace {

// A kernel of the library as functions of the driver take it that ask for a CUfunction.
CUfunction as_function(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

CUdevice current_device() {
  CUdevice device = 0;
  return GENESYS_REAL(cuCtxGetDevice)(&device) == CUDA_SUCCESS ? device : 0;
}

void set(CUkernel of, CUfunction_attribute which, int value) {
  // A driver that refuses it refuses the program's own call, too.
  GENESYS_REAL(cuKernelSetAttribute)(which, value, of, current_device());
}

}  // namespace

kernel::kernel(std::shared_ptr<module_image> image, std::string name, void* handle, bool is_library_kernel)
    : image_(std::move(image)), name_(std::move(name)), handle_(handle), is_library_kernel_(is_library_kernel) {}

std::string kernel::why_no_verdict() const {
  std::string problem = image_->problem();
  return problem.empty() ? "the PTX of its module has no such kernel" : problem;
}

const kernel::parameter_layout& kernel::layout() {
  std::call_once(layout_once_, [this] { ask_for_layout(); });
  return layout_;
}

void kernel::ask_for_layout() {
  constexpr std::size_t parameters_max = 4'096;
  for (std::size_t i = 0; i < parameters_max; ++i) {
    std::size_t offset = 0, bytes = 0;
    const CUresult got = is_library_kernel_
                             ? GENESYS_REAL(cuKernelGetParamInfo)(static_cast<CUkernel>(handle_), i, &offset, &bytes)
                             : GENESYS_REAL(cuFuncGetParamInfo)(static_cast<CUfunction>(handle_), i, &offset, &bytes);
    if (got == CUDA_ERROR_INVALID_VALUE) {  // there is no such parameter: all are known
      layout_.is_known = true;
      return;
    }
    if (got != CUDA_SUCCESS) return;
    layout_.parameters.push_back({std::to_string(i), offset, bytes});
    layout_.bytes = std::max(layout_.bytes, static_cast<std::uint32_t>(offset + bytes));
  }
}

kernel_variant kernel::load(variant wanted) {
  const module_image::instrumented from = image_->instrument(wanted, name_);
  why_no_variant_ = from.problem;
  if (from.library == nullptr) return {};
  // The driver and the rewriter must agree on where the appended parameter is.
  const parameter_layout& own = layout();
  if (!own.is_known || own.bytes > from.context_offset || from.context_offset - own.bytes >= context_align) {
    why_no_variant_ = "the driver and its PTX differ in its parameters";
    return {};
  }
  const relaxed_capture meanwhile;
  CUkernel found = nullptr;
  CUfunction in_context = nullptr;
  if (GENESYS_REAL(cuLibraryGetKernel)(&found, from.library, from.name.c_str()) != CUDA_SUCCESS ||
      GENESYS_REAL(cuKernelGetFunction)(&in_context, found) != CUDA_SUCCESS) {  // it is compiled and loaded here
    why_no_variant_ = "the driver does not load it with polls";
    return {};
  }
  for (const auto& [which, value] : attributes_) set(found, which, value);
  kernel_variant result{as_function(found), from.made, from.context_offset, 0};
  GENESYS_REAL(cuFuncGetAttribute)(&result.threads_max, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, in_context);
  return result;
}

const kernel_variant* kernel::variant_of(variant wanted) {
  const std::lock_guard lock(changing_);
  auto found = variants_.find(wanted);
  if (found == variants_.end()) found = variants_.emplace(wanted, load(wanted)).first;
  return found->second.function != nullptr ? &found->second : nullptr;
}

std::string kernel::why_no_variant() const {
  const std::lock_guard lock(changing_);
  return why_no_variant_;
}

// Runs differ with the arguments; the last ones count most.
void kernel::learn_run(std::uint64_t ns) {
  const std::uint64_t known = learnt_run_ns();
  run_ns_.store(std::max<std::uint64_t>(1, known == 0 ? ns : (known + ns) / 2), std::memory_order_relaxed);
}

void kernel::learn_run_at_least(std::uint64_t ns) {
  if (ns > learnt_run_ns()) run_ns_.store(ns, std::memory_order_relaxed);
}

kernel_tally& kernel::tally() {
  kernel_tally* known = tally_.load(std::memory_order_acquire);
  if (known == nullptr) {
    known = &tally_of(name_);
    tally_.store(known, std::memory_order_release);  // two threads store the same
  }
  return *known;
}

void kernel::set_attribute(CUfunction_attribute which, int value) {
  const std::lock_guard lock(changing_);
  attributes_[which] = value;
  for (const auto& [kind, each] : variants_) {
    if (each.function != nullptr) set(reinterpret_cast<CUkernel>(each.function), which, value);
  }
}

}  // namespace genesys::schedule::standin
