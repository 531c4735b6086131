// SPDX-License-Identifier: Apache-2.0
#include "services.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <thread>

#include "genesys/service_client.h"
#include "printable.h"
#include "service/costs.h"

namespace genesys::command {
namespace {

using namespace detail::services;

// Of one size class, by path: the mean times, 0: not known.
struct line {
  double ns[paths] = {};
  std::uint64_t samples[paths] = {};
  double of(path p) const { return ns[static_cast<std::uint32_t>(p)]; }
};
using lines = std::map<std::uint32_t, line>;                         // by size class
using table = std::map<std::pair<std::string, std::string>, lines>;  // by device and service

std::string size_text(std::uint64_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  unsigned unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) bytes /= 1024, ++unit;
  return std::to_string(bytes) + " " + units[unit];
}
bool is_wide(std::uint32_t size_class) { return size_class >= first_wide_class; }
// The least of the class: bytes, or blocks.
std::uint64_t least_of(std::uint32_t size_class) {
  const std::uint32_t n = size_class >= first_block_class  ? size_class - first_block_class
                          : size_class >= first_wide_class ? size_class - first_wide_class
                                                           : size_class;
  return n == 0 ? 0 : std::uint64_t{1} << n;
}
std::string class_text(std::uint32_t size_class) {
  if (size_class >= first_block_class) return std::to_string(least_of(size_class)) + " blocks";
  return size_text(least_of(size_class)) + (is_wide(size_class) ? ", wide" : "");
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
    if (is_wide(size_class) || known.of(path::gpu) <= 0 || known.of(path::cpu) <= 0) continue;
    if (known.of(path::gpu) >= known.of(path::cpu) / cores) {
      from.reset();
    } else if (!from) {
      from = least_of(size_class);
    }
  }
  return from;
}

// The path that answers, and why.
struct verdict {
  const char* goes_to;
  std::string why;
};
verdict verdict_of(std::uint32_t size_class, const line& known) {
  static constexpr const char* names[] = {"GPU", "twin", "launch"};
  path best = path::gpu;
  double next = 0;
  for (const path p : {path::launch, path::cpu}) {
    if (known.of(p) > 0 && (known.of(best) <= 0 || known.of(p) < known.of(best))) best = p;
  }
  for (const path p : all_paths) {
    if (p != best && known.of(p) > 0 && (next == 0 || known.of(p) < next)) next = known.of(p);
  }
  // A service whose bytes are not known, and a wide request of a service without a twin, never go to a twin.
  if (known.of(path::cpu) <= 0 && !is_wide(size_class)) return {"twin", "the twin is not known yet: it is tried first"};
  if (known.of(path::gpu) <= 0) return {"GPU", "the GPU is not known yet: it is tried next"};
  if (is_wide(size_class) && known.of(path::launch) <= 0)
    return {"launch", "a launch is not known yet: it is tried next"};
  char text[64];
  std::snprintf(text, sizeof text, "faster by a factor of %.2f", next / known.of(best));
  return {names[static_cast<std::uint32_t>(best)], text};
}

table read(const std::string& file) {
  table all;
  for (const auto& [device, record] : cost_file::read(file)) {
    line& one = all[{device, record.service}][record.size_class];
    one.ns[static_cast<std::uint32_t>(record.by)] = record.mean_ns;
    one.samples[static_cast<std::uint32_t>(record.by)] = record.samples;
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
      const auto at = [](path p) { return static_cast<std::uint32_t>(p); };
      nlohmann::ordered_json size = {{size_class >= first_block_class ? "blocks" : "bytes", least_of(size_class)},
                                     {"wide", is_wide(size_class)},
                                     {"gpu_ns", known.ns[at(path::gpu)]},
                                     {"gpu_samples", known.samples[at(path::gpu)]},
                                     {"launch_ns", known.ns[at(path::launch)]},
                                     {"launch_samples", known.samples[at(path::launch)]},
                                     {"twin_ns", known.ns[at(path::cpu)]},
                                     {"twin_samples", known.samples[at(path::cpu)]},
                                     {"goes_to", verdict_of(size_class, known).goes_to}};
      one["sizes"].push_back(std::move(size));
    }
    made.push_back(one);
  }
  return made;
}

int show_costs(std::ostream& to, std::ostream& errors, const asked_services& asked) {
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
    constexpr const char* layout = "  %14s %12s %12s %12s  %-6s %s\n";
    std::snprintf(text, sizeof text, layout, "size", "GPU", "launch", "twin", "side", "why");
    to << text;
    for (const auto& [size_class, known] : of) {
      const verdict is = verdict_of(size_class, known);
      std::snprintf(text, sizeof text, layout, class_text(size_class).c_str(), time_text(known.of(path::gpu)).c_str(),
                    time_text(known.of(path::launch)).c_str(), time_text(known.of(path::cpu)).c_str(), is.goes_to,
                    is.why.c_str());
      to << text;
    }
    to << "  the GPU is faster than one core " << crossover_text(of, 1) << ", and than " << cores
       << " cores that share a request evenly " << crossover_text(of, cores) << "\n";
  }
  return 0;
}

// A daemon that was not named need not be there.
int show_daemon(std::ostream& to, std::ostream& errors, const std::string& socket) {
  try {
    const std::string text = service_client::list(socket);
    to << "services of the daemon\n" << text;
  } catch (const service_client_error& caught) {
    if (socket.empty() && (caught.number() == ENOENT || caught.number() == ECONNREFUSED)) return 0;
    errors << caught.what() << "\n";
    return 1;
  }
  return 0;
}

}  // namespace

int show_services(std::ostream& to, std::ostream& errors, const asked_services& asked) {
  const int status = show_costs(to, errors, asked);
  if (status != 0 || asked.json) return status;
  return show_daemon(to, errors, asked.socket);
}

int load_service(std::ostream& errors, const asked_load& asked) {
  try {
    service_client::load({asked.words.begin(), asked.words.end() - 1}, asked.words.back(), asked.socket);
    return 0;
  } catch (const error& caught) {
    errors << caught.what() << "\n";
    return 1;
  }
}

int unload_service(std::ostream& errors, const asked_unload& asked) {
  try {
    service_client::unload(asked.name, asked.socket);
    return 0;
  } catch (const error& caught) {
    errors << caught.what() << "\n";
    return 1;
  }
}

}  // namespace genesys::command
