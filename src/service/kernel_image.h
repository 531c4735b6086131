// SPDX-License-Identifier: Apache-2.0
// The code of a non-stop kernel with services that were loaded from files, as the launchers take it
// (kernel_launcher.h). As bytes it also goes to the child of an isolated server.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "genesys/detail/wire/service.h"

namespace genesys::detail::services {

struct kernel_image {
  struct function {
    u32 row;
    std::string symbol;
    std::string library;  // for the CPU device: what dlopen() takes
  };
  std::vector<function> functions;
  std::vector<std::shared_ptr<const void>> kept;  // what `library` names exists as long as these
  std::string cubin;  // for a GPU: the kernel, and `table_symbol` with the addresses of the functions
};

constexpr const char* table_symbol = "genesys_loaded_functions";

// What the linker must know of the launcher's device.
struct link_target {
  std::string kernel;         // its name in the PTX of the program; empty on the CPU device, which does not link
  unsigned architecture = 0;  // 90: sm_90
};

std::string to_bytes(const kernel_image& image);
kernel_image image_of(std::string_view bytes);  // throws error(bad_option): they are none

}  // namespace genesys::detail::services
