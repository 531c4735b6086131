// SPDX-License-Identifier: Apache-2.0
// Scopes of a call (GENESYS, ISCA 2018, Figure 7): a kernel reads a file in tmpfs into device memory with pread64. Each
// thread reads its own 4 KiB; or each block reads the same with one call; or the whole grid with one call. Parts:
//
//   scope   by size of the file, blocks of --threads threads (the paper: 64)
//   block   at block scope, by threads of a block: 4 KiB for each of them (as in the paper), so that larger blocks make
//           fewer and larger calls; and 256 KiB for each call, however many threads copy it
//
// Beside it, by turns, as many native threads as genesys has workers read the same file into pinned memory of the same
// size, in pieces of 1 MiB at most. Figures are ratios of rates, genesys to native. A call of more than 128 KiB goes in
// pieces, one after another (docs/limits.md), so a grid's one call is as fast as one block can be.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

#include "genesys/genesys.h"
#include "support/cached_file.h"
#include "support/measure.h"
#include "support/native_threads.h"

namespace {

using word = unsigned long long;

constexpr std::size_t thread_bytes = 4096;  // of a thread
unsigned threads_a_block = 256;

// A call reads `share` bytes. Linux may read fewer at a time, for example of 2 GiB.
template <class Scope>
struct read_file {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, char* into, std::size_t bytes, std::size_t share,
                                 unsigned* wrong) const {
    std::size_t rank = 0;  // of the scope
    if constexpr (!std::is_same_v<Scope, genesys::grid>) rank = genesys::block_rank();
    if constexpr (std::is_same_v<Scope, genesys::thread>)
      rank = rank * genesys::threads_in_block() + genesys::thread_rank();
    const auto io = [&] {
      if constexpr (std::is_same_v<Scope, genesys::grid>) {
        return os.on(genesys::grid()).relaxed();
      } else {
        return os.on(Scope{});
      }
    }();
    const std::size_t end = rank * share + share < bytes ? rank * share + share : bytes;
    for (std::size_t at = rank * share; at < end;) {
      const long n = io.pread64(fd, into + at, end - at, static_cast<long>(at));
      if (n <= 0) {
        genesys::atomic<unsigned>(*wrong).fetch_add(1);
        return;
      }
      at += static_cast<std::size_t>(n);
    }
  }
};

struct compare {
  GENESYS_KERNEL void operator()(genesys::os, const word* with, std::size_t words, unsigned* wrong) const {
    const std::size_t step = std::size_t{genesys::blocks_in_grid()} * genesys::threads_in_block();
    unsigned mine = 0;
    for (std::size_t i = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank(); i < words;
         i += step)
      mine += with[i] != baseline::word_of(i);
    if (mine != 0) genesys::atomic<unsigned>(*wrong).fetch_add(mine);
  }
};

// The file, and the memory that it is read to.
class reading {
 public:
  reading(measure::bench& all, std::size_t bytes)
      : all_(all), rt_(with_arena(all.runtime_options(), bytes)), natives_(rt_.stats().workers), file_(bytes) {
    rt_.grant(file_.fd());
    into_ = static_cast<char*>(rt_.allocate_device(bytes));
    wrong_ = static_cast<unsigned*>(rt_.allocate_arena(sizeof(unsigned)));
    *wrong_ = 0;
    pinned_ = static_cast<char*>(rt_.allocate_arena(bytes));
  }
  ~reading() {
    rt_.free_arena(pinned_);
    rt_.free_arena(wrong_);
    rt_.free_device(into_);
    rt_.revoke(file_.fd());
  }
  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;

  template <class Scope>
  void once(std::size_t bytes, std::size_t share, unsigned threads) {
    const std::size_t lanes = std::is_same_v<Scope, genesys::block> ? bytes / share * threads : bytes / thread_bytes;
    const unsigned blocks = static_cast<unsigned>(std::max<std::size_t>(lanes / threads, 1));
    genesys::launch(rt_, {.blocks = {blocks}, .threads = {threads}}, read_file<Scope>{}, file_.fd(), into_, bytes,
                    share, wrong_)
        .drain();
    if (*wrong_ != 0) throw measure::failure("a read gave an error or nothing");
  }
  void native(std::size_t bytes) {
    const std::size_t count = natives_.count();
    const std::size_t most = std::clamp<std::size_t>(bytes / count & ~std::size_t{4095}, 4096, 1 << 20);
    natives_([&](unsigned me) {
      bool whole = true;
      for (std::size_t at = me * most; at < bytes; at += count * most) {
        const std::size_t piece = std::min(most, bytes - at);
        whole &= pread(file_.fd(), pinned_ + at, piece, static_cast<off_t>(at)) == static_cast<ssize_t>(piece);
      }
      return whole;
    });
  }

