// SPDX-License-Identifier: Apache-2.0
// Where the core finds the code of a kernel that is launched. Any thread may call it, without a lock: the first launch
// of a kernel may take as long as a compiler does, and launches of other kernels go on meanwhile.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "genesys/scheduler.h"
#include "schedule/api/kernel_code.h"

namespace genesys::detail::scheduling {

struct module_state {
#if GENESYS_WITH_CUDA
  explicit module_state(std::string_view given) : code(given) {}
  mutable schedule::loaded_code code;
#endif
};

class code_source {
 public:
  virtual ~code_source() = default;
  // Called once for each kernel, by the thread that made its code, before any find() returns it.
  using numbering = std::function<void(schedule::kernel_code&)>;
  // The code stays valid as long as its module and this object. Throws error(not_built, bad_option).
  virtual const schedule::kernel_code& find(const request& what, const numbering& number) = 0;
};

std::unique_ptr<code_source> code_source_of(device_kind kind);

}  // namespace genesys::detail::scheduling
