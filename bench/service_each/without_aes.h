// SPDX-License-Identifier: Apache-2.0
// The paper's Figure 2: AES by a CPU without AES instructions. That is a process of this program in which OpenSSL uses
// none of them, by the variable OPENSSL_ia32cap of its environment (openssl-env(7)). For the bench's main thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "genesys/services/aes.h"

namespace service_bench {

// AES-128 in ECB mode, as the paper has it. `key`: 176 bytes, expanded.
inline genesys::services::aes::arguments ecb_arguments(const void* from, void* to, const void* key, std::size_t count) {
  return {{from, count},
          {to, count},
          {key, 176},
          static_cast<std::uint64_t>(genesys::services::aes_mode::ecb_encrypt),
          10,
          16,
          0,
          {0, 0}};
}

struct ecb_rate {
  std::size_t bytes;
  double core, cores;  // GB/s, on one core and on all
};
// Of the process. Its output is empty if the processor has no such variable, or another library computes.
std::vector<ecb_rate> rates_without_aes(std::size_t size_max);

// main() calls it first. True: this is such a process, and it has done its work.
bool was_without_aes(int argc, char** argv);

}  // namespace service_bench
