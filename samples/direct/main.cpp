// SPDX-License-Identifier: Apache-2.0
// The checksum of a file of any size, by one launch. Each block reads every n-th piece of it into its own buffer, and
// its threads sum up the words there. The buffers are in the arena, so that the kernel may submit these reads to Linux
// itself (the executor `direct`, docs/direct.md).
#include <fcntl.h>
#include <genesys/genesys.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "options.h"

using word = std::uint64_t;

struct file_sum {          // in device memory
  word checksum;           // starts as the file's length, so that zeros at its end count
  word failed, failed_at;  // whether a read failed, and its position
  long returned;           // the result of that read: -errno, or 0: the file ended there
};

// The sum over every `step`th word from `first` on, of `bytes` bytes that are at position `at` of the file. Each word
// is mixed with its position, so that pieces may be summed up in any order. Missing bytes of the last word are 0.
GENESYS_KERNEL word sum(const word* words, word bytes, word at, unsigned first, unsigned step) {
  word all = 0;
  for (word i = first; i * 8 < bytes; i += step) {
    const word left = bytes - i * 8;
    const word own = left < 8 ? words[i] & ((word{1} << left * 8) - 1) : words[i];
    const word mixed = (own ^ (at / 8 + i + 1) * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;
    all += (mixed ^ mixed >> 32) * 0xc4ceb9fe1a85ec53;
  }
  return all;
}

struct add_pieces {
  GENESYS_KERNEL void operator()(genesys::os os, int fd, word bytes, word piece, char* buffers, file_sum* to) const {
    using namespace genesys;
    const auto io = os.on(block());  // one read for all threads of the block, which meet before it and after it
    char* const buffer = buffers + block_rank() * piece;
    word mine = 0;
    for (word at = block_rank() * piece; at < bytes; at += blocks_in_grid() * piece) {
      const word wanted = bytes - at < piece ? bytes - at : piece;
      for (word got = 0; got < wanted;) {  // Linux may read less than is asked for
        const long n = io.pread64(fd, buffer + got, wanted - got, static_cast<long>(at + got));
        if (n <= 0) return fail(*to, at + got, n);  // the whole block returns
        got += static_cast<word>(n);
      }
      mine += sum(reinterpret_cast<const word*>(buffer), wanted, at, thread_rank(), threads_in_block());
    }
    atomic<word>(to->checksum).fetch_add(mine, std::memory_order_relaxed);
  }
  GENESYS_KERNEL static void fail(file_sum& to, word at, long returned) {  // reports the first failure only
    if (genesys::thread_rank() != 0 || genesys::atomic<word>(to.failed).exchange(1) != 0) return;
    to.failed_at = at;
    to.returned = returned;
  }
};

// Seconds by the clock, and the CPU seconds of all threads of the process in user space and in Linux (getrusage(2)).
struct moment {
  double wall, user, system;
  static moment now() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) / 1e6; };
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now().time_since_epoch();
    return {wall.count(), seconds(used.ru_utime), seconds(used.ru_stime)};
  }
};

// The same checksum by the host, without genesys. False: errno has the reason.
bool sum_on_host(const char* path, word& found) {
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  std::vector<word> buffer(1u << 17);
  found = 0;
  word at = 0;
  while (const std::size_t n =
             std::fread(buffer.data(), 1, buffer.size() * sizeof(word), file)) {  // the last read is shorter
    found += sum(buffer.data(), n, at, 0, 1);
    at += n;
  }
  found += at;
  const int error = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  errno = error;
  return error == 0;
}

int complain(const char* path, const std::string& why) {
  std::fprintf(stderr, "direct: %s: %s\n", path, why.c_str());
  return 1;
}

int complain(const char* path, const file_sum& found) {
  const char* why = found.returned == 0 ? "the file ended" : std::strerror(static_cast<int>(-found.returned));
  return complain(path, "at byte " + std::to_string(found.failed_at) + ": " + why);
}

void print(word bytes, const moment& begin, const moment& done, const genesys::statistics& all) {
  const double seconds = done.wall - begin.wall;
  std::printf("%.3f s, %.2f GB/s, CPU user %.3f s, system %.3f s; calls %lu, %lu of them direct\n", seconds,
              double(bytes) / seconds / 1e9, done.user - begin.user, done.system - begin.system, all.completed,
              all.direct_calls);
}

int stream(const settings& chosen) {
  const int fd = open(chosen.path, O_RDONLY | O_CLOEXEC);
  const off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);  // works for a block device, too
  if (end < 0) return complain(chosen.path, std::strerror(errno));
  const word bytes = static_cast<word>(end), piece = chosen.piece_bytes, all_buffers = chosen.blocks * piece;

  genesys::runtime rt({.device = chosen.device, .executor = chosen.executor, .arena_bytes = all_buffers + (1u << 20)});
  std::printf("%s\n", rt.describe().c_str());  // with the executor, and why it is not the one asked for
  std::fflush(stdout);
  auto* buffers = static_cast<char*>(rt.allocate_arena(all_buffers));
  auto* sums = static_cast<file_sum*>(rt.allocate_device(sizeof(file_sum)));
  file_sum found{.checksum = bytes, .failed = 0, .failed_at = 0, .returned = 0};
  rt.copy_to_device(sums, &found, sizeof found);
  const genesys::launch_config shape{.blocks = {chosen.blocks},
                                     .threads = {rt.kind() == genesys::device_kind::cuda ? 256u : 16u}};
  // A first launch that reads nothing: it loads the kernel onto the device.
  genesys::launch(rt, shape, add_pieces{}, fd, word{0}, piece, buffers, sums).drain();
  const moment begin = moment::now();
  genesys::launch(rt, shape, add_pieces{}, fd, bytes, piece, buffers, sums).drain();
  const moment done = moment::now();
  rt.copy_to_host(&found, sums, sizeof found);
  close(fd);

  if (found.failed != 0) return complain(chosen.path, found);
  std::printf("checksum %016lx of %lu bytes\n", found.checksum, bytes);
  print(bytes, begin, done, rt.stats());
  if (!chosen.check) return 0;
  word wanted = 0;
  if (!sum_on_host(chosen.path, wanted)) return complain(chosen.path, std::strerror(errno));
  std::printf("the host finds %016lx: %s\n", wanted, wanted == found.checksum ? "the same" : "another");
  return wanted == found.checksum ? 0 : 1;
}

int main(int argc, char** argv) {
  int exit_code = 2;
  const auto chosen = parse(argc, argv, exit_code);
  if (!chosen) return exit_code;
  try {
    return stream(*chosen);
  } catch (const genesys::error& error) {
    std::fprintf(stderr, "direct: %s\n", error.what());
    return 1;
  }
}
