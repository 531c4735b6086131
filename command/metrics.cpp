// SPDX-License-Identifier: Apache-2.0
#include "metrics.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "control_client.h"

namespace genesys::command {
namespace {

pid_t only_process() {
  const std::vector<pid_t> all = processes_with_runtimes();
  if (all.empty()) throw std::runtime_error("no process has a runtime of genesys now");
  if (all.size() == 1) return all[0];
  std::string text = "several processes have runtimes of genesys; name one:";
  for (const pid_t pid : all) text += " " + std::to_string(pid);
  throw std::runtime_error(text);
}

}  // namespace

// An exposition ends with one line "# EOF", and has each family once. So of several runtimes only the first one's lines
// of comments are kept.
int print_metrics(std::ostream& to, std::ostream& errors, pid_t pid) try {
  constexpr char eof[] = "# EOF\n";
  if (pid == 0) pid = only_process();
  const std::vector<unsigned> runtimes = runtimes_of(pid);
  if (runtimes.empty()) throw std::runtime_error("process " + std::to_string(pid) + ": " + why_no_runtime(pid));
  if (runtimes.size() == 1) {
    to << ask_runtime(pid, runtimes[0], "metrics");
    return 0;
  }
  struct family {
    std::string comments, samples;
  };
  std::vector<std::pair<std::string, family>> families;
  for (const unsigned runtime : runtimes) {
    const std::string text = ask_runtime(pid, runtime, "metrics");
    std::size_t at = 0, which = 0;
    for (std::size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
      const std::string line = text.substr(at, end - at + 1);
      if (line == eof) break;
      if (line.starts_with("# TYPE ")) {
        for (which = 0; which < families.size() && families[which].first != line; ++which) {
        }
        if (which == families.size()) families.push_back({line, {}});
      }
      family& of = families.at(which).second;
      if (line[0] != '#') {
        of.samples += line;
      } else if (runtime == runtimes[0]) {
        of.comments += line;
      }
    }
  }
  for (const auto& [name, of] : families) to << of.comments << of.samples;
  to << eof;
  return 0;
} catch (const std::exception& wrong) {
  errors << "genesys: " << wrong.what() << "\n";
  return 1;
}

}  // namespace genesys::command
