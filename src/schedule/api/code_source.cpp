// SPDX-License-Identifier: Apache-2.0
#include "schedule/api/code_source.h"

#include <algorithm>

#include "schedule/api/made_once.h"

namespace genesys::detail::scheduling {

using schedule::kernel_code;

namespace {

// Functors of the CPU device, by their types.
class functors final : public code_source {
 public:
  const kernel_code& find(const request& what, const numbering& number) override {
    if (what.module != nullptr || !what.body) {
      throw error(error_code::not_built, "kernels of a module need a GPU: the CPU device runs functors");
    }
    return kernels_.get(what.name, [&] {
      kernel_code made;
      made.name = what.name;
      made.timed_code = schedule::kernel_launch::timing::polls;  // it may be aborted at any switch of threads
      number(made);
      return made;
    });
  }

 private:
  schedule::made_once<std::string, kernel_code> kernels_;
};

#if GENESYS_WITH_CUDA
class compiled final : public code_source {
 public:
  const kernel_code& find(const request& what, const numbering& number) override {
    if (what.module != nullptr) {
      const kernel_code& found = what.module->code.find(what.name, number);
      check_sizes(found, what);
      return found;
    }
    if (what.entry != nullptr) return own_.find(what.entry, number);
    throw error(error_code::not_built,
                "this file was compiled without nvcc, so its kernels run on the CPU device only");
  }

 private:
  static void check_sizes(const kernel_code& code, const request& what) {
    if (!code.verdict) return;
    const auto& parameters = code.verdict->parameters;
    const bool fits = std::equal(parameters.begin(), parameters.end(), what.sizes.begin(), what.sizes.end(),
                                 [](const auto& p, std::uint32_t bytes) { return p.bytes == bytes; });
    if (!fits) {
      throw error(error_code::bad_option, "the arguments of " + what.name + " do not have its parameters' sizes");
    }
  }

  schedule::own_code own_;
};
#endif

}  // namespace

std::unique_ptr<code_source> code_source_of(device_kind kind) {
  if (kind == device_kind::cpu) return std::make_unique<functors>();
#if GENESYS_WITH_CUDA
  return std::make_unique<compiled>();
#else
  throw error(error_code::not_built, "this build has no such device");
#endif
}

}  // namespace genesys::detail::scheduling
