// SPDX-License-Identifier: Apache-2.0
#include "policy.h"

#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>
#include <vector>

#include "genesys/error.h"
#include "policy/generated/calls.h"
#include "policy/rules.h"

namespace genesys::command {
namespace {

using detail::plan_count;
using detail::rules;

std::vector<std::pair<const char*, std::uint64_t>> limits_of(const rules& chosen) {
  std::vector<std::pair<const char*, std::uint64_t>> all;
  for (const auto& [name, most] :
       {std::pair{"descriptors", chosen.descriptors_max}, std::pair{"parked", chosen.parked_max},
        std::pair{"bounce", chosen.bounce_bytes}, std::pair{"mapped", chosen.mapped_bytes_max},
        std::pair{"calls", chosen.calls_per_second}}) {
    if (most != 0) all.emplace_back(name, most);
  }
  return all;
}

void print_text(std::ostream& to, const rules& chosen, bool list) {
  to << chosen.name << ": " << chosen.allowed.count() << " of " << plan_count << " calls\n"
     << "descriptors: " << (chosen.own_descriptors ? "the kernels' own" : "any but the runtime's and the driver's");
  for (std::size_t i = 0; i < chosen.descriptors.size(); ++i)
    to << (i == 0 ? "; granted to them: " : " ") << chosen.descriptors[i];
  to << "\nfiles:       " << (chosen.plain_files ? "plain ones" : "any");
  for (std::size_t i = 0; i < chosen.paths.size(); ++i) to << (i == 0 ? ", beneath " : " or ") << chosen.paths[i];
  to << "\nprograms:    " << (!chosen.deny_anything() ? "any" : chosen.programs.empty() ? "none" : "unconfined ones:");
  if (chosen.deny_anything()) {
    for (const std::string& program : chosen.programs) to << " " << program;
  }
  to << "\nlimits:     ";
  for (const auto& [name, most] : limits_of(chosen)) to << " " << name << " " << most;
  to << (limits_of(chosen).empty() ? " those of the runtime's options\n" : "\n");
  for (std::size_t i = 0; list && i < plan_count; ++i)
    to << (chosen.allowed[i] ? "allow " : "deny  ") << detail::policy_calls[i].name << "\n";
}

void print_json(std::ostream& to, const rules& chosen) {
  nlohmann::ordered_json all;
  all["policy"] = chosen.name;
  all["own_descriptors"] = chosen.own_descriptors;
  all["descriptors"] = chosen.descriptors;
  all["plain_files"] = chosen.plain_files;
  all["paths"] = chosen.paths;
  all["programs"] = chosen.programs;
  all["limits"] = nlohmann::ordered_json::object();
  for (const auto& [name, most] : limits_of(chosen)) all["limits"][name] = most;
  for (const char* which : {"allowed", "denied"}) all[which] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < plan_count; ++i)
    all[chosen.allowed[i] ? "allowed" : "denied"].push_back(detail::policy_calls[i].name);
  to << all.dump(2) << "\n";
}

}  // namespace

int print_policy(std::ostream& to, std::ostream& errors, const asked_policy& asked) {
  try {
    const rules chosen = detail::read_rules(asked.name, {});
    if (asked.format == "json")
      print_json(to, chosen);
    else
      print_text(to, chosen, asked.list);
    return 0;
  } catch (const error& wrong) {
    errors << wrong.what() << "\n";
    return 1;
  }
}

}  // namespace genesys::command
