// SPDX-License-Identifier: Apache-2.0
// Encodes protobuf messages (protobuf.dev/programming-guides/encoding) field by field, at the end of a string. The
// writers of traces use it, on any one thread. Only the wire types that traces need are here.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace genesys::trace {

class protobuf {
 public:
  explicit protobuf(std::string& to) : to_(to) {}

  // int32, int64, uint32, uint64, bool and enumerations. A negative number takes ten bytes.
  void number(unsigned field, std::uint64_t value) {
    tag(field, wire_varint);
    varint(value);
  }
  void fixed64(unsigned field, std::uint64_t value) {
    tag(field, wire_fixed64);
    for (int i = 0; i < 8; ++i) to_ += static_cast<char>(value >> (8 * i));
  }
  void real(unsigned field, double value) { fixed64(field, std::bit_cast<std::uint64_t>(value)); }
  void bytes(unsigned field, std::string_view value) {
    tag(field, wire_bytes);
    varint(value.size());
    to_ += value;
  }
  // A message inside: `fill` writes its fields. Its length is in front of it and has one byte for most messages, so
  // only the content of a longer one is moved.
  template <class Fill>
  void message(unsigned field, Fill&& fill) {
    tag(field, wire_bytes);
    const std::size_t begin = to_.size() + 1;
    to_ += '\0';
    fill();
    std::uint64_t left = to_.size() - begin;
    char length[10];
    std::size_t count = 0;
    for (; left >= 128; left >>= 7) length[count++] = static_cast<char>(left | 128);
    length[count++] = static_cast<char>(left);
    to_[begin - 1] = length[0];
    if (count > 1) to_.insert(begin, length + 1, count - 1);
  }

 private:
  enum wire_type : unsigned { wire_varint = 0, wire_fixed64 = 1, wire_bytes = 2 };

  void tag(unsigned field, wire_type type) { varint(field << 3 | type); }
  void varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7) to_ += static_cast<char>(value | 128);
    to_ += static_cast<char>(value);
  }

  std::string& to_;
};

}  // namespace genesys::trace
