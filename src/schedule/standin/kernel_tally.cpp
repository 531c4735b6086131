// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/kernel_tally.h"

#include <cxxabi.h>

#include <array>
#include <cstdlib>
#include <map>
#include <mutex>

#include "schedule/standin/kernel_registry.h"

namespace genesys::schedule::standin {
namespace {

struct tallies {
  std::mutex changing;
  std::map<std::string, kernel_tally> by_name;
};

// Never destroyed: threads of the program may launch after main() has ended.
tallies& all_tallies() {
  static tallies& only = *new tallies;
  return only;
}

// The last functions that a thread has launched, each in the place that its address chooses.
struct last_functions {
  struct place {
    CUfunction function = nullptr;
    kernel_tally* tally = nullptr;
  };
  static constexpr std::size_t places = 64, alignment = 16;  // of what the driver allocates
  std::uint64_t version = 0;                                 // of the registry
  std::array<place, places> known{};

  place& of(CUfunction function) { return known[reinterpret_cast<std::uintptr_t>(function) / alignment % places]; }
};

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // `f` would be a float
  int failed = 0;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &failed);
  std::string made = failed == 0 ? text : name;
  std::free(text);
  return made;
}

}  // namespace

kernel_tally& tally_of(const std::string& name) {
  const std::lock_guard hold(all_tallies().changing);
  return all_tallies().by_name[name];
}

kernel_tally& tally_of(CUfunction function) {
  static thread_local last_functions last;
  kernel_registry& registry = kernel_registry::only();
  if (const std::uint64_t version = registry.version(); last.version != version) {
    last.known.fill({});
    last.version = version;
  }
  last_functions::place& here = last.of(function);
  if (here.function != function) here = {function, &registry.find_or_add(function)->tally()};
  return *here.tally;
}

std::vector<processes::kernel_report> kernel_reports() {
  std::vector<processes::kernel_report> made;
  const std::lock_guard hold(all_tallies().changing);
  for (const auto& [name, of] : all_tallies().by_name) {
    constexpr auto relaxed = std::memory_order_relaxed;
    made.push_back(
        {demangled(name), {of.launches.load(relaxed), of.aborts.load(relaxed), of.wasted_ns.load(relaxed) / 1'000, 0}});
  }
  return made;
}

}  // namespace genesys::schedule::standin
