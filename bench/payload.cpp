// SPDX-License-Identifier: Apache-2.0
// The cost of moving bytes. First 4 KiB by one caller, through its buffer and through a list of four. Then 1 MiB by one
// caller, beside the copies of which such a call consists. Then a grid of blocks reads whole files in Linux's page
// cache, by the size of a call (GENESYS, ISCA 2018, Figure 7), into device memory and into the arena. Beside it as many
// native threads as there are workers read into pinned memory of the same size.
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "genesys/genesys.h"
#include "support/cached_file.h"
#include "support/measure.h"
#include "support/native_threads.h"
#include "support/run.h"
#include "support/wrongs.h"

namespace {

using baseline::word;
using measure::bench;
using measure::numbers;
using u64 = std::uint64_t;

// --- One caller: the cost of a buffer, and of a list of buffers.

constexpr unsigned one_bytes = 4096, pieces_count = 4;

GENESYS_KERNEL void cut(char* into, iovec* pieces) {
  for (unsigned i = 0; i < pieces_count; ++i)
    pieces[i] = {into + i * (one_bytes / pieces_count), one_bytes / pieces_count};
}

template <class Scope>
struct read_whole {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, char* into, unsigned calls, unsigned* wrong) const {
    const auto io = os.on(Scope{});
    for (unsigned i = 0; i < calls; ++i) {
      if (io.pread64(fd, into, one_bytes, 0) != one_bytes) baseline::wrong(wrong);
    }
  }
};

// The list of pieces is in the thread's private memory, as in code that was written for a CPU.
template <class Scope>
struct read_pieces {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, char* into, unsigned calls, unsigned* wrong) const {
    const auto io = os.on(Scope{});
    iovec pieces[pieces_count];
    cut(into, pieces);
    for (unsigned i = 0; i < calls; ++i) {
      if (io.preadv(fd, pieces, pieces_count, 0) != one_bytes) baseline::wrong(wrong);
    }
  }
};

void one(bench& all) {
  genesys::runtime& rt = all.runtime();
  const unsigned calls = all.on_gpu() ? (all.quick() ? 500 : 5000) : (all.quick() ? 100 : 1000);
  const unsigned threads = all.on_gpu() ? 256 : 64;
  const baseline::cached_file file("/dev/shm", 1u << 20);
  rt.grant(file.fd());
  const baseline::wrongs wrong(rt);
  auto* into = static_cast<char*>(rt.allocate_device(one_bytes));
  auto* pinned = static_cast<char*>(rt.allocate_arena(one_bytes));
  const auto natively = [&](auto read) {
    for (unsigned i = 0; i < calls; ++i) {
      if (read() != one_bytes) throw measure::failure("a native read was short");
    }
  };
  const auto by = [&](unsigned block, auto kernel) {
    genesys::launch(rt, {.threads = {block}}, kernel, file.fd(), into, calls, wrong.on_device()).drain();
  };
  iovec pieces[pieces_count];
  cut(pinned, pieces);
  const auto rounds = bench::by_turns(
      7, [&] { natively([&] { return ::pread(file.fd(), pinned, one_bytes, 0); }); },
      [&] { natively([&] { return ::preadv(file.fd(), pieces, pieces_count, 0); }); },
      [&] { by(1, read_whole<genesys::thread>{}); }, [&] { by(1, read_pieces<genesys::thread>{}); },
      [&] { by(threads, read_whole<genesys::block>{}); }, [&] { by(threads, read_pieces<genesys::block>{}); });
  wrong.none("short reads");
  std::vector<word> got(one_bytes / sizeof(word));
  rt.copy_to_host(got.data(), into, one_bytes);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != baseline::word_of(i)) throw measure::failure("wrong bytes");
  }
  static constexpr const char* names[] = {"native_pread",  "native_preadv", "thread_pread64",
                                          "thread_preadv", "block_pread64", "block_preadv"};
  for (unsigned i = 0; i < 6; ++i) {
    const numbers us = measure::each_us(rounds[i], calls);
    all.keep(std::string(names[i]) + "_4k", "us", us);
    if (i >= 2)
      all.keep(std::string(names[i]) + "_4k_to_native", "ratio",
               measure::ratios(us, measure::each_us(rounds[i % 2], calls)));
  }
  rt.free_arena(pinned);
  rt.free_device(into);
  rt.revoke(file.fd());
}

