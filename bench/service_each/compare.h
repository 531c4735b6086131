// SPDX-License-Identifier: Apache-2.0
// A service beside a core and all cores, by size: from memory of the server, and from pageable memory that is copied
// first. The bench's main thread calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "genesys/service.h"
#include "support/measure.h"
#include "support/native_threads.h"

namespace service_bench {

// A service with its input in memory of the server, `bytes` long. Both functions work on `count` bytes of it from byte
// `at` on; these are multiples of `unit`.
struct subject {
  std::string name;
  std::size_t unit;
  std::uint8_t* input;
  // `from`: the input, or a copy of it.
  std::function<genesys::service_ticket(const std::uint8_t* from, std::size_t at, std::size_t count)> submit;
  std::function<void(std::size_t at, std::size_t count)> on_core;
  // The part of the output that belongs to the part of the input, if a caller with pageable memory copies it back.
  std::function<std::pair<const std::uint8_t*, std::size_t>(std::size_t at, std::size_t count)> output;
};

constexpr std::size_t size_min = 64u << 10, slice_bytes = 4u << 20;

inline void must_succeed(long result) {
  if (result < 0) throw measure::failure("a request gave " + std::to_string(result));
}

// By several threads, each with a part of whole units.
inline void on_all_cores(baseline::native_threads& cores, const subject& of, std::size_t bytes) {
  const std::size_t units = bytes / of.unit, each = (units + cores.count() - 1) / cores.count();
  cores([&](unsigned rank) {
    const std::size_t first = std::min(units, each * rank), end = std::min(units, first + each);
    if (first != end) of.on_core(first * of.unit, (end - first) * of.unit);
    return true;
  });
}

// Copies slices and submits them, so that the copy of one overlaps the others' requests.
inline void from_pageable(const subject& of, const std::uint8_t* from, std::vector<std::uint8_t>& to,
                          std::size_t bytes) {
  std::vector<std::pair<std::size_t, genesys::service_ticket>> tickets;
  for (std::size_t at = 0; at < bytes; at += slice_bytes) {
    const std::size_t count = std::min(slice_bytes, bytes - at);
    std::memcpy(of.input + at, from + at, count);
    tickets.emplace_back(at, of.submit(of.input, at, count));
  }
  for (auto& [at, ticket] : tickets) {
    must_succeed(ticket.wait());
    if (!of.output) continue;
    const auto [output, count] = of.output(at, std::min(slice_bytes, bytes - at));
    if (to.size() < count) to.resize(count);
    std::memcpy(to.data(), output, count);
  }
}

// Keeps NAME_device: the rate with the input in device memory, so without the link.
inline void from_device(measure::bench& all, const subject& of, std::size_t bytes, unsigned rounds) {
  auto* const copy = static_cast<std::uint8_t*>(all.runtime().allocate_device(bytes));
  all.runtime().copy_to_device(copy, of.input, bytes);
  const auto [times] = measure::bench::by_turns(rounds, [&] { must_succeed(of.submit(copy, 0, bytes).wait()); });
  all.keep(of.name + "_device", "GB/s", measure::gigabytes_per_second(times, static_cast<double>(bytes)));
  all.runtime().free_device(copy);
}

// Keeps NAME_to_core, NAME_to_all_cores (from memory of the server, at the size where that is fastest), the same from
// pageable memory, the rates there, and the smallest sizes from which on the service is faster. 0: at none.
inline void compare(measure::bench& all, const subject& of, std::size_t size_max) {
  const unsigned rounds = all.quick() ? 1 : 5;
  baseline::native_threads cores(std::max(1u, std::thread::hardware_concurrency()));
  const std::vector<std::uint8_t> pageable(of.input, of.input + size_max);
  std::vector<std::uint8_t> back;
  struct rates {
    std::size_t bytes;
    measure::numbers pool, pageable, core, cores;
  };
  std::vector<rates> sizes;
  for (std::size_t bytes = size_min; bytes <= size_max; bytes *= 2) {
    const auto calls = static_cast<unsigned>(std::max<std::size_t>(1, (all.on_gpu() ? 8u << 20 : size_min) / bytes));
    const auto repeated = [&](const auto& one) {
      return [&one, calls] {
        for (unsigned i = 0; i < calls; ++i) one();
      };
    };
    const auto pool = [&] { must_succeed(of.submit(of.input, 0, bytes).wait()); };
    const auto copied = [&] { from_pageable(of, pageable.data(), back, bytes); };
    const auto core = [&] { of.on_core(0, bytes); };
    const auto many = [&] { on_all_cores(cores, of, bytes); };
    const auto [a, b, c, d] =
        measure::bench::by_turns(rounds, repeated(pool), repeated(copied), repeated(core), repeated(many));
    const double total = static_cast<double>(bytes) * calls;
    sizes.push_back({bytes, measure::gigabytes_per_second(a, total), measure::gigabytes_per_second(b, total),
                     measure::gigabytes_per_second(c, total), measure::gigabytes_per_second(d, total)});
    const double kib = static_cast<double>(bytes) / 1024;
    all.keep_at(of.name, "pool", "KiB", kib, "GB/s", sizes.back().pool);
    all.keep_at(of.name, "pageable", "KiB", kib, "GB/s", sizes.back().pageable);
    all.keep_at(of.name, "one core", "KiB", kib, "GB/s", sizes.back().core);
    all.keep_at(of.name, "all cores", "KiB", kib, "GB/s", sizes.back().cores);
  }
  from_device(all, of, size_max, rounds);
  const auto best = [&](measure::numbers rates::*which) -> const rates& {
    return *std::max_element(sizes.begin(), sizes.end(), [&](const rates& a, const rates& b) {
      return measure::median(a.*which) < measure::median(b.*which);
    });
  };
  const rates &pool = best(&rates::pool), &copied = best(&rates::pageable);
  all.keep(of.name + "_pool", "GB/s", pool.pool);
  all.keep(of.name + "_pageable", "GB/s", copied.pageable);
  all.keep(of.name + "_core", "GB/s", pool.core);
  all.keep(of.name + "_all_cores", "GB/s", pool.cores);
  all.keep(of.name + "_to_core", "ratio", measure::ratios(pool.pool, pool.core));
  all.keep(of.name + "_to_all_cores", "ratio", measure::ratios(pool.pool, pool.cores));
  all.keep(of.name + "_pageable_to_core", "ratio", measure::ratios(copied.pageable, copied.core));
  all.keep(of.name + "_pageable_to_all_cores", "ratio", measure::ratios(copied.pageable, copied.cores));
  const auto crossover = [&](measure::numbers rates::*which, measure::numbers rates::*against) {
    double smallest = 0;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
      if (measure::median((*size).*which) <= measure::median((*size).*against)) break;
      smallest = static_cast<double>(size->bytes) / 1024;
    }
    return smallest;
  };
  all.keep("crossover_" + of.name + "_core", "KiB", crossover(&rates::pool, &rates::core));
  all.keep("crossover_" + of.name + "_all_cores", "KiB", crossover(&rates::pool, &rates::cores));
  all.keep("crossover_" + of.name + "_pageable_core", "KiB", crossover(&rates::pageable, &rates::core));
}

}  // namespace service_bench
