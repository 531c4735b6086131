// SPDX-License-Identifier: Apache-2.0
#include "policy/rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "genesys/error.h"
#include "policy/generated/calls.h"

namespace genesys::detail {
namespace {

using words = std::vector<std::string>;

struct place {
  std::string of;  // a file, or another source of rules
  unsigned line = 0;
};

[[noreturn]] void fail(const place& at, const std::string& what) {
  throw error(error_code::bad_option, at.of + ":" + std::to_string(at.line) + ": " + what);
}

template <class Names>
std::string listed(const Names& names) {
  std::string all;
  for (auto name = std::begin(names); name != std::end(names); ++name) {
    if (name != std::begin(names)) all += std::next(name) == std::end(names) ? " or " : ", ";
    all += *name;
  }
  return all;
}

// `fcntl`, or one variant of it, `fcntl$F_GETFL`.
bool is_named(const policy_call& call, std::string_view name) {
  const std::string_view own = call.name;
  return own == name || (own.size() > name.size() && own.starts_with(name) && own[name.size()] == '$');
}

template <class Fits>
bool set_where(rules& all, bool allow, Fits fits) {
  bool any = false;
  for (std::size_t i = 0; i < plan_count; ++i) {
    if (!fits(policy_calls[i])) continue;
    all.allowed[i] = allow;
    any = true;
  }
  return any;
}

bool set_profile(rules& all, std::string_view name) {
  if (name != "all" && name != "io" && name != "strict" && name != "none") return false;
  const bool everything = name == "all";
  set_where(all, true, [](const policy_call&) { return true; });
  if (!everything) set_where(all, false, [&](const policy_call& call) { return name == "none" || !call.io; });
  all.own_descriptors = all.plain_files = !everything;
  all.strict_rings = name == "strict";
  return true;
}

std::uint64_t number(const place& at, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const unsigned shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  if (wrong != std::errc() || (!unit.empty() && shift == 0) || value > ~std::uint64_t{0} >> shift)
    fail(at, "'" + std::string(text) + "' is no number; expected one like 100, 64K, 64M or 1G");
  return value << shift;
}

void read_limit(const place& at, const words& tokens, rules& into) {
  struct limit {
    const char* name;
    std::uint64_t rules::*value;
  };
  constexpr std::array limits = {limit{"descriptors", &rules::descriptors_max}, limit{"parked", &rules::parked_max},
                                 limit{"bounce", &rules::bounce_bytes}, limit{"mapped", &rules::mapped_bytes_max},
                                 limit{"calls", &rules::calls_per_second}};
  std::vector<std::string> names;
  for (const limit& one : limits) names.emplace_back(one.name);
  if (tokens.size() != 3) fail(at, "expected: limit " + listed(names) + ", and a number");
  const auto found =
      std::find_if(limits.begin(), limits.end(), [&](const limit& one) { return tokens[1] == one.name; });
  if (found == limits.end()) fail(at, "there is no limit of '" + tokens[1] + "'; expected " + listed(names));
  into.*found->value = number(at, tokens[2]);
  if (into.*found->value == 0) fail(at, "a limit of 0 would leave nothing; expected 1 or more");
}

void read_paths(const place& at, const words& tokens, std::vector<std::string>& into) {
  for (std::size_t i = 2; i < tokens.size(); ++i) {
    if (tokens[i][0] != '/') fail(at, "'" + tokens[i] + "' is a relative path; expected one that begins with '/'");
    into.push_back(tokens[i]);
  }
}

void read_decision(const place& at, const words& tokens, rules& into) {
  const bool allow = tokens[0] == "allow";
  const std::string what = tokens.size() < 2 ? "" : tokens[1];
  if (tokens.size() < 3)
    fail(at,
         "expected: " + tokens[0] + " call, class" + (allow ? ", path, program or descriptor" : "") + ", and which");
  if (what == "call") {
    for (std::size_t i = 2; i < tokens.size(); ++i) {
      if (!set_where(into, allow, [&](const policy_call& call) { return is_named(call, tokens[i]); }))
        fail(at, "kernels cannot make a call '" + tokens[i] + "'; expected one that 'genesys syscalls' lists");
    }
  } else if (what == "class") {
    for (std::size_t i = 2; i < tokens.size(); ++i) {
      if (!set_where(into, allow, [&](const policy_call& call) { return tokens[i] == call.domain; }))
        fail(at, "there is no class '" + tokens[i] + "'; expected " + listed(policy_domains));
    }
  } else if (!allow && (what == "path" || what == "program" || what == "descriptor")) {
    fail(at, "a " + what + " cannot be denied; what is not allowed is denied as soon as one is allowed");
  } else if (what == "path") {
    read_paths(at, tokens, into.paths);
  } else if (what == "program") {
    read_paths(at, tokens, into.programs);
    into.allowed[static_cast<std::size_t>(plan_id::execve_GENESYS_SPAWN)] = true;
  } else if (what == "descriptor") {
    for (std::size_t i = 2; i < tokens.size(); ++i) {
      const std::uint64_t fd = number(at, tokens[i]);
      if (fd > 65535) fail(at, "descriptor " + tokens[i] + " is too large; expected at most 65535");
      into.descriptors.push_back(static_cast<int>(fd));
    }
  } else {
    fail(at, "'" + what + "' can be neither allowed nor denied; expected call, class, path, program or descriptor");
  }
}

void read_rule(const place& at, const words& tokens, rules& into) {
  const auto one_of = [&](const char* no, const char* yes) {
    if (tokens.size() != 2 || (tokens[1] != no && tokens[1] != yes))
      fail(at, "expected: " + tokens[0] + " " + no + ", or " + tokens[0] + " " + yes);
    return tokens[1] == yes;
  };
  if (tokens[0] == "profile") {
    if (tokens.size() != 2 || !set_profile(into, tokens[1])) fail(at, "expected: profile all, io, strict or none");
  } else if (tokens[0] == "allow" || tokens[0] == "deny") {
    read_decision(at, tokens, into);
  } else if (tokens[0] == "descriptors") {
    into.own_descriptors = one_of("any", "own");
  } else if (tokens[0] == "files") {
    into.plain_files = one_of("any", "plain");
  } else if (tokens[0] == "limit") {
    read_limit(at, tokens, into);
  } else {
    fail(at, "there is no rule '" + tokens[0] + "'; expected profile, allow, deny, descriptors, files or limit");
  }
}

// Returns how many rules there are.
std::size_t read_text(const std::string& from, std::istream& text, rules& into) {
  place at{from};
  std::size_t count = 0;
  for (std::string line; std::getline(text, line);) {
    ++at.line;
    line.resize(std::min(line.size(), line.find('#')));
    std::istringstream parts(line);
    const words tokens{std::istream_iterator<std::string>(parts), {}};
    if (tokens.empty()) continue;
    read_rule(at, tokens, into);
    ++count;
  }
  return count;
}

}  // namespace

rules read_rules(const std::string& policy, std::string_view more) {
  rules all;
  const char* of_environment = std::getenv("GENESYS_POLICY");
  const std::string asked = !policy.empty() ? policy : of_environment != nullptr ? of_environment : "";
  if (!asked.empty()) all.name = asked;
  if (!set_profile(all, all.name)) {
    std::ifstream file(asked);
    if (!file)
      throw error(error_code::bad_option, "policy '" + asked +
                                              "' is no file that can be read, and no profile; expected "
                                              "all, io, strict, none, or a file with rules");
    // Without its rules a policy would allow everything.
    const std::size_t count = read_text(asked, file, all);
    if (file.bad()) throw error(error_code::bad_option, "policy '" + asked + "' cannot be read to its end");
    if (count == 0) throw error(error_code::bad_option, "policy '" + asked + "' has no rule; 'profile all' allows all");
  }
  if (!more.empty()) {
    std::istringstream text{std::string(more)};
    (void)read_text("options::policy_rules", text, all);
    all.name += " with rules of the program's";
  }
  return all;
}

}  // namespace genesys::detail
