// SPDX-License-Identifier: Apache-2.0
// What the load generator stores, and what it expects back. Host only.
#pragma once

#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "binary.h"
#include "frame.h"
#include "load_options.h"

namespace memcached {

// Values are parts of one random text. All functions may be called by several threads at once.
class values {
 public:
  explicit values(const load_settings& chosen)
      : bytes_(chosen.value_bytes), is_text_(chosen.is_text), text_(chosen.value_bytes + text_bytes) {
    std::mt19937_64 random(1);
    for (u8& each : text_) each = static_cast<u8>(random());
  }

  // Write a request, with a frame, and return its length.
  u32 write_get(u8* into, u32 id, u32 key) const {
    write_frame(into, id, 0, 1);
    char name[32];
    const u32 name_bytes = write_name(name, key);
    u8* at = into + frame_bytes;
    if (is_text_) return frame_bytes + static_cast<u32>(std::sprintf(reinterpret_cast<char*>(at), "get %s\r\n", name));
    return write_binary(at, opcode::get, id, name, name_bytes, 0, 0) + frame_bytes;
  }
  u32 write_set(u8* into, u32 id, u32 key) const {
    write_frame(into, id, 0, 1);
    char name[32];
    const u32 name_bytes = write_name(name, key);
    u8* at = into + frame_bytes;
    if (is_text_) {
      at += std::sprintf(reinterpret_cast<char*>(at), "set %s %u 0 %u\r\n", name, key, bytes_);
      std::memcpy(at, value(key), bytes_);
      std::memcpy(at + bytes_, "\r\n", 2);
      return static_cast<u32>(at + bytes_ + 2 - into);
    }
    at += write_binary(at, opcode::set, id, name, name_bytes, 8, bytes_);
    std::memcpy(at, value(key), bytes_);
    return static_cast<u32>(at + bytes_ - into);
  }
  u32 request_bytes_max() const { return 128 + bytes_; }

  // The reply of a GET; bytes 16 to 23 of a binary one, the cas, are any.
  std::string reply_of_get(u32 id, u32 key) const {
    const std::string data(reinterpret_cast<const char*>(value(key)), bytes_);
    char head[96];
    if (is_text_) {
      char name[32];
      write_name(name, key);
      std::sprintf(head, "VALUE %s %u %u\r\n", name, key, bytes_);
      return head + data + "\r\nEND\r\n";
    }
    request of{};
    of.opcode = static_cast<u8>(opcode::get);
    of.opaque = id;
    write_binary_header(reinterpret_cast<u8*>(head), of, status::success, 0, 4, 4 + bytes_, 0);
    store_big(reinterpret_cast<u8*>(head) + binary_header_bytes, key, 4);
    return std::string(head, binary_header_bytes + 4) + data;
  }
  bool is_stored(const u8* reply, u32 bytes) const {
    if (is_text_) return bytes == 8 && std::memcmp(reply, "STORED\r\n", 8) == 0;
    return bytes == binary_header_bytes && reply[1] == u8(opcode::set) && load_big(reply + 6, 2) == 0;
  }
  bool is_miss(const u8* reply, u32 bytes) const {
    if (is_text_) return bytes == 5 && std::memcmp(reply, "END\r\n", 5) == 0;
    return bytes > binary_header_bytes && load_big(reply + 6, 2) == u16(status::not_found);
  }
  bool is_part_of(const std::string& wanted, const u8* reply, u32 at, u32 bytes) const {
    if (at + bytes > wanted.size()) return false;
    const char* const part = wanted.data() + at;
    if (is_text_ || at > 0) return std::memcmp(part, reply, bytes) == 0;
    return bytes >= binary_header_bytes && std::memcmp(part, reply, 16) == 0 &&
           std::memcmp(part + binary_header_bytes, reply + binary_header_bytes, bytes - binary_header_bytes) == 0;
  }

 private:
  static constexpr u32 text_bytes = 1 << 20;
  static u32 write_name(char* into, u32 key) {
    return static_cast<u32>(std::sprintf(into, "memcached-load-%08u", key));
  }
  const u8* value(u32 key) const { return text_.data() + key * u64{2654435761} % text_bytes; }
  static u32 write_binary(u8* at, opcode what, u32 id, const char* name, u32 name_bytes, u32 extra, u32 value_bytes) {
    std::memset(at, 0, binary_header_bytes + extra);
    at[0] = binary_request;
    at[1] = static_cast<u8>(what);
    store_big(at + 2, name_bytes, 2);
    at[4] = static_cast<u8>(extra);
    store_big(at + 8, extra + name_bytes + value_bytes, 4);
    store_big(at + 12, id, 4);
    if (extra > 0) store_big(at + binary_header_bytes, static_cast<u64>(std::stoul(name + 15)), 4);  // the flags
    std::memcpy(at + binary_header_bytes + extra, name, name_bytes);
    return binary_header_bytes + extra + name_bytes;
  }

  const u32 bytes_;
  const bool is_text_;
  std::vector<u8> text_;
};

}  // namespace memcached
