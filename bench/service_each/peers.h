// SPDX-License-Identifier: Apache-2.0
// What CPUs do without services: liblz4 and Hyperscan. (OpenSSL and ISA-L are in the twins of genesys::services.) A
// library that was not found when the bench was configured is said so. Several threads call the functions at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace service_bench {

// LZ4_compress_default of a piece; the number of bytes. 0: it does not fit, or there is no liblz4.
std::size_t lz4_by_library(const void* from, std::size_t bytes, void* to, std::size_t capacity);
bool has_lz4();

// A set of literals, compiled by Hyperscan.
class hyperscan {
 public:
  explicit hyperscan(const std::vector<std::string>& literals);
  ~hyperscan();
  hyperscan(const hyperscan&) = delete;
  hyperscan& operator=(const hyperscan&) = delete;
  static bool is_there();
  // How often they occur.
  std::uint64_t count(const void* from, std::size_t bytes) const;

 private:
  struct compiled;
  std::unique_ptr<compiled> in_;
};

// The libraries and their versions.
std::string peers();

}  // namespace service_bench
