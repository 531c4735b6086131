// SPDX-License-Identifier: Apache-2.0
#include "schedule/api/kernel_code.h"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "genesys/error.h"
#include "schedule/program/fatbin.h"

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

std::vector<ptx_text> texts_in(const std::vector<fatbin_entry>& entries) {
  std::vector<ptx_text> texts;
  for (const fatbin_entry& each : entries) {
    if (each.what == fatbin_entry::kind::ptx && each.problem.empty()) texts.emplace_back(each.contents);
  }
  return texts;
}

void find_ptx(kernel_code& kernel, std::vector<ptx_text>& texts) {
  kernel.why_not = "it has no PTX";
  for (ptx_text& each : texts) {
    if (each.describe(kernel)) return;
  }
}

}  // namespace

bool ptx_text::describe(kernel_code& kernel) {
  if (text_.ptx().find(kernel.name) == std::string::npos) return false;
  const kernel_verdict* const verdict = text_.verdict_of(kernel.name);
  if (verdict == nullptr) return false;
  kernel.verdict = *verdict;
  kernel.why_not = "it is not preemptible";
  if (!verdict->is_preemptible) return true;
  if (!polled_) instrument();
  kernel.why_not = text_.why_no_polls(*polled_, kernel.name);
  if (kernel.why_not.empty() && library_ == nullptr) kernel.why_not = "the driver refuses its polls: " + refused_;
  if (kernel.why_not.empty()) kernel.instrumented = kernel_of(library_, kernel.name);
  return true;
}

void ptx_text::instrument() {
  polled_ = text_.with_polls(variant::loops);
  library_ = load(polled_->ptx, refused_);
}

loaded_code::loaded_code(std::string_view code) {
  std::string why_not;
  library_ = load(code, why_not);
  if (library_ == nullptr) throw error(error_code::bad_option, "the driver refuses the code: " + why_not);
  if (is_fatbin(code)) {
    texts_ = texts_in(entries_of(code));
  } else {
    texts_.emplace_back(std::string(code));
  }
}

const kernel_code* loaded_code::find(const std::string& name) {
  const auto known = kernels_.find(name);
  if (known != kernels_.end()) return &known->second;
  kernel_code made;
  made.name = name;
  made.plain = kernel_of(library_, name);
  if (made.plain == nullptr) return nullptr;
  find_ptx(made, texts_);
  return &kernels_.emplace(name, std::move(made)).first->second;
}

const kernel_code& own_code::find(const void* entry) {
  const auto known = kernels_.find(entry);
  if (known != kernels_.end()) return known->second;
  kernel_code made;
  made.plain = entry;
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

std::vector<ptx_text>& own_code::texts_of(const std::string& file) {
  const auto known = texts_.find(file);
  if (known != texts_.end()) return known->second;
  std::ifstream from(file, std::ios::binary);
  if (!from) from.open("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(from), {}};
  return texts_.emplace(file, texts_in(entries_of_program(bytes))).first->second;
}

}  // namespace genesys::schedule
