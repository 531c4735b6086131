// SPDX-License-Identifier: Apache-2.0
// Calls of one service from 64 bytes to 16 MiB: by the GPU, by its twin on one core, and where the server sends them
// (docs/service-failures.md). `dispatch_to_better_*` is the time of the automatic calls over that of the better of the
// two others in the same round; dispatch_to_better is that of the size where it is most.
#include "service/dispatch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "genesys/genesys.h"
#include "genesys/service.h"

namespace service_bench {
namespace {

using measure::bench;
using measure::numbers;

// to[i] = a hash of from[i]: some work for each word.
struct mix_words {
  struct arguments {
    genesys::service_input from;
    genesys::service_buffer to;
  };
  static constexpr const char* name = "bench_mix_words";
  static constexpr genesys::service_field fields[] = {{offsetof(arguments, from), genesys::service_field::input},
                                                      {offsetof(arguments, to), genesys::service_field::output}};
  GENESYS_KERNEL static std::uint64_t mixed(std::uint64_t value) {
    for (unsigned i = 0; i < 8; ++i) {
      value ^= value >> 31;
      value *= 0x9e37'79b9'7f4a'7c15u;
    }
    return value;
  }
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    const auto* from = static_cast<const std::uint64_t*>(with.from.data);
    auto* to = static_cast<std::uint64_t*>(with.to.data);
    const std::uint64_t words = with.from.bytes / 8;
    for (std::uint64_t i = here.thread(); i < words; i += here.threads()) to[i] = mixed(from[i]);
    return 0;
  }
  long on_cpu(const arguments& with, unsigned) const {
    const auto* from = static_cast<const std::uint64_t*>(with.from.data);
    auto* to = static_cast<std::uint64_t*>(with.to.data);
    for (std::uint64_t i = 0; i < with.from.bytes / 8; ++i) to[i] = mixed(from[i]);
    return 0;
  }
};

std::string text_of(std::uint64_t bytes) {
  return bytes < 1024         ? std::to_string(bytes)
         : bytes < 1024 << 10 ? std::to_string(bytes >> 10) + "k"
                              : std::to_string(bytes >> 20) + "m";
}

void dispatch(bench& all) {
  ::setenv("GENESYS_SERVICE_COSTS", "0", 1);  // it learns from nothing
  const std::uint64_t bytes_max = all.on_gpu() ? 16u << 20 : 1u << 20;
  const double round_us = all.quick() ? 5'000 : 20'000;
  genesys::service_options chosen;
  chosen.device = all.runtime_options();
  chosen.idle_us = 20'000;
  chosen.blocks = all.on_gpu() ? 32 : 0;
  genesys::service_server server(genesys::service_list<mix_words>{}, chosen);
  const auto mixes = server.load(mix_words{});
  auto* const memory = static_cast<std::byte*>(server.allocate(2 * bytes_max));
  numbers worst;
  double crossover = 0;
  for (std::uint64_t bytes = 64; bytes <= bytes_max; bytes *= 4) {
    const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(bytes / 4096, 1, all.on_gpu() ? 32 : 2));
    const auto call = [&](genesys::service_path where, unsigned calls) {
      for (unsigned i = 0; i < calls; ++i) {
        const long result =
            server.call(mixes, {{memory, bytes}, {memory + bytes_max, bytes}}, {.blocks = blocks, .where = where});
        if (result != 0) throw measure::failure("a request gave " + std::to_string(result));
      }
    };
    using enum genesys::service_path;
    // Rounds of the same time: the first calls of a round find the data in the other side's caches.
    const auto calls_for = [&](genesys::service_path where) {
      const double one_us = 1e6 * measure::timed([&] { call(where, 3); }).seconds / 3;
      return static_cast<unsigned>(std::clamp(round_us / one_us, 3.0, 200'000.0));
    };
    call(gpu, 3);  // the kernel is there
    const unsigned gpu_calls = calls_for(gpu), cpu_calls = calls_for(cpu), calls = std::max(gpu_calls, cpu_calls);
    // An automatic call of the other side now and then is part of the price, so a round has enough calls for some.
    call(automatic, 4 * calls + 200);
    const auto [by_gpu, by_cpu, by_choice] = bench::by_turns(
        all.quick() ? 3 : 7, [&] { call(gpu, gpu_calls); }, [&] { call(cpu, cpu_calls); },
        [&] { call(automatic, calls); });
    const numbers gpu_us = measure::each_us(by_gpu, gpu_calls), cpu_us = measure::each_us(by_cpu, cpu_calls),
                  choice_us = measure::each_us(by_choice, calls);
    // The better path is that of the medians: a least of each round's two would be better than either.
    const bool gpu_wins = measure::median(gpu_us) < measure::median(cpu_us);
    const numbers ratio = measure::ratios(choice_us, gpu_wins ? gpu_us : cpu_us);
    const auto x = static_cast<double>(bytes);
    all.keep_at("dispatch", "by the GPU", "bytes", x, "us", gpu_us);
    all.keep_at("dispatch", "by the twin, one core", "bytes", x, "us", cpu_us);
    all.keep_at("dispatch", "automatic", "bytes", x, "us", choice_us);
    all.keep("dispatch_to_better_" + text_of(bytes), "ratio", ratio);
    if (worst.empty() || measure::median(ratio) > measure::median(worst)) worst = ratio;
    if (!gpu_wins) crossover = 0;
    if (gpu_wins && crossover == 0) crossover = x;
  }
  all.keep("dispatch_to_better", "ratio", worst);
  all.keep("crossover_mix_words", "bytes", crossover);  // 0: the GPU wins at no size
}

}  // namespace

void add_dispatch(bench& all) {
  all.part("dispatch", "calls by the GPU, by the twin, and where the server sends them, by size", dispatch);
}

}  // namespace service_bench
