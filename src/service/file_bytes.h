// SPDX-License-Identifier: Apache-2.0
// What a service's files hold (service_file), as bytes in memory that nobody else can write to. Plain values.
#pragma once

#include <string>

namespace genesys::detail::services {

struct file_bytes {
  std::string name;  // by which errors call it
  std::string bytes;
};

// On a GPU the first one is loaded, and the second one, if it has bytes, has the twin. The CPU device loads the second.
struct service_bytes {
  file_bytes gpu, cpu;
};

}  // namespace genesys::detail::services
