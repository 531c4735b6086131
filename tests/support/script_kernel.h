// SPDX-License-Identifier: Apache-2.0
// The kernel that performs scripts (script.h), in each call mode. The threads of one scope take all steps together;
// different scopes run independently.
#pragma once

#include <linux/fs.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "script.h"

namespace contract {

GENESYS_KERNEL long settled(long value) { return value; }
// Waits for a call under way. The other threads run on meanwhile, the ticket is moved, and it is waited for twice.
template <class Ticket>
GENESYS_KERNEL long settled(Ticket call) {
  Ticket here = static_cast<Ticket&&>(call);
  const long value = here.wait();
  return here.wait() == value ? value : -EPROTO;
}

template <class Io>
GENESYS_KERNEL long make_ioctl(const Io& io, int fd, u32 request, void* to, int number) {
  switch (request) {
    case FIONREAD:
      return settled(io.template ioctl<FIONREAD>(fd, static_cast<int*>(to)));
    case FIONBIO:
      return settled(io.template ioctl<FIONBIO>(fd, static_cast<const int*>(to)));
    case FIOCLEX:
      return settled(io.template ioctl<FIOCLEX>(fd));
    case FIONCLEX:
      return settled(io.template ioctl<FIONCLEX>(fd));
    case BLKGETSIZE64:
      return settled(io.template ioctl<BLKGETSIZE64>(fd, static_cast<unsigned long long*>(to)));
    case TCGETS:
      return settled(io.template ioctl<TCGETS>(fd, static_cast<genesys::linux_termios*>(to)));
    case TCSETS:
      return settled(io.template ioctl<TCSETS>(fd, static_cast<const genesys::linux_termios*>(to)));
    case TCFLSH:
      return settled(io.template ioctl<TCFLSH>(fd, number));
    case TIOCGPGRP:
      return settled(io.template ioctl<TIOCGPGRP>(fd, static_cast<int*>(to)));
    case TIOCGWINSZ:
      return settled(io.template ioctl<TIOCGWINSZ>(fd, static_cast<struct ::winsize*>(to)));
    case TIOCSWINSZ:
      return settled(io.template ioctl<TIOCSWINSZ>(fd, static_cast<const struct ::winsize*>(to)));
    default:
      return -1;
  }
}

// If `whole`, the switch has all calls. Otherwise it has one call for each way in which two plans can differ, which
// compiles faster. `plain` makes the calls that `io` has no ticket for.
template <bool whole, class Io, class Plain>
GENESYS_KERNEL long make_call(const Io& io, const Plain& plain, const step& s, const u64 (&a)[6]) {
  const int fd = static_cast<int>(a[0]);
  const auto at = [&](int i) { return reinterpret_cast<void*>(a[i]); };
  const auto text = [&](int i) { return reinterpret_cast<const char*>(a[i]); };
  const auto number = [&](int i) { return static_cast<long>(a[i]); };
  const auto word = [&](int i) { return static_cast<int>(a[i]); };
  switch (s.what) {
    case call::openat:
      return settled(io.openat(fd, text(1), word(2), static_cast<unsigned>(a[3])));
    case call::close:
      return settled(io.close(fd));
    case call::read:
      return settled(io.read(fd, at(1), a[2]));
    case call::pread64:
      return settled(io.pread64(fd, at(1), a[2], number(3)));
    case call::write:
      return settled(io.write(fd, at(1), a[2]));
    case call::pwrite64:
      return settled(io.pwrite64(fd, at(1), a[2], number(3)));
    case call::fstat:
      return settled(io.fstat(fd, static_cast<struct ::stat*>(at(1))));
    case call::getdents64:
      return settled(io.getdents64(fd, at(1), static_cast<unsigned>(a[2])));
    case call::getcwd:
      return settled(io.getcwd(at(0), a[1]));
    case call::getppid:
      return settled(io.getppid());
    case call::nanosleep:
      return settled(
          io.nanosleep(static_cast<const struct ::timespec*>(at(0)), static_cast<struct ::timespec*>(at(1))));
    case call::bind:
      return settled(io.bind(fd, static_cast<const struct ::sockaddr*>(at(1)), static_cast<unsigned>(a[2])));
    case call::sendto:
      return settled(io.sendto(fd, at(1), a[2], word(3), static_cast<const struct ::sockaddr*>(at(4)),
                               static_cast<unsigned>(a[5])));
    case call::recvfrom:
      return settled(
          io.recvfrom(fd, at(1), a[2], word(3), static_cast<struct ::sockaddr*>(at(4)), static_cast<unsigned*>(at(5))));
    case call::raw:
      return plain.syscall(s.number, a[0], a[1], a[2], a[3], a[4], a[5]);
    default:
      break;
  }
  if constexpr (whole) {
    switch (s.what) {
      case call::lseek:
        return settled(io.lseek(fd, number(1), word(2)));
      case call::ftruncate:
        return settled(io.ftruncate(fd, number(1)));
      case call::fsync:
        return settled(io.fsync(fd));
      case call::fdatasync:
        return settled(io.fdatasync(fd));
      case call::dup:
        return settled(io.dup(fd));
      case call::unlinkat:
        return settled(io.unlinkat(fd, text(1), word(2)));
      case call::mkdirat:
        return settled(io.mkdirat(fd, text(1), static_cast<unsigned>(a[2])));
      case call::getpid:
        return settled(io.getpid());
      case call::getrusage:
        return settled(io.getrusage(fd, static_cast<struct ::rusage*>(at(1))));
      case call::uname:
        return settled(io.uname(static_cast<struct ::utsname*>(at(0))));
      case call::getrandom:
        return settled(io.getrandom(at(0), a[1], word(2)));
      case call::clock_gettime:
        return settled(io.clock_gettime(fd, static_cast<struct ::timespec*>(at(1))));
      case call::pipe2:
        return settled(io.pipe2(static_cast<int*>(at(0)), word(1)));
      case call::socket:
        return settled(io.socket(fd, word(1), word(2)));
      case call::socketpair:
        return settled(io.socketpair(fd, word(1), word(2), static_cast<int*>(at(3))));
      case call::listen:
        return settled(io.listen(fd, word(1)));
      case call::accept4:
        return settled(io.accept4(fd, static_cast<struct ::sockaddr*>(at(1)), static_cast<unsigned*>(at(2)), word(3)));
      case call::connect:
        return settled(io.connect(fd, static_cast<const struct ::sockaddr*>(at(1)), static_cast<unsigned>(a[2])));
      case call::getsockname:
        return settled(io.getsockname(fd, static_cast<struct ::sockaddr*>(at(1)), static_cast<unsigned*>(at(2))));
      case call::getpeername:
        return settled(io.getpeername(fd, static_cast<struct ::sockaddr*>(at(1)), static_cast<unsigned*>(at(2))));
      case call::shutdown:
        return settled(io.shutdown(fd, word(1)));
      case call::ioctl:
        return make_ioctl(io, fd, static_cast<u32>(a[1]), at(2), word(2));
      case call::rt_sigqueueinfo:
        return settled(io.rt_sigqueueinfo(fd, word(1), static_cast<const siginfo_t*>(at(2))));
      default:
        break;
    }
  }
  return -1;
}

struct first_words {
  long value;
  u64 sum;
};

CONTRACT_OUTLINE inline void copy_bytes(u8* to, const u8* from, u64 bytes, u32 rank, u32 size) {
  for (u64 i = rank; i < bytes; i += size) to[i] = from[i];
}

CONTRACT_OUTLINE inline u64 sum_of(const u8* from, u64 bytes) {
  u64 sum = 0;
  for (u64 i = 0; i < bytes; ++i) sum = (sum ^ from[i]) * 0x100'0000'01b3ull;
  return sum;
}

// The threads that perform one script together, and the object through which they call.
template <call_mode m>
struct performers {
  static constexpr scope at = m.at;
  static constexpr bool is_of_blocks = at == scope::block || at == scope::grid;

