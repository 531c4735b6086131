// SPDX-License-Identifier: Apache-2.0
// Kernels and memory of these tests. The kernels run on either device; on a GPU the rewriter adds their polls.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>
#include <thread>
#include <vector>

#include "genesys/scheduler.h"

namespace scheduler_testing {

using genesys::detail::u32;
using genesys::detail::u64;

// What earlier runs have learnt would change what these tests see. A folder that the environment names is used.
inline const int keeps_nothing = ::setenv("GENESYS_SCHEDULE_CACHE", "0", 1);

inline u64 seed() {
  static const u64 chosen = [] {
    const char* given = std::getenv("GENESYS_TEST_SEED");
    const u64 value = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::printf("GENESYS_TEST_SEED=%llu\n", static_cast<unsigned long long>(value));
    return value;
  }();
  return chosen;
}

// Lets other threads run, on the CPU device. A GPU needs no such points, and the classifier takes a pause for a wait.
GENESYS_KERNEL void rest() {
#if !GENESYS_ON_CUDA
  genesys::pause();
#endif
}

// Each thread changes its own word `turns` times: not idempotent.
struct change_in_place {
  GENESYS_KERNEL void operator()(u64* data, u64 count, u32 turns) const {
    const u64 me = genesys::block_rank() * u64{genesys::threads_in_block()} + genesys::thread_rank();
    if (me >= count) return;
    for (u32 turn = 0; turn < turns; ++turn) {
      data[me] = data[me] * 5 + turn;
      if (turn % 8 == 7) rest();
    }
  }
};

constexpr u32 block_max = 256;
struct exchange_words {
  u64 word[block_max];
};

// The same with barriers: a thread adds what its neighbour hands over.
struct change_with_barriers {
  GENESYS_KERNEL void operator()(u64* data, u64 count, u32 turns) const {
    u64* const shared = genesys::shared<exchange_words>().word;
    const u32 rank = genesys::thread_rank(), all = genesys::threads_in_block();
    const u64 me = genesys::block_rank() * u64{all} + rank;
    for (u32 turn = 0; turn < turns; ++turn) {
      shared[rank] = turn * u64{1000} + rank;
      genesys::sync_block();
      if (me < count) data[me] = data[me] * 3 + shared[(rank + 1) % all];
      genesys::sync_block();
    }
  }
};

// Reads one array and writes another one: idempotent.
struct copy_with_work {
  GENESYS_KERNEL void operator()(const u64* from, u64* to, u64 count, u32 turns) const {
    const u64 me = genesys::block_rank() * u64{genesys::threads_in_block()} + genesys::thread_rank();
    if (me >= count) return;
    u64 value = from[me];
    for (u32 turn = 0; turn < turns; ++turn) {
      value = value * 7 + turn;
      if (turn % 8 == 7) rest();
    }
    to[me] = value;
  }
};

class words {
 public:
  words(genesys::scheduler& of, std::size_t count) : of_(of), count_(count) {
    at_ = static_cast<u64*>(of.allocate(count * sizeof(u64)));
    put(std::vector<u64>(count, 1));
  }
  ~words() { of_.free(at_); }
  words(const words&) = delete;
  words& operator=(const words&) = delete;
  u64* get() const { return at_; }
  genesys::memory_range range() const { return {at_, count_ * sizeof(u64)}; }
  void put(const std::vector<u64>& from) { of_.copy_to_device(at_, from.data(), count_ * sizeof(u64)); }
  std::vector<u64> take() const {
    std::vector<u64> all(count_);
    of_.copy_to_host(all.data(), at_, count_ * sizeof(u64));
    return all;
  }

 private:
  genesys::scheduler& of_;
  std::size_t count_;
  u64* at_ = nullptr;
};

// What a kernel declares of itself. On the CPU device nothing else is known; on a GPU the classifier finds it.
inline genesys::task_launch shape(genesys::scheduler& on, u32 blocks, u32 threads, const words& writes) {
  genesys::task_launch made{.blocks = {blocks}, .threads = {threads}};
  if (on.kind() == genesys::device_kind::cpu) {
    made.again = genesys::rerun::after_restoring;
    made.writes = {writes.range()};
  }
  return made;
}

inline u32 turns(genesys::scheduler& on) { return on.kind() == genesys::device_kind::cpu ? 400 : 60'000; }

// What the report says in this column, over all kernels.
inline double reported(const genesys::scheduler& on, std::size_t column) {
  std::stringstream text;
  on.report(text);
  std::string line;
  std::getline(text, line);
  double sum = 0;
  while (std::getline(text, line)) {
    std::stringstream fields(line);
    double value = 0;
    for (std::size_t i = 0; i <= column; ++i) fields >> value;
    sum += value;
  }
  return sum;
}
constexpr std::size_t column_launches = 0, column_complete = 1, column_aborts = 2, column_snapshots = 6,
                      column_block_us = 9;

// Calls `run_urgent`, which launches a more urgent kernel and waits for it, after a pause and again, until the report
// says an abort or `first` is done. Once may be too early, before `first` runs, or too late. Returns how often.
template <class F>
u32 run_until_an_abort(const genesys::scheduler& on, const genesys::launched& first, const F& run_urgent,
                       u32 pause_ms = 4) {
  u32 rounds = 0;
  while (!first.is_done() && reported(on, column_aborts) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms));
    run_urgent();
    ++rounds;
  }
  return rounds;
}

}  // namespace scheduler_testing
