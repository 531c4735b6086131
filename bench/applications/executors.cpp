// SPDX-License-Identifier: Apache-2.0
// The applications' kernels by executor: who makes their calls.
#include "applications/programs.h"
#include "support/child_program.h"

namespace applications {
namespace {

const char* const executors[] = {"threads", "uring", "direct"};  // the first one is the default

std::vector<std::string> with(const std::string& executor, std::vector<std::string> words) {
  words.insert(words.begin(), {"/usr/bin/env", "GENESYS_EXECUTOR=" + executor});
  return words;
}

void compare_executors(bench& all, const std::string& application, const std::vector<std::string>& words) {
  std::vector<version> versions;
  for (const char* each : executors) versions.push_back({each, with(each, words)});
  compare(all, "executor", application, versions);
}

// What `rate` measures at the port of a server, by executor; and how many times as fast the first one is.
template <class Rate>
void compare_rates(bench& all, const std::string& application, const std::vector<std::string>& words,
                   const Rate& rate) {
  std::vector<numbers> rates(std::size(executors));
  for (unsigned i = 0; i < (all.quick() ? 1 : chosen.rounds); ++i) {
    for (std::size_t e = 0; e < rates.size(); ++e) {
      measure::child_program one(with(executors[e], words));
      rates[e].push_back(rate(port_of(one.line().value_or(""))));
    }
  }
  for (std::size_t e = 0; e < rates.size(); ++e) {
    all.keep("executor_" + application + ", " + executors[e], "1/s", rates[e]);
    if (e != 0)
      all.keep("executor_" + application + "_to_" + executors[e], "ratio", measure::ratios(rates[0], rates[e]));
  }
}

}  // namespace

void by_executor(bench& all) {
  for (const char* input : {"small", "large"}) {
    compare_executors(all, std::string("grep_") + input, grep_by_kernel(all, input));
    compare_executors(all, std::string("wordcount_") + input, wordcount_by(all, "kernel", input));
  }
  compare_executors(all, "signal_search", signal_search_by_kernel(all));
  compare_executors(all, "line_sort", line_sort_by_kernel(all));
  compare_executors(all, "amr", amr_by_kernel());
  for (const char* protocol : {"udp", "tcp"}) {
    compare_rates(all, std::string("echo_") + protocol + "_1024", {own("echod")},
                  [&](const std::string& port) { return echo_rate(port, protocol, "1024"); });
  }
  compare_rates(all, "memcached",
                {own("memcached"), "-U", "0", "-I", "1072", "--depth", "1024", "--sockets", "4", "-m", "64"},
                [](const std::string& port) { return memcached_rate(port, "51200"); });
}

}  // namespace applications
