// SPDX-License-Identifier: Apache-2.0
// Packets between a client and the daemon, over a Unix socket of packets (SOCK_SEQPACKET), in the byte order of the
// machine. What arrives is input from outside: it has the right size and known values, or the connection ends.
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "service/client/directory.h"
#include "service/client/ring.h"

namespace genesys::detail::serving {

// To the daemon.
enum class hello_kind : u32 {
  connect = 1,  // bytes, slots. Reply: welcome with the descriptors of the ring and of the memory, or refused
  wake,         // C4 of ring.h. No reply
  status,       // Reply: text packets, then end
  list,         // The services. The same reply
  load,         // name, with the descriptors of one or two files, which are sealed memfds. Reply: end, or refused
  unload,       // name. Reply: end, or refused
};

struct hello {
  u32 format = ring_format;
  hello_kind kind{};
  u64 bytes = 0;  // of memory; 0: as many as the daemon gives without being asked
  u32 slots = 0;  // requests in flight; 0: the same
  u32 unused = 0;
  std::array<char, name_bytes> name{};  // of a service, with a zero at the end
};
static_assert(sizeof(hello) == 24 + name_bytes);

constexpr std::size_t passed_bytes_max = std::size_t{64} << 20;  // of a file

// From the daemon.
enum class reply_kind : u32 { welcome = 1, refused, text, end };

struct reply {
  u32 format = ring_format;
  reply_kind kind{};
  i64 error = 0;         // refused: an errno
  u64 memory_bytes = 0;  // welcome
  u64 ring_bytes = 0;
  u32 slots = 0, services = 0;
  u32 blocks_max = 0;  // of a request
  u32 unused = 0;
  std::array<char, 448> text{};  // refused: what to do; text: a part of it. With a zero at the end
};
static_assert(sizeof(reply) == 496);

template <class Packet>
std::optional<Packet> decode(const void* bytes, std::size_t size, u32 kinds) {
  Packet read;
  u32 kind = 0;
  if (size != sizeof read) return std::nullopt;
  std::memcpy(&kind, static_cast<const char*>(bytes) + sizeof(u32), sizeof kind);
  if (kind == 0 || kind > kinds) return std::nullopt;
  std::memcpy(static_cast<void*>(&read), bytes, sizeof read);
  if (read.format != ring_format) return std::nullopt;
  return read;
}
inline std::optional<hello> decode_hello(const void* bytes, std::size_t size) {
  std::optional<hello> read = decode<hello>(bytes, size, static_cast<u32>(hello_kind::unload));
  if (read) read->name.back() = '\0';
  return read;
}
inline std::optional<reply> decode_reply(const void* bytes, std::size_t size) {
  std::optional<reply> read = decode<reply>(bytes, size, static_cast<u32>(reply_kind::end));
  if (read) read->text.back() = '\0';
  return read;
}

inline reply reply_with_text(reply_kind kind, i64 error, const std::string& text) {
  reply made;
  made.kind = kind;
  made.error = error;
  std::memcpy(made.text.data(), text.data(), text.size() < made.text.size() ? text.size() : made.text.size() - 1);
  return made;
}
// `why` may be the text of an error. The client puts the project's name before it again.
inline reply refusal(i64 error, std::string_view why) {
  constexpr std::string_view prefix = "genesys: ";
  if (why.starts_with(prefix)) why.remove_prefix(prefix.size());
  return reply_with_text(reply_kind::refused, error, std::string(why));
}

}  // namespace genesys::detail::serving
