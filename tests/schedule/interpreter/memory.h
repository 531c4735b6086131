// SPDX-License-Identifier: Apache-2.0
// Memory of the interpreter: ranges of bytes with checked accesses.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace genesys::schedule::interpreter {

// What a GPU would report, or where it would hang.
struct fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class memory {
 public:
  explicit memory(std::uint64_t first_address, std::size_t bytes = 0) : first_(first_address), bytes_(bytes) {}

  // Aligned to 256 bytes, with a gap behind it that no access may touch.
  std::uint64_t allocate(std::size_t bytes) {
    constexpr std::size_t align = 256;
    const std::size_t start = (bytes_.size() + align - 1) / align * align + align;
    bytes_.resize(start + bytes);
    allowed_.resize(bytes_.size(), 0);
    std::fill(allowed_.begin() + static_cast<std::ptrdiff_t>(start), allowed_.end(), 1);
    return first_ + start;
  }
  void allow_all() { allowed_.assign(bytes_.size(), 1); }

  std::uint8_t* at(std::uint64_t address, std::size_t bytes) {
    const std::uint64_t offset = address - first_;
    if (address < first_ || offset + bytes > bytes_.size() || address % bytes != 0 || !allowed_[offset] ||
        !allowed_[offset + bytes - 1]) {
      throw fault("an illegal address: " + std::to_string(address) + ", " + std::to_string(bytes) + " bytes");
    }
    return &bytes_[offset];
  }
  std::uint64_t load(std::uint64_t address, std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, at(address, bytes), bytes);
    return value;
  }
  void store(std::uint64_t address, std::size_t bytes, std::uint64_t value) {
    std::memcpy(at(address, bytes), &value, bytes);
  }

  const std::vector<std::uint8_t>& contents() const { return bytes_; }
  void restore(const std::vector<std::uint8_t>& saved) { bytes_ = saved; }

 private:
  std::uint64_t first_;
  std::vector<std::uint8_t> bytes_;
  std::vector<char> allowed_;
};

}  // namespace genesys::schedule::interpreter
