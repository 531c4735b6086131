// SPDX-License-Identifier: Apache-2.0
#include "schedule/m_bench.h"

namespace schedule_bench {
namespace {

constexpr unsigned threads = 256;

struct m_bench {
  GENESYS_KERNEL void operator()(float* data, unsigned count, unsigned turns) const {
    const unsigned me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    if (me >= count) return;
    float x = data[me];
    for (unsigned turn = 0; turn < turns; ++turn) x = x * 0.999f + 0.5f;
    data[me] = x;
  }
};

__global__ void m_bench_kernel(float* data, unsigned count, unsigned turns) { m_bench{}(data, count, turns); }

unsigned blocks_of(unsigned count) { return (count + threads - 1) / threads; }

}  // namespace

genesys::launched launch_m_bench(const genesys::task& as, float* data, unsigned count, unsigned turns) {
  return as.launch({.blocks = {blocks_of(count)}, .threads = {threads}}, m_bench{}, data, count, turns);
}
void launch_m_bench(cudaStream_t in, float* data, unsigned count, unsigned turns) {
  m_bench_kernel<<<blocks_of(count), threads, 0, in>>>(data, count, turns);
}

unsigned turns_for(double wanted_ms) {
  genesys::scheduler& of = common().all;
  const genesys::task one = of.add_task(0);
  constexpr unsigned few = 20'000;
  auto* data = static_cast<float*>(of.allocate(m_bench_count * sizeof(float)));
  double ms = 0;
  for (int i = 0; i < 3; ++i) {
    const auto begin = measure::clock::now();
    launch_m_bench(one, data, m_bench_count, few).wait();
    ms = measure::seconds_since(begin) * 1e3;
  }
  of.free(data);
  return std::max(1u, static_cast<unsigned>(few * wanted_ms / ms));
}

m_bench_task::m_bench_task(genesys::scheduler& on, unsigned turns) : on_(on), as_(on.add_task(19)) {
  data_ = static_cast<float*>(on.allocate(m_bench_count * sizeof(float)));
  run_.emplace([this, turns, last = genesys::launched(), has_last = false]() mutable {
    const auto end = launch_m_bench(as_, data_, m_bench_count, turns);
    if (has_last) last.wait();
    last = end;
    has_last = true;
  });
}
m_bench_task::~m_bench_task() {
  run_.reset();
  as_.wait();
  on_.free(data_);
}

m_bench_stream::m_bench_stream(unsigned turns) {
  workloads::check(cudaMalloc(&data_, m_bench_count * sizeof(float)));
  workloads::check(cudaMemset(data_, 0, m_bench_count * sizeof(float)));
  run_.emplace([this, turns] {
    launch_m_bench(in_.get(), data_, m_bench_count, turns);
    in_.mark_and_wait_for_last();
  });
}
m_bench_stream::~m_bench_stream() {
  run_.reset();
  in_.wait();
  (void)cudaFree(data_);
}

}  // namespace schedule_bench
