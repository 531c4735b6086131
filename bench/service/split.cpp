// SPDX-License-Identifier: Apache-2.0
// Requests that want more blocks than are resident (docs/service.md): in turns on the resident ones, by a launch of
// their own, and where the server sends them. `split_to_better_*` is the time of the automatic calls over that of the
// better of the two others in the same round; split_to_better is the greatest of them.
#include "service/split.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "genesys/genesys.h"
#include "genesys/service.h"

namespace service_bench {
namespace {

using measure::bench;
using measure::numbers;

// to[i] = a hash of from[i], in memory of the device.
struct hash_words {
  struct arguments {
    const std::uint64_t* from;
    std::uint64_t* to;
    std::uint64_t words;
  };
  GENESYS_KERNEL long operator()(const genesys::service_block& here, const arguments& with) const {
    for (std::uint64_t i = here.thread(); i < with.words; i += here.threads()) {
      std::uint64_t value = with.from[i];
      for (unsigned k = 0; k < 8; ++k) {
        value ^= value >> 31;
        value *= 0x9e37'79b9'7f4a'7c15u;
      }
      with.to[i] = value;
    }
    return 1;
  }
};

std::string text_of(std::uint64_t bytes) {
  return bytes < 1024 << 10 ? std::to_string(bytes >> 10) + "k" : std::to_string(bytes >> 20) + "m";
}

struct shape {
  unsigned resident, blocks;
  std::uint64_t bytes;
};

// The time of an automatic call over that of the better way. Each shape has a server of its own, because shapes would
// share what it learns.
numbers one_shape(bench& all, std::uint64_t* memory, std::uint64_t bytes_max, const shape& of) {
  const double round_us = all.quick() ? 5'000 : 20'000;
  genesys::service_options chosen;
  chosen.device = all.runtime_options();
  chosen.idle_us = 20'000;
  chosen.blocks = of.resident;
  genesys::service_server server(genesys::service_list<hash_words>{}, chosen);
  const auto hashes = server.load(hash_words{});
  const auto call = [&](genesys::service_path where, unsigned calls) {
    for (unsigned i = 0; i < calls; ++i) {
      const long result =
          server.call(hashes, {memory, memory + bytes_max / 8, of.bytes / 8}, {.blocks = of.blocks, .where = where});
      if (result != static_cast<long>(of.blocks)) throw measure::failure("a request gave " + std::to_string(result));
    }
  };
  using enum genesys::service_path;
  call(gpu, 3);  // the kernel is there
  const double one_us = 1e6 * std::max(measure::timed([&] { call(gpu, 3); }).seconds / 3, 1e-7);
  const auto calls = static_cast<unsigned>(std::clamp(round_us / one_us, 3.0, 2000.0));
  // An automatic call of the other way now and then is part of the price, so a round has enough calls for some.
  call(automatic, 4 * calls + 50);
  const auto [by_kernel, by_launch, by_choice] = bench::by_turns(
      all.quick() ? 3 : 7, [&] { call(gpu, calls); }, [&] { call(launch, calls); }, [&] { call(automatic, calls); });
  const numbers kernel_us = measure::each_us(by_kernel, calls), launch_us = measure::each_us(by_launch, calls),
                choice_us = measure::each_us(by_choice, calls);
  const bool launch_wins = measure::median(launch_us) < measure::median(kernel_us);
  const numbers ratio = measure::ratios(choice_us, launch_wins ? launch_us : kernel_us);
  const std::string name = text_of(of.bytes) + "_" + std::to_string(of.blocks) + "_on_" + std::to_string(of.resident);
  all.keep("split_" + name + "_resident", "us", kernel_us);
  all.keep("split_" + name + "_launch", "us", launch_us);
  all.keep("split_" + name + "_automatic", "us", choice_us);
  all.keep("split_resident_to_launch_" + name, "ratio", measure::ratios(kernel_us, launch_us));
  all.keep("split_to_better_" + name, "ratio", ratio);
  return ratio;
}

void split(bench& all) {
  ::setenv("GENESYS_SERVICE_COSTS", "0", 1);  // it learns from nothing
  const std::uint64_t bytes_max = all.on_gpu() ? 64u << 20 : 1u << 18;
  auto* const memory = static_cast<std::uint64_t*>(all.runtime().allocate_device(2 * bytes_max));
  numbers worst;
  const std::vector<unsigned> resident = all.on_gpu() ? std::vector{16u, 32u} : std::vector{2u};
  const std::vector<unsigned> blocks = all.on_gpu() ? std::vector{64u, 256u, 1024u} : std::vector{8u};
  for (const unsigned r : resident) {
    for (const unsigned b : blocks) {
      for (std::uint64_t bytes = bytes_max >> 10; bytes <= bytes_max; bytes *= 32) {
        const numbers ratio = one_shape(all, memory, bytes_max, {r, b, bytes});
        if (worst.empty() || measure::median(ratio) > measure::median(worst)) worst = ratio;
      }
    }
  }
  all.runtime().free_device(memory);
  all.keep("split_to_better", "ratio", worst);
}

}  // namespace

void add_split(bench& all) {
  all.part("split", "requests that want more blocks than are resident: in turns, launched, and by choice", split);
}

}  // namespace service_bench
