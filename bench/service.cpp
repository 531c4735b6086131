// SPDX-License-Identifier: Apache-2.0
// How long the CPU waits for a service (docs/service.md). Parts:
//
//   empty       a service that does nothing, against the floor: a ping-pong from a host thread to a kernel and back
//   paper       4 KiB of input to 512, 1,024 and 2,048 threads, as KGPU measures it; beside the same by a copy, a
//               launch and a synchronisation
//   throughput  empty requests by several threads, and by one thread with tickets
//   stream      large requests, in and out at once (service/stream.cpp)
//   dispatch    where the server sends calls, by size (service/dispatch.cpp)
//   split       requests that want more blocks than are resident (service/split.cpp)
//
// The bench's main thread calls, except in `throughput`.
#include "genesys/service.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "genesys/genesys.h"
#include "service/dispatch.h"
#include "service/split.h"
#include "service/stream.h"
#include "support/measure.h"

namespace service_bench {
namespace {

using measure::bench;
using measure::numbers;

constexpr unsigned input_bytes = 4096, input_words = input_bytes / sizeof(std::uint64_t);

struct empty {
  struct arguments {};
  GENESYS_KERNEL void operator()(const genesys::service_block&, const arguments&) const {}
};

struct quiet_empty : empty {
  static constexpr bool quiet = true;
};

// All threads of the request share the words of the input, and load them.
GENESYS_KERNEL long load_input(const std::uint64_t* from, std::uint64_t* never, std::uint64_t thread,
                               std::uint64_t threads) {
  std::uint64_t any = 0;
  for (std::uint64_t i = thread; i < input_words; i += threads) any |= from[i];
  if (any == ~std::uint64_t{0}) *never = 1;
  return 1;
}
struct input_service {
  struct arguments {
    const std::uint64_t* from;
    std::uint64_t* never;
  };
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    return load_input(with.from, with.never, here.thread(), here.threads());
  }
};
struct input_kernel {
  GENESYS_KERNEL void operator()(genesys::os, const std::uint64_t* from, std::uint64_t* never) const {
    const std::uint64_t threads = std::uint64_t{genesys::blocks_in_grid()} * genesys::threads_in_block();
    load_input(from, never, std::uint64_t{genesys::block_rank()} * genesys::threads_in_block() + genesys::thread_rank(),
               threads);
  }
};
#if defined(__CUDACC__)
__global__ void input_launch(const std::uint64_t* from, std::uint64_t* never) {
  load_input(from, never, std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x, std::uint64_t{gridDim.x} * blockDim.x);
}
#endif

constexpr unsigned block_threads_max = 1024;
using services = genesys::bounded_service_list<block_threads_max, empty, quiet_empty, input_service>;

struct alignas(128) flag {
  unsigned value;
};

// Sends each number back.
struct pong {
  GENESYS_KERNEL void operator()(genesys::os, flag* there, flag* back, unsigned first, unsigned trips) const {
    constexpr unsigned polls_max = 200'000'000;
    const genesys::atomic<unsigned, genesys::thread_scope::system> request(there->value), reply(back->value);
    for (unsigned i = 0; i < trips; ++i) {
      for (unsigned polls = 0; request.load(std::memory_order_acquire) != first + i; ++polls) {
        if (polls == polls_max) return;
#if !GENESYS_ON_CUDA
        ::sched_yield();
#endif
      }
      reply.store(first + i, std::memory_order_release);
    }
  }
};

// The same by a block whose threads load the input between a request and its reply: no service can be faster.
struct input_pong {
  GENESYS_KERNEL void operator()(genesys::os, flag* there, flag* back, unsigned first, unsigned trips,
                                 const std::uint64_t* from, std::uint64_t* never) const {
    constexpr unsigned polls_max = 200'000'000;
    const genesys::atomic<unsigned, genesys::thread_scope::system> request(there->value), reply(back->value);
    for (unsigned i = 0; i < trips; ++i) {
      if (genesys::thread_rank() == 0) {
        for (unsigned polls = 0; request.load(std::memory_order_acquire) != first + i && polls != polls_max; ++polls) {
#if !GENESYS_ON_CUDA
          ::sched_yield();
#endif
        }
      }
      genesys::sync_block();
      load_input(from, never, genesys::thread_rank(), genesys::threads_in_block());
      genesys::sync_block();
      if (genesys::thread_rank() == 0) reply.store(first + i, std::memory_order_release);
    }
  }
};

class ping_pong {
 public:
  // With `input`: a block of so many threads loads it.
  explicit ping_pong(genesys::runtime& rt, unsigned threads = 1, std::uint64_t* input = nullptr)
      : rt_(rt), threads_(threads), input_(input), flags_(static_cast<flag*>(rt.allocate_arena(2 * sizeof(flag)))) {
    flags_[0].value = flags_[1].value = 0;
  }
  ~ping_pong() { rt_.free_arena(flags_); }
  ping_pong(const ping_pong&) = delete;
  ping_pong& operator=(const ping_pong&) = delete;

