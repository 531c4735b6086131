// SPDX-License-Identifier: Apache-2.0
#include "service/costs.h"

#include <algorithm>
#include <bit>

namespace genesys::detail::services {
namespace {

constexpr std::uint32_t samples_first = 3;  // of each path, before one is preferred
constexpr float weight = 0.125f;            // of the last sample
constexpr float outlier = 4;                // a sample counts as at most so many means
// The other path is tried when it costs at most this share of the time that was spent since.
constexpr float share_for_trials = 0.03f;
// Reading the clock and the load takes time, too. A class is settled if its paths differ by this factor. Of its calls
// one of `settled_turns` looks closer, of the other classes' one of `measured_turns` is measured.
constexpr float settled_ratio = 8;
constexpr float tries_again = 1e30f;  // more than any time that can be spent
constexpr std::uint32_t settled_turns = 16, measured_turns = 4;

}  // namespace

std::uint32_t class_of(std::uint64_t bytes) {
  return std::min<std::uint32_t>(bytes <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(bytes)) - 1,
                                 size_classes - 1);
}

cost_table::cost_table(std::vector<std::string> services)
    : services_(std::move(services)), classes_(std::make_unique<class_costs[]>(services_.size() * size_classes)) {}

bool cost_table::is_settled(std::uint32_t code, std::uint64_t bytes, std::uint32_t turn, path& by) const {
  const std::uint32_t settled = at(code, bytes).settled.load(std::memory_order_relaxed);
  if (settled == 0 || turn % settled_turns == 0) return false;
  by = static_cast<path>(settled - 1);
  return true;
}

cost_table::choice cost_table::choose(std::uint32_t code, std::uint64_t bytes, double gpu_load, double cpu_load,
                                      std::uint32_t turn) {
  class_costs& here = at(code, bytes);
  const auto samples = [&](path p) { return here.of[static_cast<int>(p)].samples.load(std::memory_order_relaxed); };
  const auto expected = [&](path p, double load) {
    return here.of[static_cast<int>(p)].mean_ns.load(std::memory_order_relaxed) * static_cast<float>(load);
  };
  // The twin is tried first: a service can make a GPU wait, but a call of a function is nothing new to the program.
  if (samples(path::cpu) < samples_first) return {path::cpu, true};
  if (samples(path::gpu) < samples_first) return {path::gpu, true};
  const float gpu = expected(path::gpu, gpu_load), cpu = expected(path::cpu, cpu_load);
  const path better = gpu <= cpu ? path::gpu : path::cpu;
  const bool is_settled = std::max(gpu, cpu) > settled_ratio * std::min(gpu, cpu);
  here.settled.store(is_settled ? 1 + static_cast<std::uint32_t>(better) : 0, std::memory_order_relaxed);
  const float calls = is_settled ? settled_turns : 1;
  const float spent = here.spent_ns.load(std::memory_order_relaxed) + calls * std::min(gpu, cpu);
  if (spent * share_for_trials < std::max(gpu, cpu) - std::min(gpu, cpu)) {
    here.spent_ns.store(spent, std::memory_order_relaxed);
    return {better, is_settled || turn % measured_turns == 0};
  }
  here.spent_ns.store(0, std::memory_order_relaxed);
  return {better == path::gpu ? path::cpu : path::gpu, true};
}

// Samples that two threads add at a time may lose one of them.
void cost_table::add(std::uint32_t code, std::uint64_t bytes, path by, double ns, double load) {
  class_costs& here = at(code, bytes);
  cost& one = here.of[static_cast<int>(by)];
  const std::uint32_t samples = one.samples.load(std::memory_order_relaxed);
  const float before = one.mean_ns.load(std::memory_order_relaxed);
  float sample = static_cast<float>(ns / std::max(load, 1.0));
  // The first samples are of a cold cache or of a kernel that was away: the least of them counts.
  if (samples < samples_first) {
    one.mean_ns.store(samples == 0 ? sample : std::min(sample, before), std::memory_order_relaxed);
  } else {
    sample = std::min(sample, outlier * before);
    one.mean_ns.store(before + weight * (sample - before), std::memory_order_relaxed);
    // A trial that was faster than the path that is thought better: the next call tries again.
    const float other = here.of[1 - static_cast<int>(by)].mean_ns.load(std::memory_order_relaxed);
    if (before > other && sample < other) here.spent_ns.store(tries_again, std::memory_order_relaxed);
  }
  one.samples.store(samples + 1, std::memory_order_relaxed);
  learnt_.store(true, std::memory_order_relaxed);
}

double cost_table::mean_ns(std::uint32_t code, std::uint32_t size_class, path by) const {
  const cost& one = classes_[code * size_classes + size_class].of[static_cast<int>(by)];
  return one.samples.load(std::memory_order_relaxed) == 0 ? 0 : one.mean_ns.load(std::memory_order_relaxed);
}

void cost_table::take(const std::vector<cost_file::entry>& from, const std::string& device) {
  for (const auto& [its_device, record] : from) {
    if (its_device != device || record.size_class >= size_classes) continue;
    for (std::uint32_t code = 0; code < services_.size(); ++code) {
      if (services_[code] != record.service) continue;
      cost& one = classes_[code * size_classes + record.size_class].of[static_cast<int>(record.by)];
      one.samples = static_cast<std::uint32_t>(std::min<std::uint64_t>(record.samples, 1'000'000));
      one.mean_ns = static_cast<float>(record.mean_ns);
    }
  }
}

std::vector<cost_record> cost_table::records() const {
  std::vector<cost_record> all;
  for (std::uint32_t code = 0; code < services_.size(); ++code) {
    for (std::uint32_t c = 0; c < size_classes; ++c) {
      for (const path p : {path::gpu, path::cpu}) {
        const cost& one = classes_[code * size_classes + c].of[static_cast<int>(p)];
        if (one.samples != 0) all.push_back({services_[code], c, p, one.samples, one.mean_ns});
      }
    }
  }
  return all;
}

}  // namespace genesys::detail::services
