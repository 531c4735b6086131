// SPDX-License-Identifier: Apache-2.0
#include "machine_code.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace genesys::schedule {
namespace {

std::string tool(const char* variable, const char* usual) {
  if (const char* chosen = std::getenv(variable)) return chosen;
  return ::access(usual, X_OK) == 0 ? usual : "";
}

std::string printed(const std::string& command) {
  std::string all;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return "";
  char part[4096];
  while (const std::size_t got = std::fread(part, 1, sizeof part, pipe)) all.append(part, got);
  return pclose(pipe) == 0 ? all : "";
}

// What stands between two texts of a line; empty: one of them is not there.
std::string between(const std::string& line, const std::string& first, const std::string& last) {
  const std::size_t start = line.find(first);
  if (start == line.npos) return "";
  const std::size_t end = line.find(last, start + first.size());
  return end == line.npos ? "" : line.substr(start + first.size(), end - start - first.size());
}

// `/*0190*/   @P0 BRA `(.L_x_0) ;`
bool parse_instruction_line(const std::string& line, machine_instruction& into) {
  const std::size_t mark = line.find("/*"), behind = line.find("*/"), end = line.find(';');
  if (mark == line.npos || behind != mark + 6 || end == line.npos) return false;
  std::istringstream words(line.substr(behind + 2, end - behind - 2));
  words >> into.opcode;
  if (into.opcode[0] == '@') {
    into.guard = into.opcode;
    words >> into.opcode;
  }
  std::getline(words >> std::ws, into.rest);
  return true;
}

std::vector<machine_function> parsed(const std::string& text) {
  std::vector<machine_function> all;
  std::map<std::string, int> labels;
  const auto close = [&] {
    if (all.empty()) return;
    for (machine_instruction& each : all.back().code) {
      const auto known = labels.find(between(each.rest, "`(", ")"));
      if (known != labels.end()) each.target = known->second;
    }
    labels.clear();
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    machine_instruction one;
    const std::string name = between(line, ".text.", ":");
    if (line.rfind(".text.", 0) == 0 && !name.empty()) {
      close();
      all.push_back({name, {}});
    } else if (all.empty()) {
      continue;
    } else if (line.rfind(".L_x_", 0) == 0) {
      labels[line.substr(0, line.find(':'))] = static_cast<int>(all.back().code.size());
    } else if (parse_instruction_line(line, one)) {
      all.back().code.push_back(one);
    }
  }
  close();
  return all;
}

bool starts(const machine_instruction& one, const char* opcode) { return one.opcode.rfind(opcode, 0) == 0; }

// `B0` of BSSY, BSYNC and BREAK; -1: none.
int region_of(const machine_instruction& one) {
  if (!starts(one, "BSSY") && !starts(one, "BSYNC") && !starts(one, "BREAK")) return -1;
  const std::size_t at = one.rest.rfind('B', one.rest.find('`'));
  return at == std::string::npos ? -1 : std::atoi(one.rest.c_str() + at + 1);
}

struct edge {
  int to = 0;
  bool is_branch = false;
};

std::vector<edge> edges_of(const machine_function& in, int i) {
  const machine_instruction& one = in.code[static_cast<std::size_t>(i)];
  std::vector<edge> result;
  const bool is_branch = starts(one, "BRA");
  const bool is_certain = one.guard.empty() && one.opcode == "BRA" && one.rest.rfind('`', 0) == 0;
  const bool may_go_on = !one.guard.empty() || (is_branch && !is_certain);
  if (is_branch && one.target >= 0) result.push_back({one.target, true});
  const bool ends = is_branch || one.opcode == "EXIT" || starts(one, "RET");
  if ((!ends || may_go_on) && i + 1 < static_cast<int>(in.code.size())) result.push_back({i + 1, false});
  return result;
}

// `@!P0` of `@P0`.
std::string opposite(const std::string& guard) {
  if (guard.empty()) return "none";
  return guard[1] == '!' ? "@" + guard.substr(2) : "@!" + guard.substr(1);
}

// Which regions may be open, on all paths: a mask of them for each instruction, and those that a guarded BREAK leaves
// if the branch behind it goes where the guard holds.
class open_regions {
 public:
  explicit open_regions(const machine_function& in) : in_(in), seen_(in.code.size()) {
    if (in.code.empty()) return;
    work_.push_back({0, 0, 0, ""});
    while (!work_.empty()) {
      const state now = work_.back();
      work_.pop_back();
      constexpr std::size_t states_max = 256;  // at one place
      auto& seen = seen_[static_cast<std::size_t>(now.at)];
      if (seen.size() < states_max && seen.insert({now.open, now.left}).second) step(now);
    }
  }
  unsigned at(std::size_t i) const {
    unsigned all = 0;
    for (const auto& each : seen_[i]) all |= each.first;
    return all;
  }