// --- One caller: a long call, which is made in pieces. Beside it the two parts of which it consists: Linux's copy, and
// the block's own copy over the link.

constexpr u64 long_bytes = 1u << 20;

struct read_long {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, char* memory, unsigned calls, unsigned* wrong) const {
    const auto io = os.on(genesys::block{});
    for (unsigned i = 0; i < calls; ++i) {
      if (io.pread64(fd, memory, long_bytes, 0) != static_cast<long>(long_bytes)) baseline::wrong(wrong);
    }
  }
};

struct write_long {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, const char* memory, unsigned calls, unsigned* wrong) const {
    const auto io = os.on(genesys::block{});
    for (unsigned i = 0; i < calls; ++i) {
      if (io.pwrite64(fd, memory, long_bytes, 0) != static_cast<long>(long_bytes)) baseline::wrong(wrong);
    }
  }
};

struct copy_long {
  struct alignas(16) quad {
    u64 low, high;
  };
  GENESYS_KERNEL void operator()(genesys::os, const char* from, char* to, unsigned calls) const {
    constexpr unsigned at_once = 8;
    const u64 quads = long_bytes / sizeof(quad), step = genesys::threads_in_block();
    for (unsigned i = 0; i < calls; ++i) {
      for (u64 at = genesys::thread_rank(); at < quads; at += step * at_once) {
        quad held[at_once];
        for (unsigned k = 0; k < at_once; ++k) held[k] = reinterpret_cast<const quad*>(from)[at + k * step];
        for (unsigned k = 0; k < at_once; ++k) reinterpret_cast<quad*>(to)[at + k * step] = held[k];
      }
      genesys::sync_block();
    }
  }
};

void one_long(bench& all) {
  genesys::runtime& rt = all.runtime();
  const unsigned calls = all.on_gpu() ? (all.quick() ? 50 : 200) : 20;
  const unsigned threads = all.on_gpu() ? 256 : 64;
  const baseline::cached_file file("/dev/shm", long_bytes), copy("/dev/shm", long_bytes);
  rt.grant(file.fd());
  rt.grant(copy.fd());
  const baseline::wrongs wrong(rt);
  auto* memory = static_cast<char*>(rt.allocate_device(long_bytes));
  auto* pinned = static_cast<char*>(rt.allocate_arena(long_bytes));
  const auto natively = [&](auto call) {
    for (unsigned i = 0; i < calls; ++i) {
      if (call() != static_cast<ssize_t>(long_bytes)) throw measure::failure("a native call was short");
    }
  };
  const auto by_block = [&](auto kernel, auto... arguments) {
    genesys::launch(rt, {.threads = {threads}}, kernel, arguments...).drain();
  };
  const auto [native_read, copied_in, read, native_write, copied_out, written] = bench::by_turns(
      all.quick() ? 5 : 9, [&] { natively([&] { return ::pread(file.fd(), pinned, long_bytes, 0); }); },
      [&] { by_block(copy_long{}, pinned, memory, calls); },
      [&] { by_block(read_long{}, file.fd(), memory, calls, wrong.on_device()); },
      [&] { natively([&] { return ::pwrite(copy.fd(), pinned, long_bytes, 0); }); },
      [&] { by_block(copy_long{}, memory, pinned, calls); },
      [&] { by_block(write_long{}, copy.fd(), memory, calls, wrong.on_device()); });
  rt.fill_device(memory, 0, long_bytes);
  if (::ftruncate(copy.fd(), 0) != 0) throw measure::failure("cannot empty a file");
  by_block(read_long{}, file.fd(), memory, 1u, wrong.on_device());
  by_block(write_long{}, copy.fd(), memory, 1u, wrong.on_device());
  wrong.none("short calls");
  std::vector<word> got(long_bytes / sizeof(word));
  if (::pread(copy.fd(), got.data(), long_bytes, 0) != static_cast<ssize_t>(long_bytes))
    throw measure::failure("a native read was short");
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != baseline::word_of(i)) throw measure::failure("wrong bytes");
  }
  const auto keep = [&](const std::string& name, const auto& native, const auto& by_link, const auto& call) {
    const numbers linux_us = measure::each_us(native, calls), link_us = measure::each_us(by_link, calls),
                  call_us = measure::each_us(call, calls);
    numbers parts = linux_us;
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += link_us[i];
    all.keep("native_" + name + "_1m", "us", linux_us);
    all.keep("block_copy_of_" + name + "_1m", "us", link_us);
    all.keep("block_" + name + "_1m", "us", call_us);
    all.keep("block_" + name + "_1m_to_parts", "ratio", measure::ratios(call_us, parts));
  };
  keep("pread64", native_read, copied_in, read);
  keep("pwrite64", native_write, copied_out, written);
  rt.free_arena(pinned);
  rt.free_device(memory);
  rt.revoke(file.fd());
  rt.revoke(copy.fd());
}

