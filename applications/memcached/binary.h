// SPDX-License-Identifier: Apache-2.0
// The binary protocol: GET, SET, DELETE, NOOP, VERSION, and their quiet variants. One thread parses; it reads from `at`
// up to `end` only.
#pragma once

#include "request.h"

namespace memcached {

constexpr u8 binary_request = 0x80, binary_reply = 0x81;
constexpr u32 binary_header_bytes = 24;

enum class opcode : u8 {
  get = 0,
  set = 1,
  remove = 4,
  get_quiet = 9,
  noop = 0x0a,
  version = 0x0b,
  get_key = 0x0c,
  get_key_quiet = 0x0d,
  set_quiet = 0x11,
  remove_quiet = 0x14,
};

// A request that ends the datagram, because the server cannot tell where the next one begins.
GENESYS_KERNEL void fail(cursor& c, request& into, status why) {
  into.what = action::say;
  into.failed = why;
  c.at = c.end;
}

// The next request of a datagram of the binary protocol.
GENESYS_KERNEL void parse_binary(cursor& c, request& into) {
  into.what = action::end;
  if (c.end - c.at < binary_header_bytes || c.at[0] != binary_request) return;
  const u8* const header = c.at;
  const u32 key_bytes = static_cast<u32>(load_big(header + 2, 2)), extra = header[4];
  const u32 body = static_cast<u32>(load_big(header + 8, 4));
  const u64 left = static_cast<u64>(c.end - c.at) - binary_header_bytes;
  if (key_bytes + extra > left) return;
  into.opcode = header[1];
  into.opaque = static_cast<u32>(load_big(header + 12, 4));
  into.expected_cas = load_big(header + 16, 8);
  if (key_bytes + extra > body) return fail(c, into, status::unknown);
  const u8* const key = header + binary_header_bytes + extra;
  const bool is_key_alone = extra == 0 && key_bytes > 0 && body == key_bytes, is_empty = body == 0;
  bool is_valid = key_bytes <= key_bytes_max;
  switch (static_cast<opcode>(into.opcode)) {
    case opcode::get_quiet:
    case opcode::get_key_quiet:
    case opcode::get:
    case opcode::get_key:
      is_valid = is_valid && is_key_alone;
      into.what = action::get;
      into.quiet = into.opcode == u8(opcode::get_quiet) || into.opcode == u8(opcode::get_key_quiet);
      into.with_key = into.opcode == u8(opcode::get_key) || into.opcode == u8(opcode::get_key_quiet);
      break;
    case opcode::set_quiet:
    case opcode::set: {
      is_valid = is_valid && extra == 8 && key_bytes > 0;
      into.what = action::set;
      into.quiet = into.opcode == u8(opcode::set_quiet);
      if (!is_valid) break;
      if (body > left) {  // memcached would wait for more, which no datagram brings
        into.what = action::end;
        return;
      }
      into.flags = static_cast<u32>(load_big(header + binary_header_bytes, 4));
      into.value = key + key_bytes;
      into.value_bytes = body - key_bytes - extra;
      break;
    }
    case opcode::remove_quiet:
    case opcode::remove:
      is_valid = is_valid && is_key_alone;
      into.what = action::remove;
      into.quiet = into.opcode == u8(opcode::remove_quiet);
      break;
    case opcode::noop:
      is_valid = is_empty;
      into.say("");
      break;
    case opcode::version:
      is_valid = is_empty;
      into.say("genesys");
      break;
    default:
      into.say("");
      into.failed = status::unknown;
      c.at = body > left ? c.end : c.at + binary_header_bytes + body;
      return;
  }
  if (!is_valid) return fail(c, into, status::invalid);
  if (key_bytes > 0) take_key(into, key, key_bytes);
  c.at = header + binary_header_bytes + body;
}

GENESYS_KERNEL const char* text_of(status s) {
  switch (s) {
    case status::not_found:
      return "Not found";
    case status::exists:
      return "Data exists for key.";
    case status::too_large:
      return "Too large.";
    case status::invalid:
      return "Invalid arguments";
    case status::unknown:
      return "Unknown command";
    default:
      return "";
  }
}

// Writes the header of a reply. `body`: the bytes behind it, `extra` of flags, then the key, then the value.
GENESYS_KERNEL void write_binary_header(u8* into, const request& of, status s, u32 key_bytes, u32 extra, u32 body,
                                        u64 cas) {
  into[0] = binary_reply;
  into[1] = of.opcode;
  store_big(into + 2, key_bytes, 2);
  into[4] = static_cast<u8>(extra);
  into[5] = 0;
  store_big(into + 6, static_cast<u16>(s), 2);
  store_big(into + 8, body, 4);
  store_big(into + 12, of.opaque, 4);
  store_big(into + 16, cas, 8);
}

}  // namespace memcached
