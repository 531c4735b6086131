// SPDX-License-Identifier: Apache-2.0
// Memory for the replies to a batch of datagrams. All threads of a server call each function.
#pragma once

#include "bytes.h"
#include "support/datagrams.h"

namespace memcached {

using application::datagram_memory;
using application::datagrams;

template <class Calls>
class reply_memory {
 public:
  // `at`: at least reply_bytes, which is what one reply needs.
  GENESYS_KERNEL reply_memory(datagrams<Calls>& messages, u8* at, u64 bytes, u64 reply_bytes)
      : to_send_(messages), at_(at), bytes_(bytes), reply_bytes_(reply_bytes) {}

  // From here on, replies answer this datagram.
  GENESYS_KERNEL void reply_to(u32 datagram) { to_ = datagram; }
  // Memory for a reply, of which send() sends parts.
  GENESYS_KERNEL u8* space() {
    if (used_ + reply_bytes_ > bytes_) to_send_.flush();
    if (to_send_.has_sent_all()) used_ = 0;
    return at_ + used_;
  }
  GENESYS_KERNEL void send(const u8* data, u32 bytes) {
    to_send_.send(to_, data, bytes);
    constexpr u64 aligned = 16;
    used_ = (static_cast<u64>(data - at_) + bytes + aligned - 1) / aligned * aligned;
  }

 private:
  datagrams<Calls>& to_send_;
  u8* const at_;
  const u64 bytes_, reply_bytes_;
  u64 used_ = 0;
  u32 to_ = 0;
};

}  // namespace memcached
