// SPDX-License-Identifier: Apache-2.0
// Kernels as the scheduler knows them: their verdicts, and on CUDA their code with polls beside the code without. Found
// in the program's own file, or in code that the program loads. Any thread may call it. The first question for a kernel
// compiles it; threads that ask for another one do not wait for that.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/api/made_once.h"
#include "schedule/api/variable_addresses.h"
#include "schedule/classify/verdict.h"
#include "schedule/driver/execution.h"
#include "schedule/policy/kernel_facts.h"
#include "schedule/rewrite/text_parts.h"

namespace genesys::schedule {

struct kernel_code {
  kernel_id id = 0;
  std::string name;
  std::uint64_t text_hash = 0;            // of its PTX; 0: it has none
  std::optional<kernel_verdict> verdict;  // none: there is no PTX
  const void* plain = nullptr;            // as cudaLaunchKernelExC takes it
  const void* instrumented = nullptr;     // null: the kernel cannot be aborted
  const void* timed = nullptr;            // code that measures its blocks, as timed_code says; null: there is none
  kernel_launch::timing timed_code = kernel_launch::timing::none;
  std::string why_not;  // if it is null
  // Variables of its module that it uses, by their names in the PTX, if it has instrumented or timed code.
  std::map<std::string, range> variables;
};

#if GENESYS_WITH_CUDA
// A text in PTX, whose kernels are judged, rewritten and compiled one by one, at the first question for each.
class ptx_text {
 public:
  explicit ptx_text(std::string text) : parsed_(std::make_unique<parsed>(std::move(text))) {}
  // Sets the verdict, the instrumented code and the timed code. `variables`: of the module that has the kernel. False:
  // the text does not have this kernel.
  bool describe(kernel_code& kernel, variable_addresses variables);

 private:
  struct parsed {
    explicit parsed(std::string given) : text(std::move(given)) {}
    const std::string text;
    std::once_flag once;
    std::optional<text_parts> parts;  // of the text
  };
  std::unique_ptr<parsed> parsed_;
};

// Called for the code of a kernel when it is complete, by the thread that made it.
using when_made = std::function<void(kernel_code&)>;

// The kernels of some code. It stays loaded until the process ends.
class loaded_code {
 public:
  // PTX, a fatbin or a cubin, for the thread's current GPU. Throws error(bad_option).
  explicit loaded_code(std::string_view code);
  // The kernel of this name. Compiles its instrumented code at the first call. Throws error(bad_option): there is none.
  const kernel_code& find(const std::string& name, const when_made& call);

 private:
  const int gpu_;
  void* library_ = nullptr;
  std::vector<ptx_text> texts_;
  made_once<std::string, kernel_code> kernels_;
};

// The kernels of this program and its libraries that nvcc compiled.
class own_code {
 public:
  own_code();  // for the thread's current GPU
  // `entry`: a __global__ function. Any thread, whatever its current GPU is.
  const kernel_code& find(const void* entry, const when_made& call);

 private:
  kernel_code make(const void* entry);
  std::vector<ptx_text>& texts_of(const std::string& file);
  const int gpu_;
  made_once<std::string, std::vector<ptx_text>> texts_;  // by file
  made_once<const void*, kernel_code> kernels_;
};
#endif

}  // namespace genesys::schedule
