// SPDX-License-Identifier: Apache-2.0
// release [MiB]: a kernel maps device memory, uses it, gives most of it back and goes on. The host prints how much
// memory is free.
#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "genesys/genesys.h"

#include "number.h"

constexpr std::size_t kept_bytes = 2u << 20, kept_words = kept_bytes / 8;

struct release {  // `step` 1: all memory is in use; 3: most is given back. The host prints and adds 1
  GENESYS_KERNEL void operator()(genesys::os os, std::size_t bytes, unsigned* step, unsigned* right) const {
    using namespace genesys;
    const auto io = os.on(block());
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | map_device;
    const long at = io.mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at < 0) return;
    auto* words = reinterpret_cast<std::size_t*>(at);
    const unsigned me = thread_rank(), all = threads_in_block();
    const auto show = [&](unsigned value) {
      const atomic<unsigned, thread_scope::system> shown(*step);
      sync_block();
      if (me == 0) shown.store(value);
      while (shown.load() == value) pause(1000);
      sync_block();
    };
    unsigned good = 0;
    for (std::size_t i = me; i < bytes / 8; i += all) words[i] = i * i;
    show(1);
    io.madvise(words + kept_words, bytes - kept_bytes, MADV_DONTNEED);
    show(3);
    for (std::size_t i = me; i < kept_words; i += all) good += words[i] == i * i;
    atomic<unsigned, thread_scope::system>(*right).fetch_add(good);
    io.munmap(words, bytes);
  }
};

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--help") == 0)
    return std::puts(
               "usage: release [MIB]\nMaps so much device memory (default: 256 MiB), and gives most of it back.") < 0;
  const std::size_t mib = argc > 1 ? number(argv[1], 2, 1u << 20) & ~1u : 256;
  genesys::runtime rt;
  auto* returned = new (rt.allocate_arena(8)) unsigned[2]{};  // step, right
  const auto free_mib = [&] { return rt.free_device_bytes() >> 20; };
  std::printf("free before %zu MiB", free_mib());
  const genesys::run run = genesys::launch(rt, {.threads = {256}}, release{}, mib << 20, returned, returned + 1);
  const std::atomic_ref<unsigned> step(*returned);
  for (unsigned next = 1; next <= 3 && !run.finished(); next += 2) {
    while (step.load() != next && !run.finished()) sched_yield();
    std::printf(", %s %zu MiB", next == 1 ? "in use" : "given back", free_mib());
    step.store(next + 1);
  }
  run.drain();
  std::printf(", after %zu MiB: %u words right\n", free_mib(), returned[1]);
  return returned[1] == kept_words ? 0 : 1;
}
