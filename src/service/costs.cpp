// SPDX-License-Identifier: Apache-2.0
#include "service/costs.h"

#include <algorithm>
#include <bit>

namespace genesys::detail::services {
namespace {

constexpr std::uint32_t samples_first = 3;  // of each path, before one is preferred
constexpr float weight = 0.125f;            // of the last sample
constexpr float outlier = 4;                // a sample counts as at most so many means
// The other paths are tried when that costs at most this share of the time that was spent since. The next call of the
// better path costs as much once more: its data has left the caches.
constexpr float share_for_trials = 0.01f;
// Reading the clock and the load takes time, too. A class is settled if its best path is faster by this factor. Of the
// other classes' calls one of `measured_calls` is measured.
constexpr float settled_ratio = 8;
constexpr float tries_again = 1e30f;  // more than any time that can be spent
constexpr std::uint32_t measured_calls = 4;

std::uint32_t logarithm(std::uint64_t value, std::uint32_t classes) {
  return std::min<std::uint32_t>(value <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(value)) - 1, classes - 1);
}

}  // namespace

std::uint32_t class_of(std::uint64_t bytes, bool is_wide) {
  return (is_wide ? first_wide_class : 0) + logarithm(bytes, byte_classes);
}
std::uint32_t class_of_blocks(std::uint32_t blocks) { return first_block_class + logarithm(blocks, block_classes); }

cost_table::cost_table(std::vector<std::string> services)
    : services_(std::move(services)), classes_(std::make_unique<class_costs[]>(services_.size() * size_classes)) {}

cost_table::choice cost_table::choose(std::uint32_t code, std::uint32_t size_class, const loads& load,
                                      std::uint32_t call_number) {
  class_costs& here = at(code, size_class);
  const double load_of[paths] = {load.gpu, load.cpu, load.launch};
  // The twin is tried first: a service can make a GPU wait, but a call of a function is nothing new to the program.
  for (const path p : {path::cpu, path::gpu, path::launch}) {
    const auto i = static_cast<std::uint32_t>(p);
    if (load_of[i] != 0 && here.of[i].samples.load(std::memory_order_relaxed) < samples_first) return {p, true};
  }
  float expected[paths], best = 0, next = 0;  // next: of the path after the best one; 0: there is none
  path better = path::gpu;
  std::uint32_t possible = 0;
  for (const path p : all_paths) {
    const auto i = static_cast<std::uint32_t>(p);
    if (load_of[i] == 0) continue;
    expected[i] = here.of[i].mean_ns.load(std::memory_order_relaxed) * static_cast<float>(load_of[i]);
    if (possible++ == 0 || expected[i] < best) {
      next = best;
      best = expected[i];
      better = p;
    } else if (next == 0 || expected[i] < next) {
      next = expected[i];
    }
  }
  if (possible < 2) return {better, false};
  const bool is_settled = next > settled_ratio * best;
  here.settled.store(is_settled ? 1 + static_cast<std::uint32_t>(better) : 0, std::memory_order_relaxed);
  const float spent = (is_settled ? settled_calls : 1) * best;
  const float share = share_for_trials / static_cast<float>(possible - 1);
  for (const path p : all_paths) {
    const auto i = static_cast<std::uint32_t>(p);
    if (p == better || load_of[i] == 0) continue;
    const float since = here.spent_ns[i].load(std::memory_order_relaxed) + spent;
    const bool is_trial = since * share >= expected[i] - best;
    here.spent_ns[i].store(is_trial ? 0 : since, std::memory_order_relaxed);
    if (is_trial) return {p, true};
  }
  return {better, is_settled || call_number % measured_calls == 0};
}

// Samples that two threads add at a time may lose one of them.
void cost_table::add(std::uint32_t code, std::uint32_t size_class, path by, double ns, double load) {
  class_costs& here = at(code, size_class);
  cost& one = here.of[static_cast<std::uint32_t>(by)];
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
    float other = 0;
    for (const path p : all_paths) {
      const float mean = here.of[static_cast<std::uint32_t>(p)].mean_ns.load(std::memory_order_relaxed);
      if (p != by && mean != 0 && (other == 0 || mean < other)) other = mean;
    }
    if (before > other && sample < other)
      here.spent_ns[static_cast<std::uint32_t>(by)].store(tries_again, std::memory_order_relaxed);
  }
  one.samples.store(samples + 1, std::memory_order_relaxed);
  learnt_.store(true, std::memory_order_relaxed);
}

double cost_table::mean_ns(std::uint32_t code, std::uint32_t size_class, path by) const {
  const cost& one = at(code, size_class).of[static_cast<std::uint32_t>(by)];
  return one.samples.load(std::memory_order_relaxed) == 0 ? 0 : one.mean_ns.load(std::memory_order_relaxed);
}

void cost_table::take(const std::vector<cost_file::entry>& from, const std::string& device) {
  for (const auto& [its_device, record] : from) {
    if (its_device != device || record.size_class >= size_classes) continue;
    for (std::uint32_t code = 0; code < services_.size(); ++code) {
      if (services_[code] != record.service) continue;
      cost& one = at(code, record.size_class).of[static_cast<std::uint32_t>(record.by)];
      one.samples = static_cast<std::uint32_t>(std::min<std::uint64_t>(record.samples, 1'000'000));
      one.mean_ns = static_cast<float>(record.mean_ns);
    }
  }
}

std::vector<cost_record> cost_table::records() const {
  std::vector<cost_record> all;
  for (std::uint32_t code = 0; code < services_.size(); ++code) {
    for (std::uint32_t c = 0; c < size_classes; ++c) {
      for (const path p : all_paths) {
        const cost& one = at(code, c).of[static_cast<std::uint32_t>(p)];
        if (one.samples != 0) all.push_back({services_[code], c, p, one.samples, one.mean_ns});
      }
    }
  }
  return all;
}

}  // namespace genesys::detail::services
