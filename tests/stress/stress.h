// SPDX-License-Identifier: Apache-2.0
// What the stress tests share: waits with a limit, counters that kernels write, a file whose words follow from their
// offsets.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <vector>

#include "genesys/genesys.h"

namespace stress {

using genesys::atomic;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline bool is_full() { return std::getenv("GENESYS_TEST_FULL") != nullptr; }

// Waits for the run. After `limit_s` it reports what hangs and ends the program.
inline void finish(genesys::runtime& rt, const genesys::run& run, int limit_s) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(limit_s);
  while (!run.finished()) {
    if (std::chrono::steady_clock::now() > until) {
      std::cerr << "stress: not finished after " << limit_s << " s\n";
      rt.report(std::cerr);
      std::_Exit(99);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  run.drain();
}

GENESYS_KERNEL u64 mixed(u64 x) {  // splitmix64
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

struct counts {
  u32 wrong, made, lanes_done, padding;
};

GENESYS_KERNEL void expect(counts* c, bool right) {
  if (!right) atomic<u32>(c->wrong).fetch_add(1, std::memory_order_relaxed);
}

// An unlinked file of `words` numbers.
inline int numbered_file(u64 words) {
  char name[] = "/tmp/genesys-stress-XXXXXX";
  const int fd = mkstemp(name);
  unlink(name);
  std::vector<u64> content(words);
  for (u64 i = 0; i < words; ++i) content[i] = mixed(i);
  EXPECT_EQ(write(fd, content.data(), words * 8), static_cast<ssize_t>(words * 8));
  return fd;
}

inline counts take(genesys::runtime& rt, counts* device) {
  counts host;
  rt.copy_to_host(&host, device, sizeof host);
  rt.free_device(device);
  return host;
}

inline counts* fresh_counts(genesys::runtime& rt) {
  auto* device = static_cast<counts*>(rt.allocate_device(sizeof(counts)));
  rt.fill_device(device, 0, sizeof(counts));
  return device;
}

inline bool on_gpu() {
  static const bool gpu = genesys::runtime().kind() == genesys::device_kind::cuda;
  return gpu;
}

}  // namespace stress
