// SPDX-License-Identifier: Apache-2.0
// The paper's M-Bench: a task that launches a long kernel again and again, which changes 23 MB in place. Under the
// scheduler, or in an ordinary stream. The main thread makes it; it launches from a thread of its own.
#pragma once

#include <optional>

#include "schedule/shared.h"

namespace schedule_bench {

constexpr unsigned m_bench_count = 23'000'000 / sizeof(float);
constexpr double m_bench_mean_ms = 70, m_bench_longest_ms = 609;  // of the paper

genesys::launched launch_m_bench(const genesys::task& as, float* data, unsigned count, unsigned turns);
void launch_m_bench(cudaStream_t in, float* data, unsigned count, unsigned turns);

// How many turns of its loop take so long.
unsigned turns_for(double wanted_ms);

// A task of nice 19.
class m_bench_task {
 public:
  m_bench_task(genesys::scheduler& on, unsigned turns);
  ~m_bench_task();
  m_bench_task(const m_bench_task&) = delete;
  m_bench_task& operator=(const m_bench_task&) = delete;

 private:
  genesys::scheduler& on_;
  genesys::task as_;
  float* data_ = nullptr;
  std::optional<busy> run_;
};

// Without the scheduler.
class m_bench_stream {
 public:
  explicit m_bench_stream(unsigned turns);
  ~m_bench_stream();
  m_bench_stream(const m_bench_stream&) = delete;
  m_bench_stream& operator=(const m_bench_stream&) = delete;

 private:
  plain_stream in_;
  float* data_ = nullptr;
  std::optional<busy> run_;
};

}  // namespace schedule_bench
