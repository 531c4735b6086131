// SPDX-License-Identifier: Apache-2.0
#include "live_table.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace genesys::command {

std::vector<waiting_call> waiting_calls(const std::string& reply) {
  std::vector<waiting_call> all;
  std::istringstream lines(reply);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> words;
    std::istringstream fields(line);
    for (std::string word; std::getline(fields, word, '\t');) words.push_back(word);
    if (words.size() < 9) continue;
    const auto number = [&](std::size_t i) { return std::strtoull(words[i].c_str(), nullptr, 10); };
    waiting_call one{words[0],
                     static_cast<double>(number(1)) / 1e9,
                     static_cast<unsigned>(number(2)),
                     static_cast<unsigned>(number(3)),
                     static_cast<unsigned>(number(4)),
                     static_cast<unsigned>(number(5)),
                     words[6],
                     words[7],
                     words[8],
                     {words.begin() + 9, words.end()}};
    all.push_back(one);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.age_s > b.age_s; });
  return all;
}

std::string waiting_call::shown(std::size_t columns) const {
  const std::string rest = ") " + state + (kernel.empty() ? "" : ", " + kernel);
  const std::size_t used = name.size() + 1 + rest.size();
  const std::size_t each = columns > used && !paths.empty() ? (columns - used) / paths.size() : 0;
  std::string inside;
  for (const std::string& one : paths) {
    const std::size_t equals = one.find('=');
    const std::string fd = one.substr(0, equals);
    std::string path = equals == std::string::npos ? "" : one.substr(equals + 1);
    constexpr std::size_t least = 8;
    const std::size_t most = std::max(each > fd.size() + 4 ? each - fd.size() - 4 : 0, least);
    if (path.size() > most) path = "..." + path.substr(path.size() - (most - 3));
    inside += (inside.empty() ? "" : ", ") + fd + "<" + path + ">";
  }
  return name + "(" + inside + rest;
}

void live_table::add(const recorded_call& call, const std::string& name, const std::string& kernel) {
  const std::int64_t ns = call.linux_ns();  // negative: not known
  for (sums* of : {&call_sums_[name], &kernel_sums_[kernel]}) {
    ++of->calls;
    of->errors += call.raw.result < 0 && call.raw.result >= -4095;
    if (ns < 0) continue;
    if (std::int64_t sum; !__builtin_add_overflow(of->ns, ns, &sum)) of->ns = sum;  // a stream may be damaged
    of->longest_ns = std::max(of->longest_ns, ns);
    of->times.add(ns);
  }
  ++all_;
}

void live_table::refresh(double seconds) {
  calls_ = rows(call_sums_, seconds);
  kernels_ = rows(kernel_sums_, seconds);
  calls_s_ = 0;
  for (const row& one : calls_) calls_s_ += one.calls_s;
  call_sums_.clear();
  kernel_sums_.clear();
}

std::vector<live_table::row> live_table::rows(const std::map<std::string, sums>& of, double seconds) {
  double all_ns = 0;
  for (const auto& [name, one] : of) all_ns += static_cast<double>(one.ns);
  std::vector<row> made;
  for (const auto& [name, one] : of) {
    made.push_back({name, static_cast<double>(one.calls) / seconds, static_cast<double>(one.errors) / seconds,
                    one.times.quantile(0.5) / 1e3, one.times.quantile(0.99) / 1e3,
                    static_cast<double>(one.longest_ns) / 1e3, all_ns == 0 ? 0 : static_cast<double>(one.ns) / all_ns});
  }
  return made;
}

std::vector<live_table::row> live_table::sorted(std::vector<row> rows, order by, const std::string& filter) {
  std::erase_if(rows, [&](const row& one) { return one.name.find(filter) == std::string::npos; });
  std::stable_sort(rows.begin(), rows.end(), [by](const row& a, const row& b) {
    switch (by) {
      case order::time:
        return a.share > b.share;
      case order::calls:
        return a.calls_s > b.calls_s;
      case order::errors:
        return a.errors_s > b.errors_s;
      case order::longest:
        return a.longest_us > b.longest_us;
      case order::name:
        break;
    }
    return a.name < b.name;
  });
  return rows;
}

}  // namespace genesys::command
