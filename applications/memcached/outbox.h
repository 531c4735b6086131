// SPDX-License-Identifier: Apache-2.0
// Memory for the replies to a batch of datagrams. All threads of a server call each function.
#pragma once

#include "bytes.h"
#include "support/mail.h"

namespace memcached {

using application::mail;
using application::mail_memory;

template <class Calls>
class outbox {
 public:
  // `at`: at least reply_bytes, which is what one reply needs.
  GENESYS_KERNEL outbox(mail<Calls>& letters, u8* at, u64 bytes, u64 reply_bytes)
      : letters_(letters), at_(at), bytes_(bytes), reply_bytes_(reply_bytes) {}

  // From here on, replies answer this datagram.
  GENESYS_KERNEL void reply_to(u32 datagram) { to_ = datagram; }
  // Memory for a reply, of which send() sends parts.
  GENESYS_KERNEL u8* space() {
    if (used_ + reply_bytes_ > bytes_) letters_.flush();
    if (letters_.has_sent_all()) used_ = 0;
    return at_ + used_;
  }
  GENESYS_KERNEL void send(const u8* data, u32 bytes) {
    letters_.send(to_, data, bytes);
    constexpr u64 aligned = 16;
    used_ = (static_cast<u64>(data - at_) + bytes + aligned - 1) / aligned * aligned;
  }

 private:
  mail<Calls>& letters_;
  u8* const at_;
  const u64 bytes_, reply_bytes_;
  u64 used_ = 0;
  u32 to_ = 0;
};

}  // namespace memcached