  GENESYS_KERNEL static auto bound(const genesys::os& os) {
    if constexpr (at == scope::thread) {
      return os.on(genesys::thread());
    } else if constexpr (at == scope::warp) {
      return os.on(genesys::warp());
    } else if constexpr (at == scope::block) {
      return os.on(genesys::block());
    } else {
      return os.on(genesys::grid());
    }
  }
  // The same scope and order, with blocking calls.
  GENESYS_KERNEL static auto plain(const genesys::os& os) {
    if constexpr (m.order == order::producer) {
      return bound(os).relaxed(genesys::producer());
    } else if constexpr (m.order == order::consumer) {
      return bound(os).relaxed(genesys::consumer());
    } else {
      return bound(os);
    }
  }
  GENESYS_KERNEL static auto io(const genesys::os& os) {
    if constexpr (m.wait == wait::ticket) {
      return plain(os).ticket();
    } else {
      return plain(os);
    }
  }
  // The number of this thread's unit among all units that perform scripts.
  GENESYS_KERNEL static u32 index() {
    using namespace genesys;
    if (at == scope::grid) return 0;
    if (at == scope::block) return block_rank();
    const u32 units = at == scope::warp ? (threads_in_block() + 31) / 32 : threads_in_block();
    return block_rank() * units + index_in_block();
  }
  GENESYS_KERNEL static u32 index_in_block() {
    return is_of_blocks ? 0 : at == scope::warp ? genesys::warp_rank() : genesys::thread_rank();
  }
  GENESYS_KERNEL static u32 rank() {
    if (at == scope::grid) return genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    return at == scope::block ? genesys::thread_rank() : at == scope::warp ? genesys::lane() : 0;
  }
  GENESYS_KERNEL static u32 lanes() {
    const u32 rest = genesys::threads_in_block() - genesys::warp_rank() * 32;
    return rest >= 32 ? ~0u : (1u << rest) - 1;
  }
  GENESYS_KERNEL static u32 size() {
    if (at == scope::thread) return 1;
    if (is_of_blocks) return genesys::threads_in_block();
    const u32 rest = genesys::threads_in_block() - genesys::warp_rank() * 32;
    return rest >= 32 ? 32 : rest;
  }
  // A barrier of the threads that perform one script. `meetings` counts the barriers so far in this kernel.
  GENESYS_KERNEL static void meet(const stage& s, u32& meetings) {
    if constexpr (is_of_blocks) genesys::sync_block();
    if constexpr (at == scope::grid) {
      const genesys::atomic<u32> arrived(*s.arrived);
      if (genesys::thread_rank() == 0) arrived.fetch_add(1);
      ++meetings;
      while (arrived.load() < meetings * genesys::blocks_in_grid()) genesys::pause(500);
    }
    if constexpr (at == scope::warp) genesys::sync_warp(lanes());
  }
  // Gives every thread the first thread's words. In a grid, whose blocks share no memory, the first value is the one
  // that a thread stored for the host.
  GENESYS_KERNEL static first_words from_first(first_words mine, const long& noted) {
    if constexpr (at == scope::grid) {
      mine.value = noted;
    } else if constexpr (at == scope::block) {
      first_words& said = genesys::shared<first_words>();
      if (rank() == 0) said = mine;
      genesys::sync_block();
      mine = said;
      genesys::sync_block();
    } else if constexpr (at == scope::warp) {
      mine.value = static_cast<long>(genesys::shuffle(lanes(), static_cast<u64>(mine.value), 0));
      mine.sum = genesys::shuffle(lanes(), mine.sum, 0);
    }
    return mine;
  }
  // Whether this thread stores the call's value for the host.
  GENESYS_KERNEL static bool notes(long value) {
    return at == scope::grid && m.order == order::producer ? value != -EINPROGRESS : rank() == 0;
  }
  // Whether this thread runs on without waiting for the call, and so gets no result.
  GENESYS_KERNEL static bool runs_on(long value) {
    if (m.order != order::producer || value != -EINPROGRESS) return false;
    return at == scope::grid || (at == scope::block && genesys::warp_rank() != 0);
  }
};

template <call_mode m>
struct perform_script {
  GENESYS_KERNEL void operator()(genesys::os os, stage s) const {
    using us = performers<m>;
    constexpr bool whole = has_all_calls(m);
    const u32 mine = us::index();
    if (mine >= s.scripts_count) return;
    const auto io = us::io(os);
    const auto plain = us::plain(os);
    const u32 rank = us::rank(), size = us::size();
    u8* const shared_part = static_cast<u8*>(genesys::dynamic_shared()) + us::index_in_block() * s.shared_stride;
    alignas(16) u8 own[private_bytes];
    const u32 steps_end = us::at == scope::grid
                              ? s.scripts[s.scripts_count - 1].first + s.scripts[s.scripts_count - 1].count
                              : s.scripts[mine].first + s.scripts[mine].count;
    u32 which = mine, meetings = 0;
    const auto meet = [&] { us::meet(s, meetings); };
    for (u32 index = s.scripts[mine].first; index < steps_end; ++index) {
      while (index >= s.scripts[which].first + s.scripts[which].count) ++which;
      const step& now = s.steps[index];
      u64 args[6];
      for (int k = 0; k < 6; ++k) args[k] = static_cast<u64>(now.args[k] == root ? s.folder : now.args[k]);
      if (now.fd_from != ~0u) args[0] = static_cast<u64>(s.values[s.scripts[which].first + now.fd_from]);
      for (const buffer& b : now.buffers) {
        if (b.where == memory::none) continue;
        u8* const image = s.base[static_cast<u32>(b.where)] + b.region;
        u8* place = image;
        if (b.where == memory::shared) copy_bytes(place = shared_part + b.local, image, b.bytes, rank, size);
        if (b.where == memory::private_) copy_bytes(place = own + b.local, image, b.bytes, 0, 1);
        args[b.arg] = reinterpret_cast<u64>(place + b.at);
      }
      meet();  // for the copies in shared memory; the call itself has barriers of its own
      long value = make_call<whole>(io, plain, now, args);
      // The tickets asked for more bounce buffers than they may have, and the call was not made: try again.
      while (m.wait == wait::ticket && us::at != scope::grid && value == -EAGAIN)
        value = make_call<whole>(io, plain, now, args);
      if constexpr (m.order == order::producer) meet();  // the first warp waits for the call before it comes here
      u64 sum = 0;
      for (const buffer& b : now.buffers) {
        u8* const image = s.base[static_cast<u32>(b.where)] + b.region;
        if (b.where == memory::shared) copy_bytes(image, shared_part + b.local, b.bytes, rank, size);
        if (b.where == memory::private_) sum ^= sum_of(own + b.local, b.bytes);
        if (b.where == memory::private_ && rank == 0) copy_bytes(image, own + b.local, b.bytes, 0, 1);
      }
      if (us::notes(value)) genesys::atomic<long>(s.values[index]).store(value);
      if constexpr (us::at == scope::grid) meet();
      const first_words first = us::from_first({value, sum}, s.values[index]);
      const bool same = first.value == value && first.sum == sum;
      if (!same && !us::runs_on(value)) genesys::atomic<u32>(s.differing[index]).fetch_add(1);
      meet();
    }
  }
};

}  // namespace contract
