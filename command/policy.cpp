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

std::vector<std::pair<const char*, std::uint64_t>> limits_of(const rules& said) {
  std::vector<std::pair<const char*, std::uint64_t>> all;
  for (const auto& [name, most] : {std::pair{"descriptors", said.descriptors_max}, std::pair{"parked", said.parked_max},
                                   std::pair{"bounce", said.bounce_bytes}, std::pair{"mapped", said.mapped_bytes_max},
                                   std::pair{"calls", said.calls_per_second}}) {
    if (most != 0) all.emplace_back(name, most);
  }
  return all;
}

void print_text(std::ostream& to, const rules& said, bool list) {
  to << said.name << ": " << said.allowed.count() << " of " << plan_count << " calls\n"
     << "descriptors: " << (said.own_descriptors ? "the kernels' own" : "any but the runtime's and the driver's");
  for (std::size_t i = 0; i < said.descriptors.size(); ++i)
    to << (i == 0 ? "; handed to them: " : " ") << said.descriptors[i];
  to << "\nfiles:       " << (said.plain_files ? "plain ones" : "any");
  for (std::size_t i = 0; i < said.paths.size(); ++i) to << (i == 0 ? ", beneath " : " or ") << said.paths[i];
  to << "\nlimits:     ";
  for (const auto& [name, most] : limits_of(said)) to << " " << name << " " << most;
  to << (limits_of(said).empty() ? " those of the runtime's options\n" : "\n");
  for (std::size_t i = 0; list && i < plan_count; ++i)
    to << (said.allowed[i] ? "allow " : "deny  ") << detail::policy_calls[i].name << "\n";
}

void print_json(std::ostream& to, const rules& said) {
  nlohmann::ordered_json all;
  all["policy"] = said.name;
  all["own_descriptors"] = said.own_descriptors;
  all["descriptors"] = said.descriptors;
  all["plain_files"] = said.plain_files;
  all["paths"] = said.paths;
  all["limits"] = nlohmann::ordered_json::object();
  for (const auto& [name, most] : limits_of(said)) all["limits"][name] = most;
  for (const char* which : {"allowed", "denied"}) all[which] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < plan_count; ++i)
    all[said.allowed[i] ? "allowed" : "denied"].push_back(detail::policy_calls[i].name);
  to << all.dump(2) << "\n";
}

}  // namespace

int print_policy(std::ostream& to, std::ostream& errors, const asked_policy& asked) {
  try {
    const rules said = detail::read_rules(asked.name, {});
    if (asked.format == "json")
      print_json(to, said);
    else
      print_text(to, said, asked.list);
    return 0;
  } catch (const error& wrong) {
    errors << wrong.what() << "\n";
    return 1;
  }
}

}  // namespace genesys::command
