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

std::vector<std::pair<const char*, std::uint64_t>> limits_of(const rules& returned) {
  std::vector<std::pair<const char*, std::uint64_t>> all;
  for (const auto& [name, most] :
       {std::pair{"descriptors", returned.descriptors_max}, std::pair{"parked", returned.parked_max},
        std::pair{"bounce", returned.bounce_bytes}, std::pair{"mapped", returned.mapped_bytes_max},
        std::pair{"calls", returned.calls_per_second}}) {
    if (most != 0) all.emplace_back(name, most);
  }
  return all;
}

void print_text(std::ostream& to, const rules& returned, bool list) {
  to << returned.name << ": " << returned.allowed.count() << " of " << plan_count << " calls\n"
     << "descriptors: " << (returned.own_descriptors ? "the kernels' own" : "any but the runtime's and the driver's");
  for (std::size_t i = 0; i < returned.descriptors.size(); ++i)
    to << (i == 0 ? "; handed to them: " : " ") << returned.descriptors[i];
  to << "\nfiles:       " << (returned.plain_files ? "plain ones" : "any");
  for (std::size_t i = 0; i < returned.paths.size(); ++i) to << (i == 0 ? ", beneath " : " or ") << returned.paths[i];
  to << "\nlimits:     ";
  for (const auto& [name, most] : limits_of(returned)) to << " " << name << " " << most;
  to << (limits_of(returned).empty() ? " those of the runtime's options\n" : "\n");
  for (std::size_t i = 0; list && i < plan_count; ++i)
    to << (returned.allowed[i] ? "allow " : "deny  ") << detail::policy_calls[i].name << "\n";
}

void print_json(std::ostream& to, const rules& returned) {
  nlohmann::ordered_json all;
  all["policy"] = returned.name;
  all["own_descriptors"] = returned.own_descriptors;
  all["descriptors"] = returned.descriptors;
  all["plain_files"] = returned.plain_files;
  all["paths"] = returned.paths;
  all["limits"] = nlohmann::ordered_json::object();
  for (const auto& [name, most] : limits_of(returned)) all["limits"][name] = most;
  for (const char* which : {"allowed", "denied"}) all[which] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < plan_count; ++i)
    all[returned.allowed[i] ? "allowed" : "denied"].push_back(detail::policy_calls[i].name);
  to << all.dump(2) << "\n";
}

}  // namespace

int print_policy(std::ostream& to, std::ostream& errors, const asked_policy& asked) {
  try {
    const rules returned = detail::read_rules(asked.name, {});
    if (asked.format == "json")
      print_json(to, returned);
    else
      print_text(to, returned, asked.list);
    return 0;
  } catch (const error& wrong) {
    errors << wrong.what() << "\n";
    return 1;
  }
}

}  // namespace genesys::command
