// SPDX-License-Identifier: Apache-2.0
// Counts how often each byte occurs in a file. Each block counts every n-th piece: once it waits for each piece, once
// it reads ahead.
#include <fcntl.h>
#include <genesys/genesys.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

constexpr unsigned chunk = 16 << 10, blocks = 64;

struct count_bytes {
  bool ahead;  // whether Linux reads the next piece while the block counts this one

  GENESYS_KERNEL void operator()(genesys::os os, int fd, unsigned long long* counts) const {
    using namespace genesys;
    auto& buffer = shared<unsigned char[2][chunk]>();
    auto& own = shared<unsigned[256]>();
    for (unsigned i = thread_rank(); i < 256; i += threads_in_block()) own[i] = 0;
    const auto io = os.on(block());
    const long stride = long{blocks} * chunk;
    long at = long{block_rank()} * chunk;
    long n = 0;
    if (ahead) {
      auto next = io.ticket().pread64(fd, buffer[0], chunk, at);  // returns when the request is published
      for (unsigned turn = 0;; turn ^= 1) {
        n = next.wait();
        if (n <= 0) break;
        next = io.ticket().pread64(fd, buffer[turn ^ 1], chunk, at += stride);  // Linux reads this one meanwhile
        count(buffer[turn], n, own);
      }
    } else {
      for (; (n = io.pread64(fd, buffer[0], chunk, at)) > 0; at += stride) count(buffer[0], n, own);
    }
    if (n < 0 && thread_rank() == 0) counts[256] = static_cast<unsigned long long>(-n);
    sync_block();
    for (unsigned i = thread_rank(); i < 256; i += threads_in_block())
      atomic<unsigned long long>(counts[i]).fetch_add(own[i]);
  }
  GENESYS_KERNEL static void count(const unsigned char* bytes, long n, unsigned (&into)[256]) {
    for (long i = genesys::thread_rank(); i < n; i += genesys::threads_in_block())
      genesys::atomic<unsigned, genesys::thread_scope::block>(into[bytes[i]]).fetch_add(1, std::memory_order_relaxed);
  }
};

double count_file(genesys::runtime& rt, int fd, bool ahead, unsigned long long* counts) {
  std::memset(counts, 0, 257 * sizeof *counts);
  const unsigned threads = rt.kind() == genesys::device_kind::cuda ? 128 : 16;
  const auto begin = std::chrono::steady_clock::now();
  genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, count_bytes{ahead}, fd, counts).drain();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int main(int argc, char** argv) {
  if (argc != 2 || std::strcmp(argv[1], "--help") == 0) {
    std::puts("usage: prefetch FILE\nCounts the bytes of FILE on the device, with and without reading ahead.");
    return argc != 2 ? 2 : 0;
  }
  const int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    std::perror(argv[1]);
    return 1;
  }
  genesys::runtime rt;
  auto* counts = static_cast<unsigned long long*>(rt.allocate_arena(257 * sizeof(unsigned long long)));
  count_file(rt, fd, false, counts);  // brings the file into the page cache, and the kernel onto the device
  for (const bool ahead : {false, true}) {
    const double seconds = count_file(rt, fd, ahead, counts);
    if (counts[256] != 0) return std::fprintf(stderr, "%s: %s\n", argv[1], std::strerror(int(counts[256]))), 1;
    unsigned long long all = 0;
    for (int i = 0; i < 256; ++i) all += counts[i];
    const long most = std::max_element(counts, counts + 256) - counts;
    std::printf("%s: %llu bytes, most often %ld, %llu times, in %.3f ms\n", ahead ? "reading ahead" : "waiting", all,
                most, counts[most], seconds * 1e3);
  }
  close(fd);
}
