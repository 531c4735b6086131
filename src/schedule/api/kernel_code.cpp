// SPDX-License-Identifier: Apache-2.0
#include "schedule/api/kernel_code.h"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <fstream>
#include <iterator>

#include "genesys/error.h"
#include "schedule/fatbin.h"
#include "schedule/rewrite/rewrite.h"

namespace genesys::schedule {
namespace {

void* load(std::string_view code, std::string& why_not) {
  cudaLibrary_t library = nullptr;
  const std::string ended(code);  // PTX ends with a NUL
  const cudaError_t returned = cudaLibraryLoadData(&library, ended.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (returned == cudaSuccess) return library;
  (void)cudaGetLastError();
  why_not = cudaGetErrorString(returned);
  return nullptr;
}

const void* kernel_of(void* library, const std::string& name) {
  cudaKernel_t kernel = nullptr;
  if (cudaLibraryGetKernel(&kernel, static_cast<cudaLibrary_t>(library), name.c_str()) == cudaSuccess) return kernel;
  (void)cudaGetLastError();
  return nullptr;
}

// Adds polls to one kernel of a text and loads it. The text's variables would exist twice, so a kernel that uses them
// gets no polls.
void instrument(kernel_code& kernel, const std::string& text) {
  const kernel_verdict& verdict = *kernel.verdict;
  if (!verdict.is_preemptible) {
    kernel.why_not = "it is not preemptible";
  } else if (!verdict.symbols_read.empty() || !verdict.symbols_written.empty()) {
    kernel.why_not = "it uses variables of its module";
  } else {
    const rewritten made = rewrite(
        text, [&](const kernel_verdict& each) { return each.name == kernel.name ? variant::loops : variant::none; });
    for (const kernel_rewrite& each : made.kernels) {
      if (each.name != kernel.name) continue;
      if (each.made == variant::none) {
        kernel.why_not = each.refused.empty() ? "it has no place for polls" : each.refused.front().why;
        return;
      }
      if (void* const library = load(made.ptx, kernel.why_not)) kernel.instrumented = kernel_of(library, kernel.name);
    }
  }
}

std::vector<std::string> texts_in(const std::vector<fatbin_entry>& entries) {
  std::vector<std::string> texts;
  for (const fatbin_entry& each : entries) {
    if (each.what == fatbin_entry::kind::ptx && each.problem.empty()) texts.push_back(each.contents);
  }
  return texts;
}

// Sets the verdict and the instrumented code, if one of the texts has the kernel.
void find_ptx(kernel_code& kernel, const std::vector<std::string>& texts) {
  kernel.why_not = "it has no PTX";
  for (const std::string& text : texts) {
    if (text.find(kernel.name) == std::string::npos) continue;
    for (const kernel_verdict& each : classify(text)) {
      if (each.name != kernel.name) continue;
      kernel.verdict = each;
      kernel.why_not.clear();
      instrument(kernel, text);
      return;
    }
  }
}

}  // namespace

loaded_code::loaded_code(std::string_view code) {
  std::string why_not;
  library_ = load(code, why_not);
  if (library_ == nullptr) throw error(error_code::bad_option, "the driver refuses the code: " + why_not);
  texts_ = is_fatbin(code) ? texts_in(entries_of(code)) : std::vector<std::string>{std::string(code)};
}

const kernel_code* loaded_code::find(const std::string& name) {
  const auto known = kernels_.find(name);
  if (known != kernels_.end()) return &known->second;
  kernel_code made{.name = name};
  made.plain = kernel_of(library_, name);
  if (made.plain == nullptr) return nullptr;
  find_ptx(made, texts_);
  return &kernels_.emplace(name, std::move(made)).first->second;
}

const kernel_code& own_code::find(const void* entry) {
  const auto known = kernels_.find(entry);
  if (known != kernels_.end()) return known->second;
  kernel_code made{.plain = entry};
  const char* name = nullptr;
  if (cudaFuncGetName(&name, entry) == cudaSuccess && name != nullptr) {
    made.name = name;
    Dl_info in{};
    const bool is_known = ::dladdr(entry, &in) != 0 && in.dli_fname != nullptr;
    find_ptx(made, texts_of(is_known ? in.dli_fname : "/proc/self/exe"));
  } else {
    (void)cudaGetLastError();
    made.why_not = "the driver does not know its name";
  }
  return kernels_.emplace(entry, std::move(made)).first->second;
}

const std::vector<std::string>& own_code::texts_of(const std::string& file) {
  const auto known = texts_.find(file);
  if (known != texts_.end()) return known->second;
  std::ifstream from(file, std::ios::binary);
  if (!from) from.open("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(from), {}};
  return texts_.emplace(file, texts_in(entries_of_program(bytes))).first->second;
}

}  // namespace genesys::schedule
