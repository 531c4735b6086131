// SPDX-License-Identifier: Apache-2.0
// Datagrams of a server, which is a block of a kernel or a thread of the CPU: it receives some with one call, and sends
// some with one call, recvmmsg(2) and sendmmsg(2). With a batch of 1 these are recvfrom(2) and sendto(2).
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>

#include "genesys/kernel.h"

namespace application {

// A batch is at most 1 MiB: genesys stages at most 2 MiB for a call.
constexpr std::uint32_t batch_max = 16, received_bytes_max = 65536;

// What the threads of a server share.
struct datagram_memory {
  sockaddr_in6 from[batch_max];
  std::uint32_t length;  // of the only address, with a batch of 1
  iovec parts_in[batch_max], parts_out[batch_max];
  mmsghdr in[batch_max], out[batch_max];
};

// `Calls`: calls() and is_first() of the server's threads. All threads call each function, with the same arguments.
template <class Calls>
class datagrams {
 public:
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;

  // `received`: received_bytes_max for each datagram of a batch.
  GENESYS_KERNEL datagrams(const Calls& by, datagram_memory& mine, int fd, u32 batch, unsigned char* received)
      : by_(by), mine_(mine), fd_(fd), batch_(batch), received_(received) {
    if (batch == 1 || !by.is_first()) return;
    for (u32 i = 0; i < batch; ++i) {
      mine.parts_in[i] = {datagram(i), received_bytes_max};
      mine.in[i] = {};
      mine.in[i].msg_hdr.msg_name = &mine.from[i];
      mine.in[i].msg_hdr.msg_iov = &mine.parts_in[i];
      mine.in[i].msg_hdr.msg_iovlen = 1;
    }
  }

  // Waits for datagrams. Returns their number, or -errno. A socket that is shut down gives empty ones.
  GENESYS_KERNEL long receive() {
    if (by_.is_first()) {  // the barrier of the call orders these stores
      mine_.length = sizeof mine_.from[0];
      for (u32 i = 0; i < batch_; ++i) mine_.in[i].msg_hdr.msg_namelen = sizeof mine_.from[i];
    }
    if (batch_ > 1) return by_.calls().recvmmsg(fd_, mine_.in, batch_, MSG_WAITFORONE, nullptr);
    bytes_ = by_.calls().recvfrom(fd_, received_, received_bytes_max, 0, address(0), &mine_.length);
    return bytes_ < 0 ? bytes_ : 1;
  }
  GENESYS_KERNEL unsigned char* datagram(u32 i) const { return received_ + u64{i} * received_bytes_max; }
  GENESYS_KERNEL u32 bytes_of(u32 i) const { return batch_ == 1 ? static_cast<u32>(bytes_) : mine_.in[i].msg_len; }

  // Sends data to the sender of a datagram, now or in a later send() or flush(): until then the data must stay.
  GENESYS_KERNEL void send(u32 to, const unsigned char* data, u32 bytes) {
    if (batch_ == 1) {
      by_.calls().sendto(fd_, data, bytes, MSG_NOSIGNAL, address(to), mine_.length);
      return;
    }
    if (waiting_ == batch_) flush();
    if (by_.is_first()) {
      mine_.parts_out[waiting_] = {const_cast<unsigned char*>(data), bytes};
      msghdr& head = mine_.out[waiting_].msg_hdr;
      head = {};
      head.msg_name = &mine_.from[to];
      head.msg_namelen = mine_.in[to].msg_hdr.msg_namelen;
      head.msg_iov = &mine_.parts_out[waiting_];
      head.msg_iovlen = 1;
    }
    ++waiting_;
  }
  // Sends what waits. A datagram that Linux refuses is lost.
  GENESYS_KERNEL void flush() {
    for (u32 sent = 0; sent < waiting_;) {
      const long n = by_.calls().sendmmsg(fd_, mine_.out + sent, waiting_ - sent, MSG_NOSIGNAL);
      sent += n > 0 ? static_cast<u32>(n) : 1;
    }
    waiting_ = 0;
  }
  GENESYS_KERNEL bool has_sent_all() const { return waiting_ == 0; }

 private:
  GENESYS_KERNEL sockaddr* address(u32 i) const { return reinterpret_cast<sockaddr*>(&mine_.from[i]); }

  const Calls& by_;
  datagram_memory& mine_;
  const int fd_;
  const u32 batch_;
  unsigned char* const received_;
  long bytes_ = 0;  // of the only datagram
  u32 waiting_ = 0;
};

}  // namespace application
