// SPDX-License-Identifier: Apache-2.0
// What the tests of loaded services share.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "genesys/service.h"
#include "service/loading/files/affine.h"
#include "support/beside_program.h"

namespace service_loading {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr u32 loads_under_load = 10;
#else
constexpr u32 loads_under_load = 100;
#endif
constexpr u32 pause_ms_max = 1000;

// The program's view of the service in the file; any version of it.
using affine = affine_by<0>;
struct wide_arguments {
  u64 seed;
};
struct wait_arguments {
  u32* word;
};

// A service of the list.
struct mix {
  struct arguments {
    u64 value;
  };
  GENESYS_KERNEL static long of(u64 value) {
    value = (value ^ value >> 31) * 0x9e37'79b9'7f4a'7c15u;
    return static_cast<long>((value ^ value >> 29) & 0x7fff'ffffu);
  }
  GENESYS_KERNEL long operator()(const genesys::service_block&, const arguments& with) const { return of(with.value); }
};

using list = genesys::service_list<genesys::loadable_services, mix>;

inline genesys::service_options options() {
  genesys::service_options chosen;
  chosen.blocks = 2;
  chosen.threads = 64;
  return chosen;
}

// What the build has made of files/NAME.cpp.
inline genesys::service_file file(const std::string& name) {
  const std::string in = beside_program("service_files/" + name);
  return {in + ".ptx", in + ".so"};
}

}  // namespace service_loading