  void operator()(unsigned trips) {
    const unsigned first = number_ + 1;
    number_ += trips;
    const std::uint64_t* const from = input_;
    auto run = input_ == nullptr ? genesys::launch(rt_, {}, pong{}, &flags_[0], &flags_[1], first, trips)
                                 : genesys::launch(rt_, {.threads = {threads_}}, input_pong{}, &flags_[0], &flags_[1],
                                                   first, trips, from, input_ + input_words);
    const std::atomic_ref<unsigned> request(flags_[0].value), reply(flags_[1].value);
    const auto begin = measure::clock::now();
    for (unsigned i = first; i != first + trips; ++i) {
      request.store(i, std::memory_order_release);
      for (unsigned polls = 0; reply.load(std::memory_order_acquire) != i;) {
        if (rt_.kind() == genesys::device_kind::cpu) ::sched_yield();
        if (++polls % 100'000 == 0 && measure::seconds_since(begin) > 60) throw measure::failure("no pong");
      }
    }
    run.drain();
  }

 private:
  genesys::runtime& rt_;
  unsigned threads_;
  std::uint64_t* input_;
  flag* flags_;
  unsigned number_ = 0;
};

genesys::service_options options_of(bench& all) {
  genesys::service_options chosen;
  chosen.device = all.runtime_options();
  chosen.idle_us = 20'000;
  return chosen;
}

void expect(long result, long wanted) {
  if (result != wanted) throw measure::failure("a request gave " + std::to_string(result));
}

// The time of each of `calls` runs of `one`, in microseconds.
template <class F>
numbers each_of(unsigned calls, const F& one) {
  numbers us;
  us.reserve(calls);
  for (unsigned i = 0; i < calls; ++i) {
    const auto begin = measure::clock::now();
    one();
    us.push_back(1e6 * measure::seconds_since(begin));
  }
  return us;
}

void empty_calls(bench& all) {
  const unsigned calls = all.on_gpu() ? (all.quick() ? 5'000 : 50'000) : (all.quick() ? 500 : 5'000);
  ping_pong floor(all.runtime());
  genesys::service_server server(services{}, options_of(all));
  const auto does_nothing = server.load(empty{});
  const auto quietly = server.load(quiet_empty{});
  genesys::service_options by_mailbox = options_of(all);
  by_mailbox.short_us = 0;
  genesys::service_server other(services{}, by_mailbox);
  const auto by_a_block = other.load(empty{});
  const auto [pongs, empties, quiets, mailboxes] = bench::by_turns(
      7, [&] { floor(calls); },
      [&] {
        for (unsigned i = 0; i < calls; ++i) expect(server.call(does_nothing, {}), 0);
      },
      [&] {
        for (unsigned i = 0; i < calls; ++i) expect(server.call(quietly, {}), 0);
      },
      [&] {
        for (unsigned i = 0; i < calls; ++i) expect(other.call(by_a_block, {}), 0);
      });
  const numbers floor_us = measure::each_us(pongs, calls), us = measure::each_us(empties, calls),
                quiet_us = measure::each_us(quiets, calls);
  all.keep("ping_pong", "us", floor_us);
  all.keep("empty", "us", us);
  all.keep("empty_to_pingpong", "ratio", measure::ratios(us, floor_us));
  all.keep("empty_quiet", "us", quiet_us);
  all.keep("empty_quiet_to_pingpong", "ratio", measure::ratios(quiet_us, floor_us));
  all.keep("empty_by_mailbox", "us", measure::each_us(mailboxes, calls));
  all.keep_each("empty_each", "us", each_of(calls, [&] { expect(server.call(does_nothing, {}), 0); }));
}

// How a program without services does it.
class launcher {
 public:
  launcher(bench& all, const std::uint64_t* input) : rt_(all.runtime()), input_(input) {
    device_ = static_cast<std::uint64_t*>(rt_.allocate_device(input_bytes + sizeof(std::uint64_t)));
#if defined(__CUDACC__)
    if (rt_.kind() == genesys::device_kind::cuda && cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking) != 0)
      throw measure::failure("no stream");
#endif
  }
  ~launcher() {
#if defined(__CUDACC__)
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
#endif
    rt_.free_device(device_);
  }
  launcher(const launcher&) = delete;
  launcher& operator=(const launcher&) = delete;

  void operator()(unsigned blocks, unsigned block_threads) {
#if defined(__CUDACC__)
    if (stream_ != nullptr) {
      (void)cudaMemcpyAsync(device_, input_, input_bytes, cudaMemcpyHostToDevice, stream_);
      input_launch<<<blocks, block_threads, 0, stream_>>>(device_, device_ + input_words);
      if (cudaStreamSynchronize(stream_) != cudaSuccess) throw measure::failure("a launch failed");
      return;
    }
#endif
    rt_.copy_to_device(device_, input_, input_bytes);
    genesys::launch(rt_, {.blocks = {blocks}, .threads = {block_threads}}, input_kernel{}, device_,
                    device_ + input_words)
        .drain();
  }

 private:
  genesys::runtime& rt_;
  const std::uint64_t* input_;
  std::uint64_t* device_;
#if defined(__CUDACC__)
  cudaStream_t stream_ = nullptr;
#endif
};

void paper(bench& all) {
  const unsigned calls = all.on_gpu() ? (all.quick() ? 2'000 : 10'000) : (all.quick() ? 20 : 200);
  for (const unsigned threads : {512u, 1024u, 2048u}) {
    const unsigned block_threads = std::min(threads, block_threads_max), blocks = threads / block_threads;
    genesys::service_options chosen = options_of(all);
    chosen.blocks = 8;
    chosen.threads = block_threads;
    genesys::service_server server(services{}, chosen);
    auto* const input = static_cast<std::uint64_t*>(server.allocate(input_bytes + sizeof(std::uint64_t)));
    const auto loads = server.load(input_service{});
    launcher launches(all, input);
    ping_pong floor(all.runtime(), block_threads, input);
    const auto [pongs, by_service, by_launch] = bench::by_turns(
        7, [&] { floor(calls); },
        [&] {
          for (unsigned i = 0; i < calls; ++i)
            expect(server.call(loads, {input, input + input_words}, {.blocks = blocks}), blocks);
        },
        [&] {
          for (unsigned i = 0; i < calls; ++i) launches(blocks, block_threads);
        });
    const numbers us = measure::each_us(by_service, calls), launch_us = measure::each_us(by_launch, calls);
    const std::string of = std::to_string(threads);
    const numbers floor_us = measure::each_us(pongs, calls);
    all.keep("floor_4k_" + of, "us", floor_us);
    all.keep("empty_4k_" + of, "us", us);
    all.keep("empty_4k_to_floor_" + of, "ratio", measure::ratios(us, floor_us));
    all.keep("launch_to_floor_" + of, "ratio", measure::ratios(launch_us, floor_us));
    all.keep("launch_4k_" + of, "us", launch_us);
    all.keep("launch_to_service_" + of, "ratio", measure::ratios(launch_us, us));
  }
}

void throughput(bench& all) {
  const unsigned calls = all.on_gpu() ? (all.quick() ? 20'000 : 200'000) : (all.quick() ? 500 : 5'000);
  genesys::service_server server(services{}, options_of(all));
  const auto does_nothing = server.load(empty{});
  for (const unsigned threads : {1u, 2u, 4u, 8u}) {
    const auto [rounds] = bench::by_turns(5, [&] {
      std::vector<std::jthread> callers;
      for (unsigned t = 0; t < threads; ++t) {
        callers.emplace_back([&] {
          for (unsigned i = 0; i < calls / threads; ++i) expect(server.call(does_nothing, {}), 0);
        });
      }
    });
    all.keep("throughput_" + std::to_string(threads) + "_threads", "M/s", measure::millions_per_second(rounds, calls));
  }
  constexpr unsigned depth = 64;
  const auto [rounds] = bench::by_turns(5, [&] {
    std::vector<genesys::service_ticket> tickets;
    for (unsigned i = 0; i < calls; i += depth) {
      tickets.clear();
      for (unsigned k = 0; k < depth; ++k) tickets.push_back(server.submit(does_nothing, {}));
      for (auto& ticket : tickets) expect(ticket.wait(), 0);
    }
  });
  all.keep("throughput_64_tickets", "M/s", measure::millions_per_second(rounds, (calls + depth - 1) / depth * depth));
}

}  // namespace
}  // namespace service_bench

int main(int argc, char** argv) {
  measure::bench all("service", "How long the CPU waits for a service of a kernel that stays.");
  all.part("empty", "a service that does nothing, against a ping-pong to a kernel and back",
           service_bench::empty_calls);
  all.part("paper", "4 KiB of input, 512 to 2,048 threads, against a copy and a launch", service_bench::paper);
  all.part("throughput", "empty requests by several threads, and with tickets", service_bench::throughput);
  service_bench::add_stream(all);
  service_bench::add_dispatch(all);
  service_bench::add_split(all);
  return all.main(argc, argv);
}