// --- Whole files.

struct read_file {
  static constexpr unsigned threads_max = 256;
  GENESYS_KERNEL void operator()(genesys::os os, int fd, char* into, u64 bytes, u64 piece, unsigned* wrong) const {
    const auto io = os.on(genesys::block{});
    for (u64 at = genesys::block_rank() * piece; at < bytes; at += genesys::blocks_in_grid() * piece) {
      const long got = io.pread64(fd, into + at, piece, static_cast<long>(at));
      if (got != static_cast<long>(piece) && genesys::thread_rank() == 0) baseline::wrong(wrong);
    }
  }
};

// Counts words that differ from the file's, and clears them for the next round.
struct check_and_wipe {
  GENESYS_KERNEL void operator()(genesys::os, word* of, u64 words, unsigned* wrong) const {
    const u64 step = u64{genesys::blocks_in_grid()} * genesys::threads_in_block();
    for (u64 i = u64{genesys::block_rank()} * genesys::threads_in_block() + genesys::thread_rank(); i < words;
         i += step) {
      if (of[i] != baseline::word_of(i)) baseline::wrong(wrong);
      of[i] = 0;
    }
  }
};

std::string size_name(u64 bytes) {
  return bytes < 1024       ? std::to_string(bytes)
         : bytes < 1u << 20 ? std::to_string(bytes >> 10) + "k"
                            : std::to_string(bytes >> 20) + "m";
}

class reading {
 public:
  reading(bench& all, u64 bytes)
      : all_(all),
        bytes_(bytes),
        rt_(options(all, bytes)),
        natives_(rt_.stats().workers),
        device_(static_cast<char*>(rt_.allocate_device(bytes))),
        arena_(static_cast<char*>(rt_.allocate_arena(bytes))) {}
  ~reading() {
    rt_.free_arena(arena_);
    rt_.free_device(device_);
  }
  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;

  void of(const std::string& folder, const std::string& label, const std::vector<u64>& sizes) {
    const baseline::cached_file file(folder, bytes_);
    rt_.grant(file.fd());
    for (const u64 piece : sizes) {
      const u64 bytes = std::min(bytes_, piece * (all_.on_gpu() ? 1u << 20 : 1u << 10));  // limits the number of calls
      const auto [device, arena, native] = bench::by_turns(
          all_.quick() ? 3 : 4, [&] { by_grid(file.fd(), device_, bytes, piece); },
          [&] { by_grid(file.fd(), arena_, bytes, piece); }, [&] { natively(file.fd(), bytes, piece); });
      short_.none("short reads");
      const numbers device_rate = measure::gigabytes_per_second(device, double(bytes)),
                    arena_rate = measure::gigabytes_per_second(arena, double(bytes)),
                    native_rate = measure::gigabytes_per_second(native, double(bytes));
      all_.keep_at(label, "device", "KiB", double(piece) / 1024, "GB/s", device_rate);
      all_.keep_at(label, "arena", "KiB", double(piece) / 1024, "GB/s", arena_rate);
      all_.keep_at(label, "native", "KiB", double(piece) / 1024, "GB/s", native_rate);
      const std::string name = label + "_" + size_name(piece);
      all_.keep(name + "_device_to_native", "ratio", measure::ratios(device_rate, native_rate));
      all_.keep(name + "_arena_to_native", "ratio", measure::ratios(arena_rate, native_rate));
      all_.keep(name + "_user_cores", "cores", measure::user_cores(device));
      all_.keep(name + "_system_cores", "cores", measure::system_cores(device));
      check(file.fd(), device_, bytes, piece);
      check(file.fd(), arena_, bytes, piece);
    }
    rt_.revoke(file.fd());
  }

