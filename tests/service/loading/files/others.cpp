// SPDX-License-Identifier: Apache-2.0
// Services that these tests load from one file: one that wants many registers and much shared memory, one that waits,
// and one that was compiled for another version of genesys.
#include "genesys/loadable_service.h"

namespace service_loading {

// A sum of products of 10 x 10 words, each of which a thread holds at a time. Thread 0 returns it.
struct wide {
  struct arguments {
    std::uint64_t seed;
  };
  static constexpr unsigned count = 10;
  struct table {
    std::uint64_t words[512];
  };

  static constexpr std::uint64_t word(std::uint64_t seed, unsigned i) { return seed * (i + 1) ^ seed >> (i % 7); }
  static long sum_of(std::uint64_t seed) {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < count; ++i)
      for (unsigned j = 0; j < count; ++j) sum += word(seed, i) * word(seed, j) % 1021;
    return static_cast<long>(sum);
  }
  template <unsigned i = 0>
  GENESYS_KERNEL static void fill(std::uint64_t (&words)[count], const std::uint64_t* from) {
    words[i] = from[i];
    if constexpr (i + 1 < count) fill<i + 1>(words, from);
  }
  template <unsigned i = 0>
  GENESYS_KERNEL static std::uint64_t products(const std::uint64_t (&words)[count]) {
    std::uint64_t sum = row<i, 0>(words);
    if constexpr (i + 1 < count) sum += products<i + 1>(words);
    return sum;
  }
  template <unsigned i, unsigned j>
  GENESYS_KERNEL static std::uint64_t row(const std::uint64_t (&words)[count]) {
    std::uint64_t sum = words[i] * words[j] % 1021;
    if constexpr (j + 1 < count) sum += row<i, j + 1>(words);
    return sum;
  }
  GENESYS_KERNEL long operator()(const genesys::service_block&, const arguments& with) const {
    auto& all = genesys::shared<table, wide>();
    for (unsigned i = genesys::thread_rank(); i < count; i += genesys::threads_in_block())
      all.words[i] = with.seed * (i + 1) ^ with.seed >> (i % 7);
    genesys::sync_block();
    std::uint64_t words[count];
    fill(words, all.words);
    const std::uint64_t sum = products(words);
    genesys::sync_block();
    return static_cast<long>(sum);
  }
  long on_cpu(const arguments& with, unsigned) const { return sum_of(with.seed); }
};

struct wait_for {
  struct arguments {
    std::uint32_t* word;
  };
  GENESYS_KERNEL long operator()(const genesys::service_block&, const arguments& with) const {
    std::uint32_t seen = 0;
    genesys::atomic<std::uint32_t, genesys::thread_scope::system> word(*with.word);
    while ((seen = word.load()) == 0) genesys::pause();
    return seen;
  }
};

consteval genesys::detail::services::loadable_description old_description() {
  auto made = genesys::detail::services::describe_loadable<wait_for>();
  --made.version;
  return made;
}

}  // namespace service_loading

GENESYS_LOADABLE_SERVICE(wide, service_loading::wide)
GENESYS_LOADABLE_SERVICE(waits, service_loading::wait_for)

#define describe_loadable old_description_of
namespace genesys::detail::services {
template <class S>
consteval loadable_description old_description_of() {
  return service_loading::old_description();
}
}  // namespace genesys::detail::services
GENESYS_LOADABLE_SERVICE(too_old, service_loading::wait_for)
