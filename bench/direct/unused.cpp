// SPDX-License-Identifier: Apache-2.0
// Operations of io_uring that kernels do not use, by a ring that a thread fills.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "direct/parts.h"
#include "direct/sides.h"
#include "support/measure.h"

namespace direct {

using measure::scaled;

namespace {

// statx of a path.
struct looks_at_path {
  unsigned callers;
  char* memory = nullptr;
  static constexpr const char* path = "/etc/passwd";

  struct statx* into(unsigned me) const {
    return reinterpret_cast<struct statx*>(memory) + me;
  }
  void say(io_uring_sqe& entry, unsigned me, unsigned) const {
    entry.opcode = uring_op::statx;
    entry.fd = AT_FDCWD;
    entry.addr = reinterpret_cast<u64>(path);
    entry.len = STATX_BASIC_STATS;
    entry.off = reinterpret_cast<u64>(into(me));
  }
  bool is_right(long returned, unsigned, unsigned) const { return returned == 0; }
};

// Sends of whole messages by a stream.
struct sends {
  int fd;
  unsigned bytes, callers;
  bool copies;
  char* memory = nullptr;

  void say(io_uring_sqe& entry, unsigned, unsigned) const {
    entry.opcode = copies ? uring_op::send : uring_op::send_zc;
    entry.fd = fd;
    entry.addr = reinterpret_cast<u64>(memory);
    entry.len = bytes;
    entry.msg_flags = MSG_WAITALL | MSG_NOSIGNAL;
  }
  bool is_right(long returned, unsigned, unsigned) const { return returned == static_cast<long>(bytes); }
};

// A connection on loopback. A thread empties the other end.
class emptied_stream {
 public:
  emptied_stream() {
    const int listens = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ours_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const address = reinterpret_cast<sockaddr*>(&at);
    socklen_t length = sizeof at;
    const bool works = ::bind(listens, address, length) == 0 && ::listen(listens, 1) == 0 &&
                       ::getsockname(listens, address, &length) == 0 && ::connect(ours_, address, length) == 0;
    const int theirs = works ? ::accept(listens, nullptr, nullptr) : -1;
    ::close(listens);
    if (theirs < 0) throw measure::failure("no connection on loopback");
    empties_ = std::jthread([theirs] {
      std::vector<char> into(1u << 20);
      while (::read(theirs, into.data(), into.size()) > 0) {
      }
      ::close(theirs);
    });
  }
  ~emptied_stream() { ::close(ours_); }
  emptied_stream(const emptied_stream&) = delete;
  emptied_stream& operator=(const emptied_stream&) = delete;
  int fd() const { return ours_; }

 private:
  int ours_ = -1;
  std::jthread empties_;
};

}  // namespace

void unused(bench& all, shared& in) {
  fed_rings& fed = in.fed.at(1);
  const looks_at_path looks{.callers = 64};
  std::vector<side> sides;
  const bool registered = fed.registers(in.cached.fd(), in.threads.memory(), memory_bytes);
  for (const bool fixed : {true, false}) {
    if (fixed && !registered) continue;
    for (const unsigned bytes : {page_bytes, 65536u}) {
      reads work = in.of(in.cached.fd(), bytes, 256);
      work.registered = fixed;
      sides.push_back({(fixed ? "read_fixed_" : "read_") + std::to_string(bytes / 1024) + "KiB", 1,
                       [&, work] { return fed.calls(work, in.threads.memory(), in.round_ns); }});
    }
  }
  sides.push_back({"path_ring", 1, [&] { return fed.calls(looks, in.threads.memory(), in.round_ns); }});
  sides.push_back({"path_thread", 0, [&] {
                     const auto end = measure::clock::now() + std::chrono::nanoseconds(in.round_ns);
                     struct statx into;
                     double made = 0;
                     for (; measure::clock::now() < end; ++made)
                       if (::statx(AT_FDCWD, looks.path, 0, STATX_BASIC_STATS, &into) != 0) return 0.;
                     return made;
                   }});
  const emptied_stream over;
  for (const unsigned bytes : {page_bytes, 65536u, 1u << 20}) {
    for (const bool copies : {true, false}) {
      const sends work{.fd = over.fd(), .bytes = bytes, .callers = 8, .copies = copies};
      sides.push_back({(copies ? "send_" : "send_zc_") + std::to_string(bytes / 1024) + "KiB", 1,
                       [&, work] { return fed.calls(work, in.threads.memory(), in.round_ns); }});
    }
  }
  by_turns(sides, in.rounds);
  for (const side& one : sides) {
    all.keep("unused_" + one.name, "M/s", scaled(one.rate, 1e-6));
    all.keep("unused_" + one.name + "_cpu", "us a call", sums(one.user_us, one.system_us));
  }
}

}  // namespace direct
