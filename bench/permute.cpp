// SPDX-License-Identifier: Apache-2.0
// Order and waiting (GENESYS, ISCA 2018, Figure 8). Blocks of 1,024 threads permute pieces of 8 KiB, some rounds each,
// and write every piece with one pwrite64 of the block, in strong or relaxed order, blocking, with a ticket, or posted.
// All blocks of the grid are in flight; each takes one piece after another.
//
// In strong order all warps work, and then all wait. In relaxed order the first warp only waits for the calls, and the
// others work on the next piece meanwhile. In the paper warps end early; on NVIDIA's GPUs a block's resources are freed
// as a whole, so such warps would make no room for another block.
//
// Beside it, by turns: the same kernel without the call, and as many host threads that only write (12 at most). All
// blocks write to one file, where Linux takes a lock for each write, or each to its own file. The files are in
// /dev/shm, where a write takes Linux two microseconds; then, in the working directory and with O_DSYNC, where it takes
// long. The bench compares the files with what the host permutes. The ratios are strong, blocking to the others: how
// many times faster they are. On the CPU device the figures say little.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "genesys/genesys.h"
#include "support/cached_file.h"
#include "support/measure.h"
#include "support/native_threads.h"
#include "support/run.h"

namespace {

using measure::bench;
using measure::numbers;

constexpr unsigned words = 2048;  // of a piece: 8 KiB

// The index to which word i of a piece moves in one round. The indices are scattered, but the 32 words of a warp go to
// 32 banks of shared memory.
GENESYS_KERNEL constexpr unsigned index_of_call(unsigned i) { return (i * 1237 + 677) & (words - 1); }

// A barrier of all warps but the first; they call it. `done` is in shared memory and begins as 0.
GENESYS_KERNEL void sync_workers(unsigned& done, unsigned& wanted) {
#if defined(__CUDA_ARCH__)
  asm volatile("bar.sync 1, %0;" ::"r"(genesys::threads_in_block() - genesys::warp_lanes) : "memory");
  (void)done;
  (void)wanted;
#else
  wanted += genesys::threads_in_block() - genesys::warp_lanes;
  const genesys::atomic<unsigned, genesys::thread_scope::block> arrived(done);
  arrived.fetch_add(1);
  while (arrived.load() < wanted) genesys::pause();
#endif
}

enum class order { none, strong, relaxed };  // none: no call
enum class wait { blocking, ticket, posted };

template <order o, wait w>
struct permute {
  static constexpr unsigned threads_max = 1024;

  // `files`: the number of files; block b writes to file b mod `files`.
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
          for (unsigned i = rank; i < words; i += threads) buffer[turn ^ 1][index_of_call(i)] = buffer[turn][i];
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
      // When the call returns, the piece is copied, whether the call is made or not: the buffer may be used again.
    }
    if constexpr (o != order::none && w == wait::ticket) (void)last.wait();
  }
};

class permuting {
 public:
  permuting(bench& all, unsigned pieces, unsigned pieces_a_block, const std::string& folder, int flags)
      : all_(all), rt_(all.runtime()), pieces_a_block_(pieces_a_block), source_(std::size_t{pieces} * words) {
    unsigned x = 1;
    for (unsigned& one : source_) one = (x = x * 1664525u + 1013904223u) >> 1;
    from_ = static_cast<unsigned*>(rt_.allocate_device(source_.size() * 4));
    rt_.copy_to_device(from_, source_.data(), source_.size() * 4);
    sink_ = static_cast<unsigned*>(rt_.allocate_device(4));
    for (unsigned i = 0; i < files_max; ++i) {
      files_.emplace_back(folder, 0, flags);
      fds_[i] = files_.back().fd();
      rt_.grant(fds_[i]);
    }
    numbers_ = static_cast<int*>(rt_.allocate_device(sizeof fds_));
    rt_.copy_to_device(numbers_, fds_.data(), sizeof fds_);
  }
  ~permuting() {
    for (const int fd : fds_) rt_.revoke(fd);
    rt_.free_device(from_);
    rt_.free_device(sink_);
    rt_.free_device(numbers_);
  }
  permuting(const permuting&) = delete;
  permuting& operator=(const permuting&) = delete;

