// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/kernel_tally.h"

#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <mutex>

namespace genesys::schedule::standin {
namespace {

struct tallies {
  std::mutex changing;
  std::map<std::string, kernel_tally> by_name;
};

// Never destroyed: threads of the program may launch after main() has ended.
tallies& all() {
  static tallies& only = *new tallies;
  return only;
}

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
  const std::lock_guard hold(all().changing);
  return all().by_name[name];
}

std::vector<processes::kernel_report> kernel_reports() {
  std::vector<processes::kernel_report> made;
  const std::lock_guard hold(all().changing);
  for (const auto& [name, of] : all().by_name) {
    constexpr auto relaxed = std::memory_order_relaxed;
    made.push_back(
        {demangled(name), {of.launches.load(relaxed), of.aborts.load(relaxed), of.wasted_ns.load(relaxed) / 1'000, 0}});
  }
  return made;
}

}  // namespace genesys::schedule::standin
