// SPDX-License-Identifier: Apache-2.0
// Memory of the program that it has registered with a server, so that services use it without copies. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "target/mapper.h"

namespace genesys::detail::services {

class registrations {
 public:
  explicit registrations(mapper& by) : by_(by) {}

  // Registers the pages that have these bytes; returns the first. Throws error: bad_option (nothing is there, it cannot
  // be written, or a part of it is registered), no_pinned_memory (the device refuses).
  void* add(void* memory, std::size_t bytes);
  // Waits for running kernels. `left_to_kernel`: the kernel may still use it, so it stays registered.
  void remove(void* first_page, bool left_to_kernel);

  // How many bytes from `at` on lie in one registration. 0: in none.
  std::size_t registered_bytes(const void* at) const;

 private:
  mapper& by_;
  mutable std::mutex lock_;
  std::map<std::uintptr_t, std::uintptr_t> ends_;  // by the first page
};

}  // namespace genesys::detail::services
