// SPDX-License-Identifier: Apache-2.0
#include "schedule/api/kernel_code.h"

#include <cuda_runtime.h>

#include "genesys/error.h"
#include "schedule/cache/kernel_cache.h"
#include "schedule/program/function_file.h"
#include "target/cuda/current_gpu.h"

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

// CUDA loads code at its first use otherwise: then the driver's lock would be held, and urgent launches would wait.
bool load_now(const void* kernel) {
  cudaFuncAttributes unused{};
  if (cudaFuncGetAttributes(&unused, kernel) == cudaSuccess) return true;
  (void)cudaGetLastError();
  return false;
}

std::vector<ptx_text> texts_in(const std::vector<fatbin_entry>& entries) {
  std::vector<ptx_text> texts;
  for (const fatbin_entry& each : entries) {
    if (each.what == fatbin_entry::kind::ptx && each.problem.empty()) texts.emplace_back(each.contents);
  }
  return texts;
}

void find_ptx(kernel_code& kernel, std::vector<ptx_text>& texts, const variable_addresses& variables) {
  kernel.why_not = "it has no PTX";
  for (ptx_text& each : texts) {
    if (each.describe(kernel, variables)) return;
  }
}

// A module of its own, whose code uses the variables of the program's module. It stays loaded.
const void* code_of(const kernel_text& text, const std::string& kernel, const std::map<std::string, range>& variables,
                    std::string& why_not) {
  std::vector<range> addresses;
  for (const std::string& each : text.variables) addresses.push_back(variables.at(each));
  std::string refused;
  void* const library = load(text.ptx, refused);
  if (library == nullptr) {
    why_not = "the driver refuses its polls: " + refused;
  } else if (!text.table.empty() && !fill_table(library, text.table, addresses)) {
    why_not = "the addresses of its variables could not be stored";
  } else if (const void* const found = kernel_of(library, kernel); found == nullptr || !load_now(found)) {
    why_not = "the driver does not load its code with polls";
  } else {
    return found;
  }
  return nullptr;
}

// Where the variables of a text are. False, and why: one is not known.
bool find_variables(const kernel_text& text, variable_addresses& in, std::map<std::string, range>& into,
                    std::string& why_not) {
  for (const std::string& each : text.variables) {
    if (into.count(each) != 0) continue;
    const std::optional<range> found = in.find(each);
    if (!found) {
      why_not = "the driver does not know its variable " + each;
      return false;
    }
    into.emplace(each, *found);
  }
  return true;
}

}  // namespace

bool ptx_text::describe(kernel_code& kernel, variable_addresses variables) {
  if (parsed_->text.find(kernel.name) == std::string::npos) return false;
  std::call_once(parsed_->once, [this] { parsed_->parts.emplace(parsed_->text); });
  const text_parts& parts = *parsed_->parts;
  if (!parts.has_kernel(kernel.name)) return false;
  prepared_kernel made;
  static const std::optional<cache_folder> kept = cache_folder::of_process();
  const std::string alone = parts.with_only(kernel.name);
  if (!prepare_or_recall(kept ? &*kept : nullptr, alone, kernel.name, made)) return false;
  kernel.text_hash = hash_of(alone);
  kernel.verdict = std::move(made.verdict);
  kernel.why_not = made.polls.why_not;
  if (!made.polls.ptx.empty() && find_variables(made.polls, variables, kernel.variables, kernel.why_not)) {
    kernel.instrumented = code_of(made.polls, kernel.name, kernel.variables, kernel.why_not);
  }
  // Without it the driver estimates how long blocks run.
  std::string why_not_timed;
  if (!made.timed.ptx.empty() && find_variables(made.timed, variables, kernel.variables, why_not_timed)) {
    kernel.timed = code_of(made.timed, kernel.name, kernel.variables, why_not_timed);
  }
  if (kernel.timed != nullptr) {
    using enum kernel_launch::timing;
    kernel.timed_code = made.timed.made == variant::timed_loops ? polls : plain;
  }
  return true;
}

loaded_code::loaded_code(std::string_view code) : gpu_(detail::current_gpu::number()) {
  std::string why_not;
  library_ = load(code, why_not);
  if (library_ == nullptr) throw error(error_code::bad_option, "the driver refuses the code: " + why_not);
  if (is_fatbin(code)) {
    texts_ = texts_in(entries_of(code));
  } else {
    texts_.emplace_back(std::string(code));
  }
}

const kernel_code& loaded_code::find(const std::string& name, const when_made& call) {
  return kernels_.get(name, [&] {
    const detail::current_gpu here(gpu_);
    kernel_code made;
    made.name = name;
    made.plain = kernel_of(library_, name);
    if (made.plain == nullptr) throw error(error_code::bad_option, "the module has no kernel " + name);
    (void)load_now(made.plain);  // if the driver refuses it, its launch says why
    find_ptx(made, texts_, variable_addresses::of_library(library_));
    call(made);
    return made;
  });
}

own_code::own_code() : gpu_(detail::current_gpu::number()) {}

const kernel_code& own_code::find(const void* entry, const when_made& call) {
  return kernels_.get(entry, [&] {
    const detail::current_gpu here(gpu_);
    kernel_code made = make(entry);
    call(made);
    return made;
  });
}

kernel_code own_code::make(const void* entry) {
  kernel_code made;
  made.plain = entry;
  (void)load_now(entry);
  const char* name = nullptr;
  if (cudaFuncGetName(&name, entry) == cudaSuccess && name != nullptr) {
    made.name = name;
    find_ptx(made, texts_of(file_of_function(entry)), variable_addresses::of_function(entry));
  } else {
    (void)cudaGetLastError();
    made.why_not = "the driver does not know its name";
  }
  return made;
}

std::vector<ptx_text>& own_code::texts_of(const std::string& file) {
  return texts_.get(file, [&] { return texts_in(entries_of_file(file)); });
}

}  // namespace genesys::schedule
