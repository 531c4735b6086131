// SPDX-License-Identifier: Apache-2.0
// The calls that callers make: by a kernel (call), as an SQE of a ring (say), and the check of the result of caller
// `me`'s i-th call (is_right). Each kind of work has the number of its callers and their memory.
#pragma once

#include <linux/io_uring.h>
#include <sys/socket.h>

#include <cstdint>

#include "direct/limits.h"
#include "genesys/genesys.h"
#include "support/cached_file.h"
#include "support/executor_runtime.h"

namespace direct {

namespace uring_op = genesys::detail::uring_op;

using baseline::page_bytes;
using baseline::word;
using u64 = std::uint64_t;

// Reads of one size, at positions all over a file.
struct reads {
  int fd;
  unsigned bytes;   // of each
  unsigned pieces;  // of the file, a power of two
  unsigned callers;
  char* memory = nullptr;   // `bytes` for each caller
  bool registered = false;  // the file and the memory are registered with the ring

  GENESYS_KERNEL u64 piece(unsigned me, unsigned i) const { return baseline::scattered(i * callers + me, pieces); }
  GENESYS_KERNEL bool call(genesys::os os, unsigned me, unsigned i) const {
    return is_right(os.pread64(fd, memory + u64{me} * bytes, bytes, static_cast<long>(piece(me, i) * bytes)), me, i);
  }
  void say(io_uring_sqe& entry, unsigned me, unsigned i) const {
    entry.opcode = registered ? uring_op::read_fixed : uring_op::read;
    entry.flags = registered ? IOSQE_FIXED_FILE : 0;
    entry.fd = registered ? 0 : fd;
    entry.addr = reinterpret_cast<u64>(memory + u64{me} * bytes);
    entry.len = bytes;
    entry.off = piece(me, i) * bytes;
  }
  GENESYS_KERNEL bool is_right(long returned, unsigned me, unsigned i) const {
    const u64 which = i % (bytes / sizeof(word));
    return returned == static_cast<long>(bytes) && reinterpret_cast<const word*>(memory + u64{me} * bytes)[which] ==
                                                       baseline::word_of(piece(me, i) * (bytes / sizeof(word)) + which);
  }
};

// SQEs that do nothing.
struct nops {
  int fd;  // any file: a kernel asks the host for its kind
  unsigned callers;
  char* memory = nullptr;

  GENESYS_KERNEL bool call(genesys::os os, unsigned, unsigned) const {
    const genesys::detail::device_context& a = os.context();
    genesys::detail::uring::sqe_fields nothing{};
    nothing.words[0] = static_cast<u64>(fd) << 32;
    nothing.on = genesys::detail::on_file;
    const genesys::detail::request unrecorded{};
    return genesys::detail::uring::submit_and_wait(a, a.rings, a.rings_shape, a.generation, nothing, unrecorded) == 0;
  }
  void say(io_uring_sqe&, unsigned, unsigned) const {}
  GENESYS_KERNEL bool is_right(long returned, unsigned, unsigned) const { return returned == 0; }
};

// Each warp sends or receives on one of the sockets.
struct datagrams {
  const int* fds;  // in device memory
  unsigned sockets, bytes, callers;
  bool receives;
  char* memory = nullptr;

  GENESYS_KERNEL bool call(genesys::os os, unsigned me, unsigned) const {
    char* const mine = memory + u64{me} * page_bytes;
    const int fd = fds[me / warp % sockets];
    const long returned = receives ? os.recvfrom(fd, mine, bytes, 0) : os.sendto(fd, mine, bytes, MSG_NOSIGNAL);
    return receives
               ? returned >= 0
               : returned == static_cast<long>(bytes);  // a datagram may be an earlier, shorter one, or end the round
  }
};

}  // namespace direct
