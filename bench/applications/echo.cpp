// SPDX-License-Identifier: Apache-2.0
// Messages that an echo server sends back, by protocol and size (the first paper, Figure 10).
#include <map>

#include "applications/programs.h"
#include "support/child_program.h"

namespace applications {

double echo_rate(const std::string& port, const std::string& protocol, const std::string& bytes) {
  std::vector<std::string> words{own("echo-load"), port, "--clients", "6", "--seconds", "0.3", "--bytes", bytes};
  if (protocol == "tcp") words.emplace_back("--tcp");
  return std::stod(run(words).output);
}

// Messages a second, by size, of the kernel (messages in device memory; in pinned memory; in pinned memory, with few
// blocks, by UDP) and of threads. One server runs at a time: the kernels of two would share
// the GPU by time.
void echo(bench& all) {
  struct kind {
    std::string name;
    std::vector<std::string> words;
    bool by_tcp = true;
  };
  const std::vector<kind> kinds{{"kernel", {own("echod"), "--memory", "device"}},
                                {"kernel_pinned", {own("echod"), "--memory", "pinned"}},
                                {"kernel_few", {own("echod"), "--memory", "pinned", "--udp", "16"}, false},
                                {"cpu", {own("echod"), "--udp", "32", "--by", "cpu"}}};
  const std::vector<std::string> protocols{"udp", "tcp"}, sizes{"64", "1024", "4096", "16384", "65000"};
  std::map<std::string, numbers> rates;  // by kind, protocol and size
  const auto name_of = [](const std::string& kind, const std::string& protocol, const std::string& size) {
    return "echo_" + protocol + "_" + size + ", " + kind;
  };
  for (unsigned i = 0; i < (all.quick() ? 1 : chosen.rounds); ++i) {
    for (const kind& each : kinds) {
      measure::child_program one(each.words);
      const std::string port = port_of(one.line().value_or(""));
      for (const std::string& protocol : protocols) {
        if (protocol == "tcp" && !each.by_tcp) continue;
        for (const std::string& size : sizes) {
          rates[name_of(each.name, protocol, size)].push_back(echo_rate(port, protocol, size));
        }
      }
    }
  }
  for (const std::string& protocol : protocols) {
    for (const std::string& size : sizes) {
      for (const kind& each : kinds) {
        if (protocol == "tcp" && !each.by_tcp) continue;
        const std::string name = name_of(each.name, protocol, size);
        all.keep(name, "1/s", rates[name]);
        all.keep_at("echo_" + protocol, each.name, "B", std::stod(size), "MB/s",
                    measure::scaled(rates[name], std::stod(size) / 1e6));
      }
      const auto keep_ratio = [&](const std::string& of, const std::string& suffix) {
        all.keep("echo_" + protocol + "_" + size + suffix + "_to_cpu", "ratio",
                 measure::ratios(rates[name_of(of, protocol, size)], rates[name_of("cpu", protocol, size)]));
      };
      keep_ratio("kernel", "");
      keep_ratio("kernel_pinned", "_pinned");
      if (protocol == "udp") keep_ratio("kernel_few", "_few");
    }
  }
}

}  // namespace applications
