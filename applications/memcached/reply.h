// SPDX-License-Identifier: Apache-2.0
// The reply to a datagram: messages, which a team builds in the memory that it has for them, and sends. All threads of
// the team call each function, unless a comment says otherwise.
#pragma once

#include "binary.h"
#include "frame.h"

namespace memcached {

constexpr u32 head_bytes_max = 320;  // what stands before the value: "VALUE ..." with a key, or a header with a key

// What the threads of a server share.
struct server_memory {
  request current;
  cursor place;
  u32 id;       // of the datagram
  u32 is_some;  // whether `place` has a datagram to parse
  u32 head_bytes;
  u8 head[head_bytes_max];
  u64 least[2];
};

template <class Team>
class reply {
 public:
  GENESYS_KERNEL reply(const Team& team, server_memory& mine) : team_(team), mine_(mine), datagrams_(team.space()) {}

  // Adds bytes to the message. They are in memory that does not change until the next barrier of the team.
  GENESYS_KERNEL void add(const u8* from, u32 bytes) {
    while (bytes > 0) {
      const u32 in = filled_ % datagram_data_max, left = datagram_data_max - in, part = bytes < left ? bytes : left;
      team_.copy(datagrams_ + u64{filled_ / datagram_data_max} * datagram_bytes_max + frame_bytes + in, from, part);
      filled_ += part;
      from += part;
      bytes -= part;
    }
  }
  GENESYS_KERNEL void add_text(const char* text, u32 bytes) { add(reinterpret_cast<const u8*>(text), bytes); }

  GENESYS_KERNEL bool is_empty() const { return filled_ == 0; }

  // From here on, the first message is sent even if it is empty.
  GENESYS_KERNEL void begin_group() { sent_any_ = false; }

  // Sends the message, and begins the next one. memcached sends an empty message only if it is the first one of a
  // group.
  GENESYS_KERNEL void send() {
    const u32 count = datagrams_of(filled_), sent = filled_ == 0 ? (sent_any_ ? 0 : 1) : count;
    for (u32 i = team_.rank(); i < sent; i += team_.size())
      write_frame(datagrams_ + u64{i} * datagram_bytes_max, mine_.id, i, count);
    team_.sync();
    for (u32 i = 0; i < sent; ++i) {
      const u32 begin = i * datagram_data_max, data = filled_ - begin;
      team_.send(datagrams_ + u64{i} * datagram_bytes_max,
                 frame_bytes + (data < datagram_data_max ? data : datagram_data_max));
    }
    sent_any_ = true;
    filled_ = 0;
    datagrams_ = team_.space();
    team_.sync();
  }

 private:
  const Team& team_;
  server_memory& mine_;
  u8* datagrams_;
  u32 filled_ = 0;
  bool sent_any_ = false;
};

// Writes a number in decimal. One thread. Returns where the text ends.
GENESYS_KERNEL u8* write_number(u8* into, u64 value) {
  u8 digits[20];
  u32 count = 0;
  do digits[count++] = static_cast<u8>('0' + value % 10);
  while ((value /= 10) > 0);
  while (count > 0) *into++ = digits[--count];
  return into;
}

// "VALUE key flags bytes [cas]\r\n". One thread. Returns its length.
GENESYS_KERNEL u32 write_value_line(u8* into, const request& r, u32 flags, u32 bytes, u64 cas) {
  u8* at = into;
  for (const char* text = "VALUE "; *text != 0; ++text) *at++ = static_cast<u8>(*text);
  for (u32 i = 0; i < r.key_bytes; ++i) *at++ = static_cast<u8>(r.key[i / 8] >> i % 8 * 8);
  *at++ = ' ';
  at = write_number(at, flags);
  *at++ = ' ';
  at = write_number(at, bytes);
  if (r.with_cas) {
    *at++ = ' ';
    at = write_number(at, cas);
  }
  *at++ = '\r';
  *at++ = '\n';
  return static_cast<u32>(at - into);
}

// The header of a GET's reply, the flags, and perhaps the key. One thread. Returns their length.
GENESYS_KERNEL u32 write_value_header(u8* into, const request& r, u32 flags, u32 bytes, u64 cas) {
  const u32 key_bytes = r.with_key ? r.key_bytes : 0;
  write_binary_header(into, r, status::success, key_bytes, 4, 4 + key_bytes + bytes, cas);
  store_big(into + binary_header_bytes, flags, 4);
  for (u32 i = 0; i < key_bytes; ++i) into[binary_header_bytes + 4 + i] = static_cast<u8>(r.key[i / 8] >> i % 8 * 8);
  return binary_header_bytes + 4 + key_bytes;
}

// Begins a binary reply without a value: the header, and for a failure its text, or else `text`.
template <class Team>
GENESYS_KERNEL void add_status(const Team& team, reply<Team>& out, server_memory& mine, const request& r, status s,
                               u64 cas) {
  const char* text = s == status::success ? (r.what == action::say ? r.text : "") : text_of(s);
  u32 bytes = 0;
  while (text[bytes] != 0) ++bytes;
  if (team.is_first()) write_binary_header(mine.head, r, s, 0, 0, bytes, cas);
  team.sync();
  out.add(mine.head, binary_header_bytes);
  out.add_text(text, bytes);
}

}  // namespace memcached
