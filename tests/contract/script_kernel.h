// SPDX-License-Identifier: Apache-2.0
// The kernel that performs scripts (script.h), for either scope. Every thread of a block at block scope runs all of it
// together; at thread scope each lane goes its own way.
#pragma once

#include "script.h"

namespace contract {

template <class Io>
GENESYS_KERNEL long make_call(const Io& io, const step& s, const u64 (&a)[6]) {
  const int fd = static_cast<int>(a[0]);
  const auto at = [&](int i) { return reinterpret_cast<void*>(a[i]); };
  const auto text = [&](int i) { return reinterpret_cast<const char*>(a[i]); };
  const auto number = [&](int i) { return static_cast<long>(a[i]); };
  const auto word = [&](int i) { return static_cast<int>(a[i]); };
  switch (s.what) {
    case call::openat:
      return io.openat(fd, text(1), word(2), static_cast<unsigned>(a[3]));
    case call::close:
      return io.close(fd);
    case call::read:
      return io.read(fd, at(1), a[2]);
    case call::pread64:
      return io.pread64(fd, at(1), a[2], number(3));
    case call::write:
      return io.write(fd, at(1), a[2]);
    case call::pwrite64:
      return io.pwrite64(fd, at(1), a[2], number(3));
    case call::lseek:
      return io.lseek(fd, number(1), word(2));
    case call::fstat:
      return io.fstat(fd, static_cast<struct ::stat*>(at(1)));
    case call::getdents64:
      return io.getdents64(fd, at(1), static_cast<unsigned>(a[2]));
    case call::ftruncate:
      return io.ftruncate(fd, number(1));
    case call::fsync:
      return io.fsync(fd);
    case call::fdatasync:
      return io.fdatasync(fd);
    case call::dup:
      return io.dup(fd);
    case call::unlinkat:
      return io.unlinkat(fd, text(1), word(2));
    case call::mkdirat:
      return io.mkdirat(fd, text(1), static_cast<unsigned>(a[2]));
    case call::getcwd:
      return io.getcwd(at(0), a[1]);
    case call::getpid:
      return io.getpid();
    case call::getppid:
      return io.getppid();
    case call::getrusage:
      return io.getrusage(fd, static_cast<struct ::rusage*>(at(1)));
    case call::uname:
      return io.uname(static_cast<struct ::utsname*>(at(0)));
    case call::getrandom:
      return io.getrandom(at(0), a[1], word(2));
    case call::clock_gettime:
      return io.clock_gettime(fd, static_cast<struct ::timespec*>(at(1)));
    case call::nanosleep:
      return io.nanosleep(static_cast<const struct ::timespec*>(at(0)), static_cast<struct ::timespec*>(at(1)));
    case call::raw:
      return io.syscall(s.number, a[0], a[1], a[2], a[3], a[4], a[5]);
  }
  return -1;
}

struct team_words {
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

template <class Scope>
struct perform_script {
  static constexpr bool is_block = std::is_same_v<Scope, genesys::block>;

  GENESYS_KERNEL static void meet() {
    if constexpr (is_block) genesys::sync_block();
  }

  GENESYS_KERNEL void operator()(genesys::os os, stage s) const {
    using namespace genesys;
    const u32 mine = is_block ? block_rank() : block_rank() * threads_in_block() + thread_rank();
    if (mine >= s.scripts_count) return;
    const auto io = os.on(Scope{});
    const u32 rank = is_block ? thread_rank() : 0, size = is_block ? threads_in_block() : 1;
    u8* const shared_part = static_cast<u8*>(dynamic_shared()) + (is_block ? 0 : thread_rank() * s.shared_stride);
    alignas(16) u8 own[private_bytes];
    const script range = s.scripts[mine];
    for (u32 i = 0; i < range.count; ++i) {
      const u32 index = range.first + i;
      const step& now = s.steps[index];
      u64 args[6];
      for (int k = 0; k < 6; ++k) args[k] = static_cast<u64>(now.args[k] == root ? s.folder : now.args[k]);
      if (now.fd_from != ~0u) args[0] = static_cast<u64>(s.values[range.first + now.fd_from]);
      for (const buffer& b : now.buffers) {
        if (b.where == memory::none) continue;
        u8* const image = s.base[static_cast<u32>(b.where)] + b.region;
        u8* place = image;
        if (b.where == memory::shared) copy_bytes(place = shared_part + b.local, image, b.bytes, rank, size);
        if (b.where == memory::private_) copy_bytes(place = own + b.local, image, b.bytes, 0, 1);
        args[b.arg] = reinterpret_cast<u64>(place + b.at);
      }
      meet();  // for what was copied to shared memory; the call itself has barriers of its own
      const long value = make_call(io, now, args);
      u64 sum = 0;
      for (const buffer& b : now.buffers) {
        u8* const image = s.base[static_cast<u32>(b.where)] + b.region;
        if (b.where == memory::shared) copy_bytes(image, shared_part + b.local, b.bytes, rank, size);
        if (b.where == memory::private_) sum ^= sum_of(own + b.local, b.bytes);
        if (b.where == memory::private_ && rank == 0) copy_bytes(image, own + b.local, b.bytes, 0, 1);
      }
      if (rank == 0) s.values[index] = value;
      if constexpr (is_block) {
        team_words& first = shared<team_words>();
        if (rank == 0) first = {value, sum};
        sync_block();
        if (first.value != value || first.sum != sum) atomic<u32>(s.differing[index]).fetch_add(1);
        sync_block();
      }
    }
  }
};

}  // namespace contract
