// SPDX-License-Identifier: Apache-2.0
#include "services.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <thread>

#include "printable.h"
#include "service/costs.h"

namespace genesys::command {
namespace {

using detail::services::cost_file;
using detail::services::path;

// Of one size class: the mean times, 0: not known.
struct line {
  double gpu_ns = 0, cpu_ns = 0;
  std::uint64_t gpu_samples = 0, cpu_samples = 0;
};
using lines = std::map<std::uint32_t, line>;                         // by size class
using table = std::map<std::pair<std::string, std::string>, lines>;  // by device and service

std::string size_text(std::uint64_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  unsigned unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) bytes /= 1024, ++unit;
  return std::to_string(bytes) + " " + units[unit];
}
std::string time_text(double ns) {
  char text[32];
  if (ns <= 0) return "-";
  std::snprintf(text, sizeof text, ns < 1e6 ? "%.2f us" : "%.0f us", ns / 1e3);
  return text;
}

// The smallest size from which on the GPU is faster at all known sizes than `cores` twins that share the work.
std::optional<std::uint64_t> crossover(const lines& of, double cores) {
  std::optional<std::uint64_t> from;
  for (const auto& [size_class, known] : of) {
    if (known.gpu_ns <= 0 || known.cpu_ns <= 0) continue;
    if (known.gpu_ns >= known.cpu_ns / cores) {
      from.reset();
    } else if (!from) {
      from = size_class == 0 ? 0 : std::uint64_t{1} << size_class;
    }
  }
  return from;
}

std::string why(const line& known) {
  if (known.cpu_ns <= 0) return "the twin is not known yet: it is tried first";
  if (known.gpu_ns <= 0) return "the GPU is not known yet: it is tried next";
  char text[64];
  const double ratio = std::max(known.gpu_ns, known.cpu_ns) / std::min(known.gpu_ns, known.cpu_ns);
  std::snprintf(text, sizeof text, "faster by a factor of %.2f", ratio);
  return text;
}

const char* goes_to(const line& known) {
  if (known.cpu_ns <= 0) return "twin";
  return known.gpu_ns <= 0 || known.gpu_ns <= known.cpu_ns ? "GPU" : "twin";
}

table read(const std::string& file) {
  table all;
  for (const auto& [device, record] : cost_file::read(file)) {
    line& one = all[{device, record.service}][record.size_class];
    (record.by == path::gpu ? one.gpu_ns : one.cpu_ns) = record.mean_ns;
    (record.by == path::gpu ? one.gpu_samples : one.cpu_samples) = record.samples;
  }
  return all;
}

std::string crossover_text(const lines& of, unsigned cores) {
  const auto from = crossover(of, cores);
  return from ? "from " + size_text(*from) + " on" : "at no size that is known";
}

nlohmann::ordered_json json_of(const table& all, unsigned cores) {
  nlohmann::ordered_json made = nlohmann::ordered_json::array();
  for (const auto& [key, of] : all) {
    nlohmann::ordered_json one = {{"device", key.first}, {"service", key.second}};
    for (const unsigned against : {1u, cores}) {
      const auto from = crossover(of, against);
      one[against == 1 ? "crossover_one_core_bytes" : "crossover_all_cores_bytes"] =
          from ? nlohmann::ordered_json(*from) : nlohmann::ordered_json(nullptr);
    }
    for (const auto& [size_class, known] : of) {
      one["sizes"].push_back({{"bytes", size_class == 0 ? 0 : std::uint64_t{1} << size_class},
                              {"gpu_ns", known.gpu_ns},
                              {"gpu_samples", known.gpu_samples},
                              {"twin_ns", known.cpu_ns},
                              {"twin_samples", known.cpu_samples},
                              {"goes_to", goes_to(known)}});
    }
    made.push_back(one);
  }
  return made;
}

}  // namespace

int show_services(std::ostream& to, std::ostream& errors, const asked_services& asked) {
  const std::string file = asked.file.empty() ? cost_file::path_of_process() : asked.file;
  if (file.empty()) {
    errors << "genesys: costs of services are not kept: GENESYS_SERVICE_COSTS is 0, or there is no home folder\n";
    return 1;
  }
  const table all = read(file);
  const unsigned cores = asked.cores != 0 ? asked.cores : std::max(1u, std::thread::hardware_concurrency());
  if (asked.json) {
    to << json_of(all, cores).dump(2) << "\n";
    return 0;
  }
  if (all.empty()) {
    to << printable(file)
       << ": nothing is known yet. A server learns from calls whose service_call::where is automatic\n";
    return 0;
  }
  for (const auto& [key, of] : all) {
    to << printable(key.second) << " on " << printable(key.first) << "\n";
    char text[160];
    std::snprintf(text, sizeof text, "  %10s %14s %14s  %-5s %s\n", "size", "GPU", "twin", "side", "why");
    to << text;
    for (const auto& [size_class, known] : of) {
      std::snprintf(text, sizeof text, "  %10s %14s %14s  %-5s %s\n",
                    size_text(size_class == 0 ? 0 : std::uint64_t{1} << size_class).c_str(),
                    time_text(known.gpu_ns).c_str(), time_text(known.cpu_ns).c_str(), goes_to(known),
                    why(known).c_str());
      to << text;
    }
    to << "  the GPU is faster than one core " << crossover_text(of, 1) << ", and than " << cores
       << " cores that share a request evenly " << crossover_text(of, cores) << "\n";
  }
  return 0;
}

}  // namespace genesys::command
