// SPDX-License-Identifier: Apache-2.0
// One request of a client, as the parsers (text.h, binary.h) give it, and the place of a parser in a datagram.
#pragma once

#include "bytes.h"

namespace memcached {

constexpr u32 key_bytes_max = 250;
constexpr u32 key_words = 32;  // a key as words of 8 bytes; zeros follow its last byte

enum class action : u32 {
  end,     // nothing more in this datagram gets a reply
  say,     // the reply is `text`, or without text nothing
  get,     // the value of the key
  set,     // stores the value
  remove,  // deletes the key
};

// What memcached's binary protocol calls a status.
enum class status : u16 {
  success = 0,
  not_found = 1,
  exists = 2,
  too_large = 3,
  invalid = 4,
  unknown = 0x81,
  bad_chunk = 0xffff,  // of the text protocol alone: no line's end is behind the value
};

struct request {
  action what;
  const char* text;  // say: of the text protocol, with its length
  u32 text_bytes;
  status failed;    // say: of the binary protocol
  const u8* value;  // set
  u32 value_bytes, flags, key_bytes;
  u64 expected_cas;  // set and remove, if not 0: the item must have it
  u64 hash;
  u32 opaque;  // binary: goes back as it came
  u8 opcode;
  bool is_binary, quiet, with_key, with_cas, is_expired;
  bool is_cut;             // set: no line's end is behind the value
  bool is_first, is_last;  // text: of the keys of a line
  u64 key[key_words];

  GENESYS_KERNEL void say(const char* literal, u32 bytes) {
    what = action::say;
    text = literal;
    text_bytes = bytes;
  }
  template <u32 N>
  GENESYS_KERNEL void say(const char (&literal)[N]) {
    say(literal, N - 1);
  }
};

struct cursor {
  const u8 *at, *end;
  const u8 *line_end, *next_line;  // text: of the line of a `get` with more keys
  bool is_binary, is_get, is_gets;
};

// Takes the key, and its hash. `bytes`: 1 to key_bytes_max.
GENESYS_KERNEL void take_key(request& into, const u8* from, u32 bytes) {
  into.key_bytes = bytes;
  u64 hash = bytes;
  for (u32 w = 0; w * 8 < bytes; ++w) {
    u64 word = 0;
    for (u32 i = 0; i < 8; ++i) word |= w * 8 + i < bytes ? u64{from[w * 8 + i]} << 8 * i : 0;
    into.key[w] = word;
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  }
  if ((bytes + 7) / 8 % 2 != 0) into.key[(bytes + 7) / 8] = 0;  // the table stores 16 bytes at a time
  hash *= 0xd6e8feb86659fd93;
  into.hash = hash ^ hash >> 32;
}

}  // namespace memcached
