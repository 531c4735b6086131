// SPDX-License-Identifier: Apache-2.0
// The text protocol: get, gets, set, delete, version. One thread parses; it reads from `at` up to `end` only.
#pragma once

#include "request.h"

namespace memcached {

struct token {
  const u8* at;
  u32 bytes;

  template <u32 N>
  GENESYS_KERNEL bool is(const char (&word)[N]) const {
    if (bytes != N - 1) return false;
    for (u32 i = 0; i < N - 1; ++i)
      if (at[i] != static_cast<u8>(word[i])) return false;
    return true;
  }
};

// The next word of a line; without one, its length is 0. A NUL ends the line, as it does for memcached.
GENESYS_KERNEL token next_token(const u8*& at, const u8* line_end) {
  while (at < line_end && *at == ' ') ++at;
  token found{at, 0};
  while (at < line_end && *at != ' ' && *at != 0) ++at;
  found.bytes = static_cast<u32>(at - found.at);
  return found;
}

// A decimal number, as strtoll reads it. False: the word is none, or is too large for 64 bits.
GENESYS_KERNEL bool number_of(const token& word, bool& is_negative, u64& value) {
  u32 i = 0;
  is_negative = word.bytes > 0 && word.at[0] == '-';
  if (word.bytes > 0 && (word.at[0] == '-' || word.at[0] == '+')) ++i;
  if (i == word.bytes) return false;
  value = 0;
  for (; i < word.bytes; ++i) {
    const u32 digit = word.at[i] - u32{'0'};
    if (digit > 9 || value > (~u64{0} - digit) / 10) return false;
    value = value * 10 + digit;
  }
  return true;
}

// The first key of a line `get` or `gets`; if one of its keys is too long, no key gets a reply.
GENESYS_KERNEL void parse_get(cursor& c, request& into, const u8* at, bool with_cas) {
  const u8* look = at;
  u32 keys = 0;
  for (token key = next_token(look, c.line_end); key.bytes > 0; key = next_token(look, c.line_end), ++keys)
    if (key.bytes > key_bytes_max) return into.say("CLIENT_ERROR bad command line format\r\n");
  if (keys == 0) return into.say("ERROR\r\n");
  c.is_get = true;
  c.is_gets = with_cas;
  c.at = at;
}

// The next key of the line.
GENESYS_KERNEL void parse_key(cursor& c, request& into) {
  const token key = next_token(c.at, c.line_end);
  take_key(into, key.at, key.bytes);
  into.what = action::get;
  into.with_cas = c.is_gets;
  const u8* look = c.at;
  into.is_last = next_token(look, c.line_end).bytes == 0;
  if (!into.is_last) return;
  c.is_get = false;
  c.at = c.next_line;
}

// After "set": key, flags, time, length, perhaps "noreply"; the value is behind the line.
GENESYS_KERNEL void parse_set(cursor& c, request& into, const u8* at) {
  token words[6];
  u32 count = 0;
  for (token word = next_token(at, c.line_end); word.bytes > 0; word = next_token(at, c.line_end)) {
    if (count == 5) return into.say("ERROR\r\n");
    words[count++] = word;
  }
  if (count < 4) return into.say("ERROR\r\n");
  into.quiet = count == 5 && words[4].is("noreply");
  bool is_negative = false, time_is_negative = false, length_is_negative = false;
  u64 flags = 0, time = 0, length = 0;
  const bool is_well_formed = words[0].bytes <= key_bytes_max && number_of(words[1], is_negative, flags) &&
                              !is_negative && number_of(words[2], time_is_negative, time) &&
                              number_of(words[3], length_is_negative, length) && !length_is_negative &&
                              length <= 0x7fffffff - 2;
  if (!is_well_formed) return into.say("CLIENT_ERROR bad command line format\r\n");
  const u64 left = static_cast<u64>(c.end - c.at);
  if (length + 2 > left) {  // memcached would wait for more, which no datagram brings
    into.what = action::end;
    return;
  }
  into.value = c.at;
  c.at += length + 2;
  into.is_cut = into.value[length] != '\r' || into.value[length + 1] != '\n';
  take_key(into, words[0].at, words[0].bytes);
  into.what = action::set;
  into.value_bytes = static_cast<u32>(length);
  into.flags = static_cast<u32>(flags);
  into.is_expired = (time_is_negative && time != 0) || (time & 0x80000000) != 0;
}

// After "delete": key, perhaps a 0, perhaps "noreply".
GENESYS_KERNEL void parse_remove(cursor& c, request& into, const u8* at) {
  const token key = next_token(at, c.line_end), second = next_token(at, c.line_end), third = next_token(at, c.line_end);
  if (key.bytes == 0 || next_token(at, c.line_end).bytes > 0) return into.say("ERROR\r\n");
  into.quiet = (third.bytes > 0 ? third : second).is("noreply");
  const bool has_zero = second.is("0");
  if ((third.bytes > 0 && !(has_zero && into.quiet)) ||
      (third.bytes == 0 && second.bytes > 0 && !has_zero && !into.quiet))
    return into.say("CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n");
  if (key.bytes > key_bytes_max) return into.say("CLIENT_ERROR bad command line format\r\n");
  take_key(into, key.at, key.bytes);
  into.what = action::remove;
}

// The next request of a datagram of the text protocol.
GENESYS_KERNEL void parse_text(cursor& c, request& into) {
  into.is_first = !c.is_get;
  if (!c.is_get) {
    const u8* newline = c.at;
    while (newline < c.end && *newline != '\n') ++newline;
    into.what = action::end;
    if (newline == c.end) return;
    c.line_end = newline > c.at && newline[-1] == '\r' ? newline - 1 : newline;
    c.next_line = newline + 1;
    const u8* at = c.at;
    c.at = c.next_line;
    const token command = next_token(at, c.line_end);
    if (command.is("get") || command.is("gets"))
      parse_get(c, into, at, command.bytes == 4);
    else if (command.is("set"))
      parse_set(c, into, at);
    else if (command.is("delete"))
      parse_remove(c, into, at);
    else if (command.is("version"))
      into.say("VERSION genesys\r\n");
    else
      into.say("ERROR\r\n");
  }
  if (c.is_get) parse_key(c, into);
}

}  // namespace memcached
