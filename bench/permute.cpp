// SPDX-License-Identifier: Apache-2.0
// Order and waiting (GENESYS, Figure 8): blocks of 1,024 threads permute pieces of 8 KiB, some rounds each, and write
// every piece with one pwrite64 by block, in strong or relaxed order, blocking, with a ticket, or posted. So many
// blocks are in flight as the grid has; each takes one piece after another.
//
// In strong order all warps work, and then all wait. In relaxed order the first warp only waits for the calls, and the
// others work on the next piece meanwhile: a block's resources are freed as a whole on NVIDIA's GPUs, so that warps
// which end early, as in the paper, make no room for another block.
//
// Beside it: the same kernel without the call, and as many host threads that only write (12 at most). All blocks write
// to one file, where Linux takes a lock for each write, or each to a file of its own. The files are in /dev/shm, where
// a write takes Linux two microseconds; then, in the working directory and with O_DSYNC, where it takes long. What is
// in the files is compared with what the host permutes. Prints a table, and the same as JSON with --json FILE. Runs on
// the CPU device as well, where it says little.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "genesys/genesys.h"
#include "measure.h"

namespace {

using measure::clock;
using measure::median;
using measure::seconds_since;

measure::figures figures;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "permute: %s\n", what);
  std::exit(1);
}

constexpr unsigned words = 2048;  // of a piece: 8 KiB

// Where word i of a piece goes in one round: everywhere, but the 32 words of a warp to 32 banks of shared memory.
GENESYS_KERNEL constexpr unsigned place_of(unsigned i) { return (i * 1237 + 677) & (words - 1); }

// Waits for all warps but the first, which run it; `done`, in shared memory, begins as 0.
GENESYS_KERNEL void sync_workers(unsigned& done, unsigned& wanted) {
#if defined(__CUDA_ARCH__)
  asm volatile("bar.sync 1, %0;" ::"r"(genesys::threads_in_block() - genesys::warp_lanes) : "memory");
  (void)done;
  (void)wanted;
#else
  wanted += genesys::threads_in_block() - genesys::warp_lanes;
  const genesys::atomic<unsigned, genesys::reach::block> arrived(done);
  arrived.fetch_add(1);
  while (arrived.load() < wanted) genesys::pause();
#endif
}

enum class order { none, strong, relaxed };  // none: no call
enum class wait { blocking, ticket, posted };

template <order o, wait w>
struct permute {
  static constexpr unsigned threads_max = 1024;

