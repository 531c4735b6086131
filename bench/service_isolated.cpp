// SPDX-License-Identifier: Apache-2.0
// What it costs that the GPU's side of a server is a process of its own (docs/service-failures.md): empty calls of an
// isolated server and of one in this process, by turns; launches; and how long a killed child is away.
//
// Parts:
//   calls     an empty service, isolated and not
//   launches  the same, when the kernel is away and each call launches it
//   replace   from the kill of the child until another one has answered
//   beside    kernels of this process while the child's kernel is in the GPU: contexts of two processes share it by
//             time slices. On a GPU only
#include <signal.h>
#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "genesys/genesys.h"
#include "genesys/service.h"
#include "support/measure.h"

namespace {

using measure::bench;
using measure::numbers;

struct empty {
  struct arguments {};
  GENESYS_KERNEL void operator()(const genesys::service_block&, const arguments&) const {}
};
using services = genesys::service_list<empty>;

genesys::service_options options_with(bool isolated, unsigned idle_us) {
  genesys::service_options chosen;
  chosen.idle_us = idle_us;
  chosen.isolated = isolated;
  return chosen;
}

// Before anything uses CUDA in this process.
struct {
  std::unique_ptr<genesys::service_server> stays, leaves;
} isolated;

void expect(long result) {
  if (result != 0) throw measure::failure("a request gave " + std::to_string(result));
}

void calls(bench& all) {
  const unsigned count = all.on_gpu() ? (all.quick() ? 5'000 : 50'000) : 200;
  genesys::service_server here(services{}, options_with(false, 20'000));
  const auto mine = here.load(empty{});
  const auto theirs = isolated.stays->load(empty{});
  const auto [in_process, apart] = bench::by_turns(
      7,
      [&] {
        for (unsigned i = 0; i < count; ++i) expect(here.call(mine, {}));
      },
      [&] {
        for (unsigned i = 0; i < count; ++i) expect(isolated.stays->call(theirs, {}));
      });
  const numbers here_us = measure::each_us(in_process, count), apart_us = measure::each_us(apart, count);
  all.keep("empty", "us", here_us);
  all.keep("empty_isolated", "us", apart_us);
  all.keep("empty_isolated_to_empty", "ratio", measure::ratios(apart_us, here_us));
}

void launches(bench& all) {
  const unsigned count = all.on_gpu() ? (all.quick() ? 200 : 1000) : 50;
  genesys::service_server here(services{}, options_with(false, 1));
  const auto mine = here.load(empty{});
  const auto theirs = isolated.leaves->load(empty{});
  const auto each = [&](genesys::service_server& server, const genesys::service<empty>& which) {
    numbers us;
    for (unsigned i = 0; i < count; ++i) {
      std::this_thread::sleep_for(std::chrono::microseconds(300));  // the kernel leaves
      const auto begin = measure::clock::now();
      expect(server.call(which, {}));
      us.push_back(1e6 * measure::seconds_since(begin));
    }
    return us;
  };
  all.keep_each("launch_in_process", "us", each(here, mine));
  all.keep_each("launch_isolated", "us", each(*isolated.leaves, theirs));
}

void replace(bench& all) {
  const auto which = isolated.stays->load(empty{});
  numbers ms;
  for (unsigned i = 0; i < (all.quick() ? 3u : 7u); ++i) {
    expect(isolated.stays->call(which, {}));
    const auto before = isolated.stays->counts().replaced;
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // not a failure in a row
    (void)::kill(isolated.stays->processes().child, SIGKILL);
    const auto begin = measure::clock::now();
    while (isolated.stays->counts().replaced == before) {
      if (measure::seconds_since(begin) > 30) throw measure::failure("the child is not replaced");
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    expect(isolated.stays->call(which, {}));
    ms.push_back(1e3 * measure::seconds_since(begin));
  }
  all.keep("replaced_after", "ms", ms);
}

#if defined(__CUDACC__)
__global__ void grind(float* data, unsigned turns) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[me];
  for (unsigned i = 0; i < turns; ++i) x = x * 0.999f + 0.5f;
  data[me] = x;
}

void check(cudaError_t returned) {
  if (returned != cudaSuccess) throw measure::failure(std::string("CUDA: ") + cudaGetErrorString(returned));
}

void beside(bench& all) {
  if (!all.on_gpu()) return;
  constexpr unsigned blocks = 132 * 8, threads = 256;
  const double seconds = all.quick() ? 0.1 : 0.5;
  float* data = nullptr;
  check(cudaMalloc(&data, blocks * threads * sizeof(float)));
  check(cudaMemset(data, 0, blocks * threads * sizeof(float)));
  const auto one = [&] {
    grind<<<blocks, threads>>>(data, 50'000);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  };
  one();
  // How many kernels of this process run in a second.
  const auto rate = [&] {
    unsigned done = 0;
    const auto begin = measure::clock::now();
    for (; measure::seconds_since(begin) < seconds; ++done) one();
    return done / measure::seconds_since(begin);
  };
  const auto which = isolated.stays->load(empty{});
  numbers alone, resident, busy, calls_us;
  // The rate while a thread calls the service, with this pause between two calls.
  const auto with_calls = [&](unsigned pause_us, numbers* us) {
    std::atomic<bool> stop{false}, failed{false};
    std::thread calling([&] {
      while (!stop) {
        const auto begin = measure::clock::now();
        if (isolated.stays->call(which, {}) != 0) failed = true;
        if (us != nullptr) us->push_back(1e6 * measure::seconds_since(begin));
        if (pause_us != 0) std::this_thread::sleep_for(std::chrono::microseconds(pause_us));
      }
    });
    const double made = rate();
    stop = true;
    calling.join();
    if (failed) throw measure::failure("a request failed");
    return made;
  };
  for (unsigned round = 0; round < (all.quick() ? 2u : 5u); ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the child's kernel leaves
    alone.push_back(rate());
    resident.push_back(with_calls(5'000, nullptr));
    busy.push_back(with_calls(0, &calls_us));
  }
  check(cudaFree(data));
  all.keep("beside_alone", "1/s", alone);
  all.keep("beside_resident_to_alone", "ratio", measure::ratios(resident, alone));
  all.keep("beside_busy_to_alone", "ratio", measure::ratios(busy, alone));
  all.keep_each("beside_call", "us", calls_us);
}
#endif

}  // namespace

int main(int argc, char** argv) {
  bench all("service_isolated", "What it costs that a server's GPU side is a process of its own.");
  try {
    isolated.stays = std::make_unique<genesys::service_server>(services{}, options_with(true, 20'000));
    isolated.leaves = std::make_unique<genesys::service_server>(services{}, options_with(true, 1));
  } catch (const genesys::error& thrown) {
    std::fprintf(stderr, "%s\n", thrown.what());
    return 1;
  }
  all.part("calls", "an empty service, isolated and not", calls);
  all.part("launches", "the same, when each call launches the kernel", launches);
  all.part("replace", "from the kill of the child until another one has answered", replace);
#if defined(__CUDACC__)
  all.part("beside", "kernels of this process while the child's kernel is in the GPU", beside);
#endif
  const int status = all.main(argc, argv);
  isolated = {};
  return status;
}
