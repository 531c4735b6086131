// SPDX-License-Identifier: Apache-2.0
// Links PTX to a cubin by libnvJitLink of the CUDA toolkit, which is loaded at the first link. It needs neither a GPU
// nor a driver, and holds no lock of the driver: launches go on while it works. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace genesys::detail::services {

struct link_input {
  std::string name;  // for messages
  std::string ptx;
};

// `registers_max`: of a thread. Throws error: not_built (there is no libnvJitLink), bad_option (why the linker
// refuses).
std::string link_cubin(const std::vector<link_input>& inputs, unsigned architecture, unsigned registers_max);

}  // namespace genesys::detail::services
