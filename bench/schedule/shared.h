// SPDX-License-Identifier: Apache-2.0
// What the parts of bench/schedule share: the scheduler, the workloads, and a thread that keeps the GPU busy. The parts
// run one after another on the main thread.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "schedule/kernels/workloads.h"
#include "support/measure.h"

namespace schedule_bench {

using measure::bench;
using measure::numbers;

inline std::string only_workload;  // --workload
inline const bench* running = nullptr;

// --quick: one workload of each kind, which the paper's programs have: short and long kernels, many and few launches,
// idempotent or not.
inline std::vector<std::string> chosen() {
  if (!only_workload.empty()) return {only_workload};
  if (running != nullptr && running->quick()) return {"sgemm", "stencil", "bfs", "wavefront", "rows"};
  return workloads::names();
}

// Keeps the GPU busy with a workload, from a thread of its own: the next launches are in line before the earlier ones
// have ended.
class busy {
 public:
  explicit busy(std::function<void()> again)
      : thread_([this, again] {
          while (!stops_) again();
        }) {}
  ~busy() {
    stops_ = true;
    thread_.join();
  }
  busy(const busy&) = delete;
  busy& operator=(const busy&) = delete;

 private:
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

inline void wait_us(double us) {
  const auto begin = measure::clock::now();
  while (measure::seconds_since(begin) * 1e6 < us) {
  }
}

inline void learn(const workloads::workload& work, const genesys::task& batch) {
  for (int i = 0; i < 12; ++i) work.run(batch, genesys::rerun::as_classified);
}

// An ordinary stream: the scheduler knows nothing of it.
class plain_stream {
 public:
  plain_stream() {
    workloads::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (cudaEvent_t& each : ends_) workloads::check(cudaEventCreateWithFlags(&each, cudaEventDisableTiming));
  }
  ~plain_stream() {
    (void)cudaStreamSynchronize(stream_);
    for (cudaEvent_t each : ends_) (void)cudaEventDestroy(each);
    (void)cudaStreamDestroy(stream_);
  }
  plain_stream(const plain_stream&) = delete;
  plain_stream& operator=(const plain_stream&) = delete;

  cudaStream_t get() const { return stream_; }
  void wait() const { workloads::check(cudaStreamSynchronize(stream_)); }
  // Marks the end of what was launched so far, and waits for the mark before: two pieces of work are in line.
  void mark_and_wait_for_last() {
    workloads::check(cudaEventRecord(ends_[next_], stream_));
    next_ = 1 - next_;
    workloads::check(cudaEventSynchronize(ends_[next_]));
  }

 private:
  cudaStream_t stream_ = nullptr;
  std::array<cudaEvent_t, 2> ends_{};
  std::size_t next_ = 0;
};

// A workload as a program: its launches, so often that it takes some 20 ms alone, without the scheduler.
struct program {
  std::unique_ptr<workloads::workload> work;
  unsigned times = 1;
  double alone_s = 0;

  std::size_t launches() const { return times * work->plain.size(); }
  // `count` launches from the middle of the program.
  void run_plain(std::size_t count, plain_stream& in) const {
    const std::size_t all = work->plain.size(), first = count < all ? (all - count) / 2 : 0;
    for (std::size_t i = 0; i < count; ++i) work->plain[(first + i) % all](in.get());
    in.wait();
  }
  void run(const genesys::task& as, genesys::rerun again) const {
    for (unsigned i = 0; i < times; ++i) {
      for (const auto& each : work->launches) each(as, again);
    }
    as.wait();
  }
};

// One scheduler without aging for all parts: the driver library compiles the workloads once.
struct shared {
  genesys::scheduler all{{.aging_step_us = 0}};
  genesys::kernel_module code = all.load(genesys_workloads_ptx);
  std::map<std::string, program> programs;
};
inline shared& common() {
  static shared made;
  return made;
}

// Its kernels' times are learnt, and nothing is in the GPU.
inline const program& prepared(const std::string& name) {
  shared& of = common();
  if (const auto known = of.programs.find(name); known != of.programs.end()) return known->second;
  program made;
  made.work = workloads::make(of.all, of.code, name);
  learn(*made.work, of.all.add_task(10));
  plain_stream alone;
  made.run_plain(made.work->plain.size(), alone);
  const auto begin = measure::clock::now();
  made.run_plain(made.work->plain.size(), alone);
  made.times = static_cast<unsigned>(std::clamp(0.02 / measure::seconds_since(begin), 1.0, 200.0));
  const auto [rounds] = bench::by_turns(3, [&] { made.run_plain(made.launches(), alone); });
  made.alone_s = measure::median(measure::each_us(rounds, 1)) / 1e6;
  return of.programs.emplace(name, std::move(made)).first->second;
}

// For `busy`: the workload again and again, as a task or in an ordinary stream.
inline std::function<void()> again_and_again(const workloads::workload& work, const genesys::task& as,
                                             genesys::rerun again) {
  return [&work, &as, again, last = genesys::launched(), has_last = false]() mutable {
    genesys::launched end;
    for (const auto& each : work.launches) end = each(as, again);
    if (has_last) last.wait();
    last = end;
    has_last = true;
  };
}
inline std::function<void()> again_and_again(const workloads::workload& work, plain_stream& in) {
  return [&work, &in] {
    for (const auto& each : work.plain) each(in.get());
    in.mark_and_wait_for_last();
  };
}

}  // namespace schedule_bench
