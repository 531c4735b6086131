// SPDX-License-Identifier: Apache-2.0
#include "syscalls.h"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>

#include "reference.h"

namespace genesys::command {
namespace {

std::string number_text(int number) { return number < 0 ? "-" : std::to_string(number); }

void print_text(std::ostream& to, const reference& r) {
  to << std::right << std::setw(4) << number_text(r.numbers[0]) << std::setw(5) << number_text(r.numbers[1]) << "  "
     << std::left << std::setw(12) << name_of(r.in_class) << std::setw(28) << r.name << " "
     << (*r.reason != 0 ? r.reason : r.text) << "\n";
}

nlohmann::ordered_json object_of(const reference& r) {
  const auto number = [](int n) { return n < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(n); };
  nlohmann::ordered_json one;
  one["name"] = r.name;
  one["call"] = r.base;
  one["x86-64"] = number(r.numbers[0]);
  one["arm64"] = number(r.numbers[1]);
  one["domain"] = r.domain;
  one["class"] = name_of(r.in_class);
  one["callable"] = r.is_callable();
  if (*r.reason != 0) one["reason"] = r.reason;
  if (*r.paper != 0) one["paper"] = r.paper;
  one["text"] = r.text;
  if (r.is_callable()) one["method"] = r.method;
  return one;
}

}  // namespace

int print_syscalls(std::ostream& to, const listing& wanted) {
  const bool as_json = wanted.format == "json";
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  if (!as_json)
    to << " x86  arm  class       call                         what it does, or what is different, or why not\n";
  for (const reference& r : all_references()) {
    if (!wanted.of_class.empty() && wanted.of_class != name_of(r.in_class)) continue;
    if (as_json)
      all.push_back(object_of(r));
    else
      print_text(to, r);
  }
  if (as_json) to << all.dump(2) << "\n";
  return 0;
}

int print_page(std::ostream& to, std::ostream& errors, const std::string& call) {
  const auto found = references_of(call);
  if (!found.empty()) {
    to << page(found);
    return 0;
  }
  errors << "genesys: Linux 6.18 has no call '" << call << "'";
  const auto like = names_like(call);
  for (std::size_t i = 0; i < like.size(); ++i) errors << (i == 0 ? "; similar names: " : ", ") << like[i];
  errors << "\n";
  return 1;
}

}  // namespace genesys::command
