// SPDX-License-Identifier: Apache-2.0
// A batch of long kernels runs on the device. Urgent requests come meanwhile: the scheduler aborts the kernel that
// runs, runs the request, and runs the kernel again. See README.md.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <thread>
#include <vector>

#include "genesys/scheduler.h"
#include "number.h"

namespace {

using std::chrono::steady_clock;

constexpr unsigned threads = 256;

// The batch: each thread works on its own number, in place. If it is aborted, the scheduler restores the numbers.
struct settle {
  GENESYS_KERNEL void operator()(float* numbers, unsigned steps) const {
    const unsigned me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    float x = numbers[me];
    for (unsigned step = 0; step < steps; ++step) {
      x = 0.5f * (x + 2 / x);  // Newton: the square root of 2
#if !GENESYS_ON_CUDA
      if (step % 64 == 63) genesys::pause();  // the CPU device looks at aborts only where threads may change
#endif
    }
    numbers[me] = x;
  }
};

// The request: a short kernel that other code waits for.
struct answer {
  GENESYS_KERNEL void operator()(const float* question, float* result) const {
    const unsigned me = genesys::block_rank() * genesys::threads_in_block() + genesys::thread_rank();
    result[me] = question[me] + 1;
  }
};

int usage(std::FILE* to, int status) {
  std::fputs(
      "usage: urgent [REQUESTS [NICE_OF_BATCH [NICE_OF_REQUESTS]]]\n"
      "\n"
      "Runs long kernels, and REQUESTS (default: 100) short urgent ones meanwhile; prints how long these take. A "
      "lower\n"
      "nice value is more important (defaults: 10 and -10); with equal ones the requests wait for the long kernels.\n",
      to);
  return status;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 1 && std::strcmp(argv[1], "--help") == 0) return usage(stdout, 0);
  if (argc > 4) return usage(stderr, 2);
  const unsigned requests = argc > 1 ? number(argv[1], 1, 1'000'000) : 100;
  int nice[2] = {10, -10};
  for (int i = 2; i < argc; ++i) {
    char* end = nullptr;
    const long value = std::strtol(argv[i], &end, 10);
    if (end == argv[i] || *end != 0 || value != static_cast<int>(value)) return usage(stderr, 2);
    nice[i - 2] = static_cast<int>(value);
  }

  genesys::scheduler all;
  const genesys::task batch = all.add_task(nice[0]), urgent = all.add_task(nice[1]);
  const bool on_cpu = all.kind() == genesys::device_kind::cpu;
  const unsigned blocks = on_cpu ? 32 : 1024, steps = on_cpu ? 4'000 : 200'000, count = blocks * threads;
  auto* const numbers = static_cast<float*>(all.allocate(count * sizeof(float)));
  auto* const question = static_cast<float*>(all.allocate(count * sizeof(float)));
  auto* const result = static_cast<float*>(all.allocate(count * sizeof(float)));
  const std::vector<float> ones(count, 1);
  all.copy_to_device(numbers, ones.data(), count * sizeof(float));
  all.copy_to_device(question, ones.data(), count * sizeof(float));

  // On a GPU the scheduler finds out that an abort needs a roll-back. The CPU device must be told.
  genesys::task_launch batch_shape{.blocks = {blocks}, .threads = {threads}};
  if (on_cpu) {
    batch_shape.again = genesys::rerun::after_restoring;
    batch_shape.writes = {{numbers, count * sizeof(float)}};
  }
  const genesys::task_launch request_shape{.blocks = {blocks}, .threads = {threads}, .again = genesys::rerun::never};

  std::vector<double> us;
  unsigned kernels = 0;
  genesys::launched kernel = batch.launch(batch_shape, settle{}, numbers, steps);
  for (unsigned i = 0; i < requests; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const auto begin = steady_clock::now();
    urgent.launch(request_shape, answer{}, static_cast<const float*>(question), result).wait();
    us.push_back(std::chrono::duration<double, std::micro>(steady_clock::now() - begin).count());
    if (kernel.is_done()) {
      kernel = batch.launch(batch_shape, settle{}, numbers, steps);
      ++kernels;
    }
  }
  kernel.wait();
  ++kernels;

  std::vector<float> got(count);
  all.copy_to_host(got.data(), numbers, count * sizeof(float));
  const bool is_right = std::all_of(got.begin(), got.end(), [](float x) { return x > 1.41421f && x < 1.41422f; });
  std::sort(us.begin(), us.end());
  std::printf("%u requests of nice %d beside kernels of nice %d: median %.1f us, worst %.1f us\n", requests, nice[1],
              nice[0], us[us.size() / 2], us.back());
  std::printf("%u kernels of the batch: results are %s\n\n", kernels, is_right ? "right" : "WRONG");
  std::fflush(stdout);
  all.report(std::cout);
  for (void* each : {numbers, question, result}) all.free(each);
  return is_right ? 0 : 1;
} catch (const genesys::error& failed) {
  std::fprintf(stderr, "urgent: %s\n", failed.what());
  return 1;
}
