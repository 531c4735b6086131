// SPDX-License-Identifier: Apache-2.0
// Order and waiting (GENESYS, Figure 8): blocks of 1,024 threads permute pieces of 8 KiB, some rounds each, and write
// every piece to a file with one pwrite64 by block, in strong or relaxed order, blocking, with a ticket, or posted. So
// many blocks are in flight as the grid has; each takes one piece after another. The floor is the same kernel without
// the call. What is in the file is compared with what the host permutes.
// Prints a table, and the same as JSON with --json FILE. Runs on the CPU device as well, where it says little.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
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

// Where word i of a piece goes in one round: its bits are turned, as in the steps of DES.
GENESYS_KERNEL constexpr unsigned place_of(unsigned i) { return ((i << 5 | i >> 6) ^ 0x2a5) & (words - 1); }

enum class order { none, strong, relaxed };  // none: no call
enum class wait { blocking, ticket, posted };

template <order o, wait w>
struct permute {
  static constexpr unsigned threads_max = 1024;

  GENESYS_KERNEL void operator()(genesys::os os, int file, const unsigned* from, unsigned pieces, unsigned rounds,
                                 unsigned* sink) const {
    using namespace genesys;
    auto& buffer = shared<unsigned[2][words]>();
    const auto strong = os.on(block());
    const auto plain = [&] {
      if constexpr (o == order::relaxed) {
        return strong.relaxed();
      } else {
        return strong;
      }
    }();
    ticket_of<call::pwrite64, block> last;
    for (unsigned piece = block_rank(); piece < pieces; piece += blocks_in_grid()) {
      for (unsigned i = thread_rank(); i < words; i += threads_in_block()) buffer[0][i] = from[piece * words + i];
      unsigned turn = 0;
      for (unsigned r = 0; r < rounds; ++r, turn ^= 1) {
        sync_block();
        for (unsigned i = thread_rank(); i < words; i += threads_in_block())
          buffer[turn ^ 1][place_of(i)] = buffer[turn][i];
      }
      const long at = static_cast<long>(piece) * words * 4;
      if constexpr (o == order::none) {
        sync_block();
        if (buffer[turn][thread_rank()] == 0xffff'ffff) *sink = piece;
      } else if constexpr (w == wait::blocking) {
        plain.pwrite64(file, buffer[turn], words * 4, at);
      } else if constexpr (w == wait::ticket) {
        if (piece != block_rank()) (void)last.wait();
        last = plain.ticket().pwrite64(file, buffer[turn], words * 4, at);
      } else {
        plain.posted().pwrite64(file, buffer[turn], words * 4, at);
      }
      sync_block();  // the next piece goes to the same buffer
    }
    if constexpr (o != order::none && w == wait::ticket) (void)last.wait();
  }
};

class bench {
 public:
  bench(genesys::runtime& rt, unsigned pieces) : rt_(rt), source_(std::size_t{pieces} * words) {
    unsigned x = 1;
    for (unsigned& one : source_) one = (x = x * 1664525u + 1013904223u) >> 1;
    from_ = static_cast<unsigned*>(rt.allocate_device(source_.size() * 4));
    rt.copy_to_device(from_, source_.data(), source_.size() * 4);
    sink_ = static_cast<unsigned*>(rt.allocate_device(4));
    const char* name = "/dev/shm/genesys-bench-permute";
    file_ = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file_ < 0 || unlink(name) != 0 || ftruncate(file_, static_cast<off_t>(source_.size() * 4)) != 0)
      fail("cannot make a file in /dev/shm");
  }
  ~bench() {
    close(file_);
    rt_.free_device(from_);
    rt_.free_device(sink_);
  }
  bench(const bench&) = delete;
  bench& operator=(const bench&) = delete;

  void run(unsigned blocks, unsigned rounds, int runs) {
    pieces_ = static_cast<unsigned>(std::min<std::size_t>(source_.size() / words, std::size_t{blocks} * 512));
    times_.assign(7, {});
    for (int i = 0; i < runs; ++i) {  // in turns, since the machine changes its mind
      once<order::none, wait::blocking>(0, blocks, rounds, i);
      once<order::strong, wait::blocking>(1, blocks, rounds, i);
      once<order::relaxed, wait::blocking>(2, blocks, rounds, i);
      once<order::strong, wait::ticket>(3, blocks, rounds, i);
      once<order::relaxed, wait::ticket>(4, blocks, rounds, i);
      once<order::strong, wait::posted>(5, blocks, rounds, i);
      once<order::relaxed, wait::posted>(6, blocks, rounds, i);
    }
    const double strong = median(times_[1]);
    const double each = 1e6 * blocks / pieces_;  // us that a block takes for a piece
    const std::string what = std::to_string(blocks) + "x" + std::to_string(rounds);
    std::printf("%6u %6u %9.2f %9.2f", blocks, rounds, median(times_[0]) * each, strong * each);
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
  void once(int slot, unsigned blocks, unsigned rounds, int run) {
    if (run == 0 && o != order::none && ftruncate(file_, 0) != 0) fail("ftruncate");
    const auto begin = clock::now();
    genesys::launch(rt_, {.blocks = {blocks}, .threads = {rt_.kind() == genesys::device_kind::cuda ? 1024u : 32u}},
                    permute<o, w>{}, file_, static_cast<const unsigned*>(from_), pieces_, rounds, sink_)
        .drain();
    const double took = seconds_since(begin);
    if (run == 0) {  // also makes the file's pages, and brings the kernel onto the device: not counted
      if (o != order::none) check(rounds);
    } else {
      times_[static_cast<std::size_t>(slot)].push_back(took);
    }
  }

  void check(unsigned rounds) const {
    std::vector<unsigned> got(std::size_t{pieces_} * words), wanted(got.size());
    if (pread(file_, got.data(), got.size() * 4, 0) != static_cast<ssize_t>(got.size() * 4)) fail("bytes are missing");
    std::vector<unsigned> to(words);
    for (unsigned i = 0; i < words; ++i) {
      unsigned at = i;
      for (unsigned r = 0; r < rounds; ++r) at = place_of(at);
      to[i] = at;
    }
    for (unsigned p = 0; p < pieces_; ++p) {
      for (unsigned i = 0; i < words; ++i) wanted[p * words + to[i]] = source_[p * words + i];
    }
    if (got != wanted) fail("wrong bytes in the file");
  }

  genesys::runtime& rt_;
  unsigned pieces_ = 0;  // of them, in this run
  std::vector<unsigned> source_;
  unsigned *from_ = nullptr, *sink_ = nullptr;
  int file_ = -1;
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
    bench all(rt, on_gpu ? 4096 : 64);
    std::printf(
        "permute     pieces of 8 KiB to tmpfs; a block's time for one, in us, and how many times faster it is\n");
    std::printf("blocks rounds   no call    strong  relaxed   ticket  r+ticket  posted  r+posted\n");
    for (const unsigned blocks : {1u, 4u, 12u, 132u}) {
      for (const unsigned rounds : {1u, 4u, 16u, 64u}) all.run(blocks, rounds, runs + 1);
    }
  } catch (const genesys::error& wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    return 1;
  }
  return figures.write(json_file) ? 0 : 1;
}