 private:
  static genesys::options options(const bench& all, u64 bytes) {
    genesys::options chosen = all.runtime_options();
    chosen.arena_bytes = bytes + (64u << 20);
    return chosen;
  }

  // Small calls need many blocks; large calls need many threads in a block, for its copy out of the bounce buffers.
  void by_grid(int fd, char* into, u64 bytes, u64 piece) {
    const bool small = piece <= 64u << 10;
    const unsigned blocks = !all_.on_gpu() ? 8 : small ? 1056 : 264, threads = !all_.on_gpu() ? 32 : small ? 128 : 256;
    genesys::launch(rt_, {.blocks = {blocks}, .threads = {threads}}, read_file{}, fd, into, bytes, piece,
                    short_.on_device())
        .drain();
  }

  // Into the arena, since it is pinned.
  void natively(int fd, u64 bytes, u64 piece) {
    natives_([&](unsigned rank) {
      bool right = true;
      for (u64 at = rank * piece; at < bytes; at += natives_.count() * piece)
        right &= ::pread(fd, arena_ + at, piece, static_cast<off_t>(at)) == static_cast<ssize_t>(piece);
      return right;
    });
  }

  // Reads once more, into memory that holds no data of the file, and compares.
  void check(int fd, char* into, u64 bytes, u64 piece) {
    const auto look = [&](const baseline::wrongs& wrong) {
      genesys::launch(rt_, {.blocks = {all_.on_gpu() ? 528u : 4u}, .threads = {all_.on_gpu() ? 256u : 32u}},
                      check_and_wipe{}, reinterpret_cast<word*>(into), bytes / sizeof(word), wrong.on_device())
          .drain();
    };
    const baseline::wrongs wrong(rt_);
    look(wrong);
    by_grid(fd, into, bytes, piece);
    look(wrong);
    wrong.none("wrong words");
  }

  bench& all_;
  const u64 bytes_;
  genesys::runtime rt_;
  baseline::native_threads natives_;
  const baseline::wrongs short_{rt_};
  char *const device_, *const arena_;
};

void by_size(bench& all, unsigned mib) {
  const std::vector<u64> sizes =
      all.quick() ? std::vector<u64>{512, 4096, 64u << 10, 1u << 20}
                  : std::vector<u64>{512, 2048, 4096, 16u << 10, 64u << 10, 256u << 10, 1u << 20, 4u << 20, 16u << 20};
  reading in(all, u64{mib} << 20);
  in.of("/dev/shm", "tmpfs", sizes);
  in.of("/tmp", "tmp", sizes);
}

}  // namespace

int main(int argc, char** argv) {
  bench all("payload", "The cost of moving bytes, by one caller and by a whole grid.");
  unsigned mib = 0;
  all.option("--mib", mib, "size of the file; 0: chosen by the bench");
  all.part("one", "4 KiB from tmpfs into device memory by a thread and by a block, one call at a time", one);
  all.part("long", "1 MiB of tmpfs into and from device memory by a block, and the two copies it consists of",
           one_long);
  all.part("files", "a file by a grid of blocks, by the size of a call", [&mib](bench& in) {
    by_size(in, mib != 0 ? mib : in.on_gpu() ? (in.quick() ? 512 : 2048) : in.quick() ? 16 : 64);
  });
  return baseline::run(all, argc, argv);
}