  // `files`: to one or to several; block b writes to the (b mod `files`)th.
  GENESYS_KERNEL void operator()(genesys::os os, const int* file, unsigned files, const unsigned* from, unsigned pieces,
                                 unsigned rounds, unsigned* sink) const {
    using namespace genesys;
    auto& buffer = shared<unsigned[2][words]>();
    struct counter {
      unsigned done;
    };
    auto& workers = shared<counter>();
    if (thread_rank() == 0) workers.done = 0;
    sync_block();
    const auto io = [&] {
      if constexpr (o == order::relaxed) {
        return os.on(block()).relaxed();
      } else {
        return os.on(block());
      }
    }();
    constexpr bool first_works = o != order::relaxed;
    const unsigned threads = first_works ? threads_in_block() : threads_in_block() - warp_lanes;
    const unsigned rank = first_works ? thread_rank() : thread_rank() - warp_lanes;
    const int to = file[block_rank() % files];
    unsigned wanted = 0;
    ticket_of<call::pwrite64, block> last;
    for (unsigned piece = block_rank(); piece < pieces; piece += blocks_in_grid()) {
      if (rank < threads) {
        for (unsigned i = rank; i < words; i += threads) buffer[0][i] = from[piece * words + i];
        unsigned turn = 0;
        for (unsigned r = 0; r < rounds; ++r, turn ^= 1) {
          if constexpr (first_works) {
            sync_block();
          } else {
            sync_workers(workers.done, wanted);
          }
          for (unsigned i = rank; i < words; i += threads) buffer[turn ^ 1][place_of(i)] = buffer[turn][i];
        }
      }
      const unsigned* const made = buffer[rounds % 2];
      const long at = static_cast<long>(piece) * words * 4;
      if constexpr (o == order::none) {
        sync_block();
        if (made[thread_rank()] == 0xffff'ffff) *sink = piece;
        sync_block();
      } else if constexpr (w == wait::blocking) {
        io.pwrite64(to, made, words * 4, at);
      } else if constexpr (w == wait::ticket) {
        if (piece != block_rank()) (void)last.wait();
        last = io.ticket().pwrite64(to, made, words * 4, at);
      } else {
        io.posted().pwrite64(to, made, words * 4, at);
      }
      // The piece was copied when the call returned, whether it is made or not: the buffer may be used again.
    }
    if constexpr (o != order::none && w == wait::ticket) (void)last.wait();
  }
};

class bench {
 public:
  bench(genesys::runtime& rt, unsigned pieces, unsigned pieces_a_block, const std::string& folder, int flags)
      : rt_(rt), pieces_a_block_(pieces_a_block), source_(std::size_t{pieces} * words) {
    unsigned x = 1;
    for (unsigned& one : source_) one = (x = x * 1664525u + 1013904223u) >> 1;
    from_ = static_cast<unsigned*>(rt.allocate_device(source_.size() * 4));
    rt.copy_to_device(from_, source_.data(), source_.size() * 4);
    sink_ = static_cast<unsigned*>(rt.allocate_device(4));
    const std::string name = folder + "/genesys-bench-permute";
    for (int& file : files_) {
      file = open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | flags, 0600);
      if (file < 0 || unlink(name.c_str()) != 0) fail(("cannot make a file in " + folder).c_str());
    }
    numbers_ = static_cast<int*>(rt.allocate_device(sizeof files_));
    rt.copy_to_device(numbers_, files_, sizeof files_);
  }
  ~bench() {
    for (const int file : files_) close(file);
    rt_.free_device(from_);
    rt_.free_device(sink_);
    rt_.free_device(numbers_);
  }
  bench(const bench&) = delete;
  bench& operator=(const bench&) = delete;

  // `name` goes before the names of figures.
  void run(const char* name, unsigned blocks, unsigned rounds, unsigned files, int runs) {
    pieces_ =
        static_cast<unsigned>(std::min<std::size_t>(source_.size() / words, std::size_t{blocks} * pieces_a_block_));
    used_ = files;
    blocks_ = blocks;
    rounds_ = rounds;
    native_us_ = native(runs);
    times_.assign(7, {});
    for (int i = 0; i < runs; ++i) {  // in turns, since the machine changes its mind
      once<order::none, wait::blocking>(0, i);
      once<order::strong, wait::blocking>(1, i);
      once<order::relaxed, wait::blocking>(2, i);
      once<order::strong, wait::ticket>(3, i);
      once<order::relaxed, wait::ticket>(4, i);
      once<order::strong, wait::posted>(5, i);
      once<order::relaxed, wait::posted>(6, i);
    }
    const double strong = median(times_[1]);
    const double each = 1e6 * blocks / pieces_;  // us that a block takes for a piece
    const std::string what =
        name + std::to_string(blocks) + "x" + std::to_string(rounds) + "_files" + std::to_string(files);
    std::printf("%6u %6u %6u %9.2f %9.2f %9.2f", blocks, files, rounds, native_us_, median(times_[0]) * each,
                strong * each);
    figures.keep("native_us_" + what, native_us_);
    figures.keep("floor_us_" + what, median(times_[0]) * each);
    figures.keep("strong_blocking_us_" + what, strong * each);
    static constexpr const char* names[] = {"relaxed_blocking", "strong_ticket", "relaxed_ticket", "strong_posted",
                                            "relaxed_posted"};
    for (int k = 2; k < 7; ++k) {
      std::printf("%9.2f", strong / median(times_[k]));
      figures.keep(std::string(names[k - 2]) + "_" + what, strong / median(times_[k]));
    }
    std::printf("\n");
  }

 private:
  template <order o, wait w>
  void once(int slot, int run) {
    if (run == 0 && o != order::none) empty_files();
    const auto begin = clock::now();
    genesys::launch(rt_, {.blocks = {blocks_}, .threads = {rt_.kind() == genesys::device_kind::cuda ? 1024u : 64u}},
                    permute<o, w>{}, static_cast<const int*>(numbers_), used_, static_cast<const unsigned*>(from_),
                    pieces_, rounds_, sink_)
        .drain();
    const double took = seconds_since(begin);
    if (run == 0) {  // also makes the files' pages, and brings the kernel onto the device: not counted
      if (o != order::none) check();
    } else {
      times_[static_cast<std::size_t>(slot)].push_back(took);
    }
  }