 private:
  struct state {
    int at;
    unsigned open, left;  // left: if the guard holds
    std::string guard;
  };

  void step(state now) {
    const machine_instruction& one = in_.code[static_cast<std::size_t>(now.at)];
    const int region = region_of(one);
    const unsigned bit = region >= 0 ? 1U << region : 0;
    if (starts(one, "BSSY")) now.open |= bit;
    if (starts(one, "BSYNC")) now.open &= ~bit;
    if (starts(one, "BREAK") && one.guard.empty()) now.open &= ~bit;
    if (starts(one, "BREAK") && !one.guard.empty()) {
      if (now.guard != one.guard) now.left = 0;
      now.left |= bit;
      now.guard = one.guard;
    }
    for (const edge& each : edges_of(in_, now.at)) {
      state next = now;
      next.at = each.to;
      if (starts(one, "BRA") && now.guard == (each.is_branch ? one.guard : opposite(one.guard))) next.open &= ~now.left;
      if (starts(one, "BRA")) next.left = 0, next.guard.clear();
      work_.push_back(next);
    }
  }

  const machine_function& in_;
  std::vector<std::set<std::pair<unsigned, unsigned>>> seen_;
  std::vector<state> work_;
};

// The regions whose end can be reached from here.
unsigned ends_from(const machine_function& in, int start) {
  std::vector<char> seen(in.code.size(), 0);
  std::vector<int> open{start};
  unsigned ends = 0;
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    for (const edge& each : edges_of(in, at)) {
      if (seen[static_cast<std::size_t>(each.to)]) continue;
      seen[static_cast<std::size_t>(each.to)] = 1;
      open.push_back(each.to);
      const machine_instruction& one = in.code[static_cast<std::size_t>(each.to)];
      if (starts(one, "BSYNC") && region_of(one) >= 0) ends |= 1U << region_of(one);
    }
  }
  return ends;
}

}  // namespace

std::string ptxas_path() { return tool("GENESYS_PTXAS", "/usr/local/cuda/bin/ptxas"); }
std::string nvdisasm_path() { return tool("GENESYS_NVDISASM", "/usr/local/cuda/bin/nvdisasm"); }

std::vector<machine_function> machine_code(const std::string& ptx) {
  namespace fs = std::filesystem;
  const std::string stem = (fs::temp_directory_path() / ("genesys-code-" + std::to_string(getpid()))).string();
  std::ofstream(stem + ".ptx", std::ios::binary) << ptx;
  const std::string text = printed("'" + ptxas_path() + "' -arch=sm_90 -O3 '" + stem + ".ptx' -o '" + stem +
                                   ".cubin' && '" + nvdisasm_path() + "' -c '" + stem + ".cubin'");
  fs::remove(stem + ".ptx");
  fs::remove(stem + ".cubin");
  return parsed(text);
}

std::vector<std::string> stuck_lanes(const machine_function& one) {
  const open_regions regions(one);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < one.code.size(); ++i) {
    if (!starts(one.code[i], "BAR.")) continue;
    const unsigned stuck = regions.at(i) & ~ends_from(one, static_cast<int>(i));
    if (stuck != 0) result.push_back(one.name + ", instruction " + std::to_string(i) + ": " + one.code[i].opcode);
  }
  return result;
}

std::string float_operations(const machine_function& one) {
  std::set<std::string> found;
  for (const machine_instruction& each : one.code) {
    const bool is_copy = each.rest.find("RZ") != std::string::npos;  // FADD with -RZ changes a sign
    for (const char* opcode : {"FADD", "FMUL", "FFMA", "DADD", "DMUL", "DFMA"}) {
      if (!is_copy && starts(each, opcode)) found.insert(opcode);
    }
  }
  std::string all;
  for (const std::string& each : found) all += each + " ";
  return all;
}

}  // namespace genesys::schedule
