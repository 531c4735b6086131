// SPDX-License-Identifier: Apache-2.0
// The datagrams of a server: it receives some with one call, and sends the replies to them with one call, recvmmsg(2)
// and sendmmsg(2). With a batch of 1 these are recvfrom(2) and sendto(2).
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include "bytes.h"

namespace memcached {

constexpr u32 batch_max = 32, request_bytes_max = 65536;

// What the threads of a server share.
struct mail_memory {
  sockaddr_in6 from[batch_max];
  u32 length;  // of the only address, with a batch of 1
  iovec parts[batch_max], parts_out[batch_max];
  mmsghdr in[batch_max], out[batch_max];
};

// `Calls`: calls(), is_first() and sync() of the server's threads. All threads call each function, with the same
// arguments.
template <class Calls>
class mail {
 public:
  // `requests`: request_bytes_max for each datagram of a batch. `replies`: at least one reply.
  GENESYS_KERNEL mail(const Calls& by, mail_memory& mine, int fd, u32 batch, u8* requests, u8* replies,
                      u64 replies_bytes)
      : by_(by), mine_(mine), fd_(fd), batch_(batch), requests_(requests), replies_(replies), bytes_(replies_bytes) {
    if (batch == 1 || !by.is_first()) return;
    for (u32 i = 0; i < batch; ++i) {
      mine.parts[i] = {requests + u64{i} * request_bytes_max, request_bytes_max};
      mine.in[i] = {};
      mine.in[i].msg_hdr.msg_name = &mine.from[i];
      mine.in[i].msg_hdr.msg_iov = &mine.parts[i];
      mine.in[i].msg_hdr.msg_iovlen = 1;
    }
  }

  // Waits for datagrams. Returns their number; 0 if the call has failed.
  GENESYS_KERNEL u32 receive() {
    if (batch_ == 1) {
      if (by_.is_first()) mine_.length = sizeof mine_.from[0];
      received_ = by_.calls().recvfrom(fd_, requests_, request_bytes_max, 0, address(0), &mine_.length);
      return received_ > 0 ? 1 : 0;
    }
    if (by_.is_first())
      for (u32 i = 0; i < batch_; ++i) mine_.in[i].msg_hdr.msg_namelen = sizeof mine_.from[i];
    received_ = by_.calls().recvmmsg(fd_, mine_.in, batch_, MSG_WAITFORONE, nullptr);
    return received_ > 0 ? static_cast<u32>(received_) : 0;
  }
  GENESYS_KERNEL const u8* datagram(u32 i) const { return requests_ + u64{i} * request_bytes_max; }
  GENESYS_KERNEL u32 bytes_of(u32 i) const { return batch_ == 1 ? static_cast<u32>(received_) : mine_.in[i].msg_len; }

  // From here on, datagrams that are sent answer this one.
  GENESYS_KERNEL void reply_to(u32 i) { current_ = i; }
  // Memory for a reply. It belongs to the reply until the next call of this function or of flush().
  GENESYS_KERNEL u8* space(u64 bytes) {
    if (used_ + bytes > bytes_) flush();
    return replies_ + used_;
  }
  // Sends a datagram of such a reply, or keeps it until flush().
  GENESYS_KERNEL void send(const u8* data, u32 bytes) {
    if (batch_ == 1) {
      by_.calls().sendto(fd_, data, bytes, MSG_NOSIGNAL, address(0), mine_.length);
      return;
    }
    if (waiting_ == batch_) flush();
    if (by_.is_first()) {
      msghdr& head = mine_.out[waiting_].msg_hdr;
      mine_.parts_out[waiting_] = {const_cast<u8*>(data), bytes};
      head = {};
      head.msg_name = &mine_.from[current_];
      head.msg_namelen = mine_.in[current_].msg_hdr.msg_namelen;
      head.msg_iov = &mine_.parts_out[waiting_];
      head.msg_iovlen = 1;
    }
    ++waiting_;
    constexpr u64 aligned = 16;
    used_ = (static_cast<u64>(data - replies_) + bytes + aligned - 1) / aligned * aligned;
  }
  // Sends what waits. A datagram that Linux refuses is lost.
  GENESYS_KERNEL void flush() {
    if (waiting_ == 0) return;
    for (u32 sent = 0; sent < waiting_;) {
      const long n = by_.calls().sendmmsg(fd_, mine_.out + sent, waiting_ - sent, MSG_NOSIGNAL);
      sent += n > 0 ? static_cast<u32>(n) : 1;
    }
    waiting_ = 0;
    used_ = 0;
    by_.sync();
  }

 private:
  GENESYS_KERNEL sockaddr* address(u32 i) const { return reinterpret_cast<sockaddr*>(&mine_.from[i]); }

  const Calls& by_;
  mail_memory& mine_;
  const int fd_;
  const u32 batch_;
  u8* const requests_;
  u8* const replies_;
  const u64 bytes_;
  long received_ = 0;
  u32 current_ = 0, waiting_ = 0;
  u64 used_ = 0;
};

}  // namespace memcached
