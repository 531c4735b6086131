// SPDX-License-Identifier: Apache-2.0
// The frame of a datagram: request id, sequence number, count, and two zero bytes. A reply is a message of one or more
// datagrams; this file says where its bytes lie in memory that holds one datagram after the other.
#pragma once

#include "request.h"

namespace memcached {

constexpr u32 frame_bytes = 8;
constexpr u32 datagram_bytes_max = 1400, datagram_data_max = datagram_bytes_max - frame_bytes;
constexpr u8 first_of_binary = 0x80;

// Starts to parse a datagram. False: it gets no reply.
GENESYS_KERNEL bool begin(cursor& c, const u8* datagram, u32 bytes) {
  if (bytes <= frame_bytes || load_big(datagram + 4, 2) != 1) return false;
  c = {};
  c.at = datagram + frame_bytes;
  c.end = datagram + bytes;
  c.is_binary = c.at[0] == first_of_binary;
  return true;
}

GENESYS_KERNEL u32 datagrams_of(u32 message_bytes) {
  return (message_bytes + datagram_data_max - 1) / datagram_data_max;
}

// Bytes of memory for a message.
GENESYS_KERNEL constexpr u64 bytes_of_datagrams(u64 message_bytes) {
  return (message_bytes + datagram_data_max - 1) / datagram_data_max * datagram_bytes_max;
}

GENESYS_KERNEL void write_frame(u8* into, u32 id, u32 sequence, u32 count) {
  store_big(into, id, 2);
  store_big(into + 2, sequence, 2);
  store_big(into + 4, count, 2);
  store_big(into + 6, 0, 2);
}

}  // namespace memcached