  void empty_files() const {
    for (const int file : files_) {
      if (ftruncate(file, 0) != 0) fail("ftruncate");
    }
  }

  // Host threads write the same pieces: us that one takes for a piece.
  double native(int runs) const {
    const unsigned threads = std::min(blocks_, files_max);
    std::vector<double> times;
    empty_files();
    for (int run = 0; run < runs; ++run) {
      const auto begin = clock::now();
      std::vector<std::jthread> all;
      for (unsigned t = 0; t < threads; ++t) {
        all.emplace_back([this, t, threads] {
          for (unsigned p = t; p < pieces_; p += threads) {
            const auto at = static_cast<off_t>(p) * words * 4;
            if (pwrite(files_[t % used_], &source_[std::size_t{p} * words], words * 4, at) != words * 4) fail("pwrite");
          }
        });
      }
      all.clear();
      if (run != 0) times.push_back(seconds_since(begin));
    }
    return median(times) * 1e6 * threads / pieces_;
  }

  void check() const {
    std::vector<unsigned> got(words), to(words);
    for (unsigned i = 0; i < words; ++i) {
      unsigned at = i;
      for (unsigned r = 0; r < rounds_; ++r) at = place_of(at);
      to[i] = at;
    }
    for (unsigned p = 0; p < pieces_; ++p) {
      const int file = files_[p % blocks_ % used_];
      if (pread(file, got.data(), words * 4, static_cast<off_t>(p) * words * 4) != words * 4) fail("bytes are missing");
      for (unsigned i = 0; i < words; ++i) {
        if (got[to[i]] != source_[std::size_t{p} * words + i]) fail("wrong bytes in the file");
      }
    }
  }

  genesys::runtime& rt_;
  const unsigned pieces_a_block_;
  static constexpr unsigned files_max = 12;
  int files_[files_max] = {};
  int* numbers_ = nullptr;                                    // the same, for kernels
  unsigned pieces_ = 0, used_ = 0, blocks_ = 0, rounds_ = 0;  // of this run: pieces, files, ...
  double native_us_ = 0;
  std::vector<unsigned> source_;
  unsigned *from_ = nullptr, *sink_ = nullptr;
  std::vector<std::vector<double>> times_;
};

}  // namespace

int main(int argc, char** argv) {
  int runs = 15;
  const char* json_file = nullptr;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0)
      runs = 3;
    else if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc)
      json_file = argv[++i];
    else
      return std::fprintf(stderr, "usage: permute [--quick] [--json FILE]\n"), 2;
  }
  try {
    genesys::runtime rt;
    std::printf("%s\n", rt.describe().c_str());
    const bool on_gpu = rt.kind() == genesys::device_kind::cuda;
    const char* const columns =
        "blocks  files rounds    native   no call    strong  relaxed   ticket r+ticket   posted r+posted\n";
    {
      bench quick(rt, on_gpu ? 4096 : 64, 512, "/dev/shm", 0);
      std::printf(
          "permute     pieces of 8 KiB to tmpfs; a block's time for one, in us, and how many times faster it is\n%s",
          columns);
      for (const auto& [blocks, files] : {std::pair{1u, 1u}, {4u, 1u}, {4u, 4u}, {12u, 1u}, {12u, 12u}, {132u, 1u}}) {
        for (const unsigned rounds : {1u, 4u, 16u, 64u}) quick.run("", blocks, rounds, files, runs + 1);
      }
    }
    bench slow(rt, on_gpu ? 1024 : 16, 64, ".", O_DSYNC);
    std::printf("permute     the same to files in the working directory, with O_DSYNC\n%s", columns);
    for (const auto& [blocks, files] : {std::pair{1u, 1u}, {4u, 4u}, {12u, 12u}}) {
      for (const unsigned rounds : {64u, 256u, 512u}) slow.run("dsync_", blocks, rounds, files, std::min(runs, 5) + 1);
    }
  } catch (const genesys::error& wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    return 1;
  }
  return figures.write(json_file) ? 0 : 1;
}
