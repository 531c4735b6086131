// SPDX-License-Identifier: Apache-2.0
// Kernels as the scheduler knows them: their verdicts, and on CUDA their code with polls beside the code without. Found
// in the program's own file, or in code that the program loads. The core calls it under its lock.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/classify/verdict.h"
#include "schedule/policy/kernel_facts.h"
#include "schedule/rewrite/kernel_text.h"

namespace genesys::schedule {

struct kernel_code {
  kernel_id id = 0;
  std::string name;
  std::optional<kernel_verdict> verdict;  // none: there is no PTX
  const void* plain = nullptr;            // as cudaLaunchKernelExC takes it
  const void* instrumented = nullptr;     // null: the kernel cannot be aborted
  std::string why_not;                    // if it is null
};

#if GENESYS_WITH_CUDA
// A text in PTX, and its code with polls, which the driver compiles at the first question.
class ptx_text {
 public:
  explicit ptx_text(std::string text) : text_(std::move(text)) {}
  // Sets the verdict and the instrumented code. False: the text does not have this kernel.
  bool describe(kernel_code& kernel);

 private:
  void instrument();
  kernel_text text_;
  std::optional<kernel_text::polled> polled_;
  void* library_ = nullptr;
  std::string refused_;  // why the driver does not load the code with polls
};

// The kernels of some code. It stays loaded until the process ends.
class loaded_code {
 public:
  // PTX, a fatbin or a cubin. Throws error(bad_option).
  explicit loaded_code(std::string_view code);
  // The kernel of this name; null: there is none. Compiles its instrumented code at the first call.
  const kernel_code* find(const std::string& name);

 private:
  void* library_ = nullptr;
  std::vector<ptx_text> texts_;
  std::map<std::string, kernel_code> kernels_;
};

// The kernels of this program and its libraries that nvcc compiled.
class own_code {
 public:
  // `entry`: a __global__ function.
  const kernel_code& find(const void* entry);

 private:
  std::vector<ptx_text>& texts_of(const std::string& file);
  std::map<std::string, std::vector<ptx_text>> texts_;  // by file
  std::map<const void*, kernel_code> kernels_;
};
#endif

}  // namespace genesys::schedule