  // Measures `blocks` blocks that write to `files` files, with `work` rounds of permutation for a piece. The figures'
  // names begin with `name`.
  void in(const std::string& name, unsigned blocks, unsigned files, unsigned work, unsigned rounds) {
    pieces_ =
        static_cast<unsigned>(std::min<std::size_t>(source_.size() / words, std::size_t{blocks} * pieces_a_block_));
    used_ = files;
    blocks_ = blocks;
    work_ = work;
    baseline::native_threads natives(std::min(blocks, files_max));
    tried<order::strong, wait::blocking>();
    tried<order::relaxed, wait::blocking>();
    tried<order::strong, wait::ticket>();
    tried<order::relaxed, wait::ticket>();
    tried<order::strong, wait::posted>();
    tried<order::relaxed, wait::posted>();
    const auto took = bench::by_turns(
        rounds, [&] { natively(natives); }, [&] { once<order::none, wait::blocking>(); },
        [&] { once<order::strong, wait::blocking>(); }, [&] { once<order::relaxed, wait::blocking>(); },
        [&] { once<order::strong, wait::ticket>(); }, [&] { once<order::relaxed, wait::ticket>(); },
        [&] { once<order::strong, wait::posted>(); }, [&] { once<order::relaxed, wait::posted>(); });
    static constexpr const char* names[] = {"native",        "no_call",        "strong_blocking", "relaxed_blocking",
                                            "strong_ticket", "relaxed_ticket", "strong_posted",   "relaxed_posted"};
    const std::string where = name + "_" + std::to_string(blocks) + "_blocks_" + std::to_string(files) + "_files";
    std::array<numbers, 8> us;  // the time of a block, or a thread, for a piece
    for (unsigned i = 0; i < 8; ++i) {
      us[i] = measure::each_us(took[i], double(pieces_) / (i == 0 ? natives.count() : blocks));
      all_.keep_at(where, names[i], "rounds", work, "us", us[i]);
    }
    for (unsigned i = 3; i < 8; ++i)
      all_.keep(where + "_" + std::to_string(work) + "_rounds_" + names[i] + "_faster", "ratio",
                measure::ratios(us[2], us[i]));
  }

 private:
  template <order o, wait w>
  void once() {
    genesys::launch(rt_, {.blocks = {blocks_}, .threads = {all_.on_gpu() ? 1024u : 64u}}, permute<o, w>{},
                    static_cast<const int*>(numbers_), used_, static_cast<const unsigned*>(from_), pieces_, work_,
                    sink_)
        .drain();
  }

  // Writes into empty files, and checks their content.
  template <order o, wait w>
  void tried() {
    for (const int file : fds_) {
      if (::ftruncate(file, 0) != 0) throw measure::failure("ftruncate");
    }
    once<o, w>();
    std::vector<unsigned> got(words), to(words);
    for (unsigned i = 0; i < words; ++i) {
      unsigned at = i;
      for (unsigned r = 0; r < work_; ++r) at = index_of_call(at);
      to[i] = at;
    }
    for (unsigned p = 0; p < pieces_; ++p) {
      if (::pread(fds_[p % blocks_ % used_], got.data(), words * 4, offset_of(p)) != words * 4)
        throw measure::failure("bytes are missing");
      for (unsigned i = 0; i < words; ++i) {
        if (got[to[i]] != source_[std::size_t{p} * words + i]) throw measure::failure("wrong bytes in the file");
      }
    }
  }

  // Native threads write the same pieces.
  void natively(baseline::native_threads& natives) const {
    natives([&](unsigned rank) {
      bool right = true;
      for (unsigned p = rank; p < pieces_; p += natives.count())
        right &= ::pwrite(fds_[rank % used_], &source_[std::size_t{p} * words], words * 4, offset_of(p)) == words * 4;
      return right;
    });
  }

  static off_t offset_of(unsigned piece) { return static_cast<off_t>(piece) * words * 4; }

  static constexpr unsigned files_max = 12;

  bench& all_;
  genesys::runtime& rt_;
  const unsigned pieces_a_block_;
  std::deque<baseline::cached_file> files_;
  std::array<int, files_max> fds_{};
  int* numbers_ = nullptr;                                  // the same in device memory, for kernels
  unsigned pieces_ = 0, used_ = 0, blocks_ = 0, work_ = 0;  // of the present call of in()
  std::vector<unsigned> source_;
  unsigned *from_ = nullptr, *sink_ = nullptr;
};

struct shape {
  unsigned blocks, files;
};

void tmpfs(bench& all) {
  permuting in(all, all.on_gpu() ? 4096 : 64, 512, "/dev/shm", 0);
  const auto shapes = !all.on_gpu() ? std::vector<shape>{{1, 1}, {4, 4}}
                      : all.quick() ? std::vector<shape>{{1, 1}, {12, 12}}
                                    : std::vector<shape>{{1, 1}, {4, 1}, {4, 4}, {12, 1}, {12, 12}, {132, 1}};
  const auto work = all.quick() ? std::vector<unsigned>{4, 16} : std::vector<unsigned>{1, 4, 16, 40, 64};
  for (const shape& s : shapes) {
    for (const unsigned rounds : work) in.in("tmpfs", s.blocks, s.files, rounds, all.quick() ? 3 : 9);
  }
}

void dsync(bench& all) {
  permuting in(all, all.on_gpu() ? 768 : 8, all.on_gpu() ? 64 : 8, ".", O_DSYNC);
  const auto shapes =
      all.on_gpu() && !all.quick() ? std::vector<shape>{{1, 1}, {4, 4}, {12, 12}} : std::vector<shape>{{1, 1}};
  const auto work = all.quick() ? std::vector<unsigned>{256} : std::vector<unsigned>{64, 256, 512};
  for (const shape& s : shapes) {
    for (const unsigned rounds : work) in.in("dsync", s.blocks, s.files, rounds, all.quick() ? 3 : 5);
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench all("permute",
            "Blocks permute 8 KiB in shared memory and write them, by order and wait: a block's time for one.");
  all.part("tmpfs", "to files in /dev/shm, where a write takes little", tmpfs);
  all.part("dsync", "to files in the working directory with O_DSYNC, where it takes long", dsync);
  return baseline::run(all, argc, argv);
}
