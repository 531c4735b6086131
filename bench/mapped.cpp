// SPDX-License-Identifier: Apache-2.0
// Loads of a file that a kernel has mapped and Linux has in its page cache; beside them, by turns, loads of plain
// pinned memory of the same size, the floor. Every word is added up, and the sums are compared. On the CPU device the
// figures say nothing about a link.
#include <sys/mman.h>

#include <string>
#include <utility>
#include <vector>

#include "genesys/genesys.h"
#include "support/cached_file.h"
#include "support/measure.h"
#include "support/run.h"

namespace {

using baseline::word;
using measure::bench;
using measure::numbers;

struct map_file {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, std::size_t bytes, long* at) const {
    *at = os.mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
  }
};
struct unmap {
  GENESYS_KERNEL void operator()(genesys::os os, const void* at, std::size_t bytes, long* returned) const {
    *returned = os.munmap(at, bytes);
  }
};

struct alignas(16) two_words {
  word first, second;
};

// Each thread has four loads of 16 bytes in flight.
struct add_up {
  GENESYS_KERNEL void operator()(genesys::os, const two_words* from, std::size_t count, word* sum) const {
    const std::size_t step = std::size_t{genesys::blocks_in_grid()} * genesys::threads_in_block();
    std::size_t i = std::size_t{genesys::block_rank()} * genesys::threads_in_block() + genesys::thread_rank();
    word mine = 0;
    for (; i + 3 * step < count; i += 4 * step) {
      const two_words a = from[i], b = from[i + step], c = from[i + 2 * step], d = from[i + 3 * step];
      mine += a.first + a.second + b.first + b.second + c.first + c.second + d.first + d.second;
    }
    for (; i < count; i += step) mine += from[i].first + from[i].second;
    genesys::atomic<word>(*sum).fetch_add(mine, std::memory_order_relaxed);
  }
};

class mapping {
 public:
  mapping(bench& all, std::size_t bytes)
      : all_(all),
        bytes_(bytes),
        rt_(options(all, bytes)),
        pinned_(static_cast<word*>(rt_.allocate_arena(bytes))),
        said_(static_cast<long*>(rt_.allocate_arena(sizeof(long)))),
        sum_(static_cast<word*>(rt_.allocate_device(sizeof(word)))) {
    for (std::size_t i = 0; i < bytes / sizeof(word); ++i) {
      pinned_[i] = baseline::word_of(i);
      expected_ += pinned_[i];
    }
  }
  ~mapping() {
    rt_.free_device(sum_);
    rt_.free_arena(said_);
    rt_.free_arena(pinned_);
  }
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;

  void of(const std::string& folder, const std::string& label) {
    const baseline::cached_file file(folder, bytes_);
    rt_.grant(file.fd());
    const auto mapped = measure::timed([&] { genesys::launch(rt_, {}, map_file{}, file.fd(), bytes_, said_).drain(); });
    const long at = *said_;
    if (at < 0) throw measure::failure("mmap gave " + std::to_string(at));
    all_.keep(label + "_mmap", "ms", mapped.seconds * 1e3);
    for (const auto& [blocks, threads] : shapes())
      loads(reinterpret_cast<const two_words*>(at), label, blocks, threads);
    const auto unmapped = measure::timed(
        [&] { genesys::launch(rt_, {}, unmap{}, reinterpret_cast<const void*>(at), bytes_, said_).drain(); });
    if (*said_ != 0) throw measure::failure("munmap gave " + std::to_string(*said_));
    all_.keep(label + "_munmap", "ms", unmapped.seconds * 1e3);  // including the end of its quarantine
    rt_.revoke(file.fd());
  }

 private:
  static genesys::options options(const bench& all, std::size_t bytes) {
    genesys::options chosen = all.runtime_options();
    chosen.arena_bytes = bytes + (1u << 20);
    chosen.bounce_bytes = 16u << 20;
    return chosen;
  }

  std::vector<std::pair<unsigned, unsigned>> shapes() const {
    if (!all_.on_gpu()) return {{4, 64}};
    return {{132, 256}, {264, 512}, {528, 512}};
  }

  void loads(const two_words* at, const std::string& label, unsigned blocks, unsigned threads) {
    rt_.fill_device(sum_, 0, sizeof(word));
    word sums = 0;
    const auto add = [&](const two_words* from) {
      genesys::launch(rt_, {.blocks = {blocks}, .threads = {threads}}, add_up{}, from, bytes_ / sizeof(two_words), sum_)
          .drain();
      sums += expected_;
    };
    const auto [pinned, mapped] = bench::by_turns(
        all_.quick() ? 3 : 7, [&] { add(reinterpret_cast<const two_words*>(pinned_)); }, [&] { add(at); });
    word sum = 0;
    rt_.copy_to_host(&sum, sum_, sizeof sum);
    if (sum != sums) throw measure::failure("wrong bytes");
    const double bytes = double(bytes_);
    const numbers rate = measure::gigabytes_per_second(mapped, bytes),
                  floor = measure::gigabytes_per_second(pinned, bytes);
    const std::string name = label + "_" + std::to_string(blocks) + "x" + std::to_string(threads);
    all_.keep(name, "GB/s", rate);
    all_.keep(name + "_pinned", "GB/s", floor);
    all_.keep(name + "_to_pinned", "ratio", measure::ratios(rate, floor));
    all_.keep(name + "_user_cores", "cores", measure::user_cores(mapped));
    all_.keep(name + "_system_cores", "cores", measure::system_cores(mapped));
  }

  bench& all_;
  const std::size_t bytes_;
  genesys::runtime rt_;
  word* const pinned_;
  long* const said_;
  word* const sum_;
  word expected_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  bench all("mapped", "Loads of a mapped file in Linux's page cache, beside loads of pinned memory.");
  unsigned mib = 0;
  all.option("--mib", mib, "size of the file; 0: chosen by the bench");
  const auto size = [&mib](bench& in) {
    return std::size_t{mib != 0 ? mib : in.on_gpu() ? (in.quick() ? 256u : 2048u) : in.quick() ? 32u : 256u} << 20;
  };
  all.part("tmp", "a file in /tmp", [&](bench& in) { mapping(in, size(in)).of("/tmp", "tmp"); });
  all.part("tmpfs", "a file in /dev/shm", [&](bench& in) { mapping(in, size(in)).of("/dev/shm", "tmpfs"); });
  return baseline::run(all, argc, argv);
}
