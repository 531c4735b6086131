// SPDX-License-Identifier: Apache-2.0
#include "schedule/program/lz4_block.h"

namespace genesys::schedule {
namespace {

class reader {
 public:
  explicit reader(std::string_view from) : from_(from) {}

  bool at_end() const { return at_ == from_.size(); }
  // The next byte, or -1.
  int byte() { return at_end() ? -1 : static_cast<unsigned char>(from_[at_++]); }

  // A length of 15 in a token goes on in further bytes. False: the block ends, or the length exceeds `most`.
  bool extend(std::size_t& length, std::size_t most) {
    if (length != 15) return true;
    for (int more = 255; more == 255;) {
      more = byte();
      if (more < 0) return false;
      length += static_cast<std::size_t>(more);
      if (length > most) return false;
    }
    return true;
  }

  std::optional<std::string_view> take(std::size_t bytes) {
    if (from_.size() - at_ < bytes) return std::nullopt;
    at_ += bytes;
    return from_.substr(at_ - bytes, bytes);
  }

 private:
  std::string_view from_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::string> unpack_lz4_block(std::string_view block, std::size_t bytes) {
  constexpr std::size_t shortest_match = 4;
  std::string result;
  reader in(block);
  while (!in.at_end()) {
    const int token = in.byte();
    std::size_t literals = static_cast<std::size_t>(token >> 4), match = static_cast<std::size_t>(token & 15);
    if (!in.extend(literals, bytes)) return std::nullopt;
    const auto text = in.take(literals);
    if (!text || bytes - result.size() < literals) return std::nullopt;
    result += *text;
    if (in.at_end()) break;  // the last sequence has literals only
    const int low = in.byte(), high = in.byte();
    if (low < 0 || high < 0 || !in.extend(match, bytes)) return std::nullopt;
    match += shortest_match;
    const std::size_t distance = static_cast<std::size_t>(low) | static_cast<std::size_t>(high) << 8;
    if (distance == 0 || distance > result.size() || bytes - result.size() < match) return std::nullopt;
    for (std::size_t i = 0; i < match; ++i) result += result[result.size() - distance];  // may overlap itself
  }
  if (result.size() != bytes) return std::nullopt;
  return result;
}

}  // namespace genesys::schedule