  // Makes one more round, and checks what it leaves in device memory.
  template <class Round>
  void check(std::size_t bytes, const Round& round) {
    rt_.fill_device(into_, 0xff, bytes);
    round();
    genesys::launch(rt_, {.blocks = {all_.on_gpu() ? 528u : 2u}, .threads = {256}}, compare{},
                    reinterpret_cast<const word*>(into_), bytes / sizeof(word), wrong_)
        .drain();
    if (*wrong_ != 0) throw measure::failure(std::to_string(*wrong_) + " wrong words were read");
  }

 private:
  static genesys::options with_arena(genesys::options chosen, std::size_t bytes) {
    chosen.arena_bytes = bytes + (1 << 20);
    return chosen;
  }

  measure::bench& all_;
  genesys::runtime rt_;
  baseline::native_threads natives_;  // as many as the workers, before the first call
  const baseline::cached_file file_;
  char *into_ = nullptr, *pinned_ = nullptr;
  unsigned* wrong_ = nullptr;
};

std::vector<std::size_t> sizes_kib(measure::bench& all) {
  if (!all.on_gpu())
    return all.quick() ? std::vector<std::size_t>{256, 1024} : std::vector<std::size_t>{256, 1024, 4096};
  if (all.quick()) return {1 << 10, 16 << 10, 128 << 10};
  return {1 << 10, 8 << 10, 32 << 10, 128 << 10, 512 << 10, 2048 << 10};
}

template <class F>
struct repeated {
  std::size_t times;
  const F& what;
  void operator()() const {
    for (std::size_t i = 0; i < times; ++i) what();
  }
};
template <class F>
repeated(std::size_t, const F&) -> repeated<F>;

unsigned rounds_of(measure::bench& all) { return all.quick() ? 3 : 7; }

void by_scope(measure::bench& all) {
  const std::vector<std::size_t> sizes = sizes_kib(all);
  reading file(all, sizes.back() << 10);
  for (const std::size_t kib : sizes) {
    const std::size_t bytes = kib << 10;
    const double mib = double(kib) / 1024;
    const std::size_t times =
        std::clamp<std::size_t>((16 << 20) / bytes, 1, 16);  // makes a round long enough to measure
    const auto thread = [&] { file.once<genesys::thread>(bytes, thread_bytes, threads_a_block); };
    const auto block = [&] { file.once<genesys::block>(bytes, threads_a_block * thread_bytes, threads_a_block); };
    const auto grid = [&] { file.once<genesys::grid>(bytes, bytes, threads_a_block); };
    const auto native = [&] { file.native(bytes); };
    const auto costs = measure::bench::by_turns(rounds_of(all), repeated{times, native}, repeated{times, thread},
                                                repeated{times, block}, repeated{times, grid});
    file.check(bytes, thread);
    file.check(bytes, block);
    file.check(bytes, grid);
    const measure::numbers floor = measure::gigabytes_per_second(costs[0], double(bytes * times));
    all.keep_at("pread_by_scope", "native", "MiB", mib, "GB/s", floor);
    const char* const names[] = {"thread", "block", "grid"};
    for (std::size_t i = 0; i < 3; ++i) {
      const measure::numbers rate = measure::gigabytes_per_second(costs[i + 1], double(bytes * times));
      all.keep_at("pread_by_scope", names[i], "MiB", mib, "GB/s", rate);
      char name[64];
      std::snprintf(name, sizeof name, "%s_%gMiB_to_native", names[i], mib);
      all.keep(name, "ratio", measure::ratios(rate, floor));
    }
  }
}

void by_block(measure::bench& all) {
  const std::size_t bytes = all.on_gpu() ? std::size_t{all.quick() ? 128u : 512u} << 20 : 4 << 20;
  reading file(all, bytes);
  for (const unsigned threads : {64u, 128u, 256u, 512u, 1024u}) {
    const auto by_thread = [&] { file.once<genesys::block>(bytes, threads * thread_bytes, threads); };
    const auto constant = [&] { file.once<genesys::block>(bytes, 64 * thread_bytes, threads); };
    const auto costs = measure::bench::by_turns(
        rounds_of(all), [&] { file.native(bytes); }, by_thread, constant);
    file.check(bytes, by_thread);
    file.check(bytes, constant);
    const auto rate = [&](std::size_t which) { return measure::gigabytes_per_second(costs[which], double(bytes)); };
    all.keep_at("pread_by_block", "native", "threads", threads, "GB/s", rate(0));
    all.keep_at("pread_by_block", "4 KiB a thread", "threads", threads, "GB/s", rate(1));
    all.keep_at("pread_by_block", "256 KiB a call", "threads", threads, "GB/s", rate(2));
    all.keep("block_of_" + std::to_string(threads) + "_to_native", "ratio", measure::ratios(rate(1), rate(0)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  measure::bench all("pread", "Reading files in tmpfs by thread, block and grid (GENESYS, Figure 7).");
  all.option("--threads", threads_a_block, "threads of a block in part `scope`");
  all.part("scope", "4 KiB a thread, by one call of each thread, block, or of the grid; by size of the file", by_scope);
  all.part("block", "by one call of each block; by its threads", by_block);
  return all.main(argc, argv);
}
