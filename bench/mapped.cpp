// SPDX-License-Identifier: Apache-2.0
// Loads of a file that a kernel has mapped and Linux has in its page cache, beside loads of plain pinned memory of the
// same size, the floor, in the same process and in turns. Every word is added up, and the sums are compared.
// Prints a table, and the same as JSON with --json FILE. Runs on the CPU device as well, where it says nothing of
// links.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "genesys/genesys.h"
#include "measure.h"

namespace {

using measure::clock;
using measure::median;
using measure::seconds_since;
using word = unsigned long long;

[[noreturn]] void fail(const char* what, long value) {
  std::fprintf(stderr, "mapped: %s: %ld\n", what, value);
  std::exit(1);
}

measure::figures figures;

struct map_file {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, std::size_t bytes, long* at) const {
    *at = os.mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
  }
};
struct unmap {
  GENESYS_KERNEL void operator()(genesys::os os, const void* at, std::size_t bytes, long* said) const {
    *said = os.munmap(at, bytes);
  }
};

struct alignas(16) two_words {
  word first, second;
};

// Four loads of 16 bytes under way in each thread.
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

class bench {
 public:
  bench(genesys::runtime& rt, std::size_t bytes)
      : rt_(rt),
        bytes_(bytes),
        pinned_(static_cast<word*>(rt.allocate_arena(bytes))),
        said_(static_cast<long*>(rt.allocate_arena(sizeof(long)))),
        sum_(static_cast<word*>(rt.allocate_device(sizeof(word)))) {
    for (std::size_t i = 0; i < bytes / sizeof(word); ++i) {
      pinned_[i] = i * 0x9e3779b97f4a7c15ull;
      expected_ += pinned_[i];
    }
  }
  ~bench() {
    rt_.free_device(sum_);
    rt_.free_arena(said_);
    rt_.free_arena(pinned_);
  }
  bench(const bench&) = delete;
  bench& operator=(const bench&) = delete;

  void run(const std::string& folder, const std::string& label, int rounds) {
    const int fd = made_file(folder);
    if (fd < 0) {
      std::printf("mapped      %s: cannot make a file there\n", folder.c_str());
      return;
    }
    auto begin = clock::now();
    genesys::launch(rt_, {}, map_file{}, fd, bytes_, said_).drain();
    const double map_ms = seconds_since(begin) * 1e3;
    const long at = *said_;
    if (at < 0) fail("mmap", at);
    std::printf("mapped      %s, %zu MiB: mmap %.1f ms", folder.c_str(), bytes_ >> 20, map_ms);
    double best = 0;
    for (const auto& [blocks, threads] : shapes()) {
      std::vector<double> floor, mapped;
      for (int round = 0; round < rounds; ++round) {
        floor.push_back(rate(pinned_, blocks, threads));
        mapped.push_back(rate(reinterpret_cast<const void*>(at), blocks, threads));
      }
      const double share = median(mapped) / median(floor);
      best = std::max(best, share);
      std::printf("; %u x %u: %.1f GB/s, pinned %.1f, ratio %.3f", blocks, threads, median(mapped), median(floor),
                  share);
      const std::string shape = label + "_" + std::to_string(blocks) + "x" + std::to_string(threads);
      figures.keep("mapped_gbps_" + shape, median(mapped));
      figures.keep("pinned_gbps_" + shape, median(floor));
      figures.keep("mapped_ratio_" + shape, share);
    }
    begin = clock::now();
    genesys::launch(rt_, {}, unmap{}, reinterpret_cast<const void*>(at), bytes_, said_).drain();
    if (*said_ != 0) fail("munmap", *said_);
    std::printf("; munmap, with the end of its quarantine, %.1f ms\n", seconds_since(begin) * 1e3);
    figures.keep("map_ms_" + label, map_ms);
    figures.keep("mapped_ratio_" + label, best);
    close(fd);
  }

 private:
  std::vector<std::pair<unsigned, unsigned>> shapes() const {
    if (rt_.kind() == genesys::device_kind::cpu) return {{4, 64}};
    return {{132, 256}, {264, 512}, {528, 512}};
  }

  // With the same words as the pinned memory; written, so that Linux has its pages. It has no name any more.
  int made_file(const std::string& folder) const {
    const std::string name = folder + "/genesys-bench-mapped";
    const int fd = open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) return fd;
    unlink(name.c_str());
    for (std::size_t done = 0; done < bytes_;) {
      const ssize_t n = write(fd, reinterpret_cast<const char*>(pinned_) + done, bytes_ - done);
      if (n <= 0) fail("writing the file", static_cast<long>(n));
      done += static_cast<std::size_t>(n);
    }
    return fd;
  }

  double rate(const void* from, unsigned blocks, unsigned threads) {
    rt_.fill_device(sum_, 0, sizeof(word));
    const auto begin = clock::now();
    genesys::launch(rt_, {.blocks = {blocks}, .threads = {threads}}, add_up{}, static_cast<const two_words*>(from),
                    bytes_ / sizeof(two_words), sum_)
        .drain();
    const double took = seconds_since(begin);
    word sum = 0;
    rt_.copy_to_host(&sum, sum_, sizeof sum);
    if (sum != expected_) fail("wrong bytes", static_cast<long>(sum - expected_));
    return double(bytes_) / took / 1e9;
  }

  genesys::runtime& rt_;
  const std::size_t bytes_;
  word* pinned_;
  long* said_;
  word* sum_;
  word expected_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  std::size_t mib = 2048;
  int rounds = 7;
  const char* json_file = nullptr;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0)
      mib = 256, rounds = 3;
    else if (std::strcmp(argv[i], "--mib") == 0 && i + 1 < argc)
      mib = std::strtoul(argv[++i], nullptr, 10);
    else if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc)
      json_file = argv[++i];
    else
      return std::fprintf(stderr, "usage: mapped [--quick] [--mib N] [--json FILE]\n"), 2;
  }
  try {
    genesys::runtime rt({.arena_bytes = (mib + 1) << 20, .bounce_bytes = 16u << 20});
    std::printf("%s\n", rt.describe().c_str());
    bench all(rt, mib << 20);
    all.run("/tmp", "disk", rounds);
    all.run("/dev/shm", "tmpfs", rounds);
  } catch (const genesys::error& wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    return 1;
  }
  return figures.write(json_file) ? 0 : 1;
}
