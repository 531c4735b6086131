// SPDX-License-Identifier: Apache-2.0
// The memory of a simulation and its time, with and without watermarks.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "applications/programs.h"

namespace applications {
namespace {

// Runs a version, and keeps the memory that its --timeline tells as a line of a plot.
void keep_memory(bench& all, const std::string& name, std::vector<std::string> words) {
  const files::path path = files::path(chosen.folder) / "memory";
  words.insert(words.begin() + 1, {"--timeline", path});
  (void)run(words);
  std::ifstream from(path);
  std::string line;
  std::getline(from, line);  // the names of the columns
  unsigned points = 0;
  while (std::getline(from, line)) {
    double milliseconds = 0, bytes = 0;
    if (std::sscanf(line.c_str(), "%*u,%lf,%*u,%lf", &milliseconds, &bytes) != 2) continue;
    all.keep_at("amr_memory", name, "s", milliseconds / 1e3, "MiB", {bytes / 1048576});
    ++points;
  }
  if (points < 2) throw failure("amr --timeline: too few lines");
}

std::vector<std::string> simulate(const std::string& steps, const std::vector<std::string>& more) {
  std::vector<std::string> words{own("amr"), "--stats", "--levels", "5", "--first-level", "3", "--steps", steps};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

std::vector<std::string> amr_by_kernel() { return simulate("64", {}); }

// GENESYS (ISCA 2018), Figure 11: without a watermark and with two. And the kernel beside threads of the CPU.
void amr(bench& all) {
  files::create_directories(chosen.folder);
  const std::string many = all.quick() ? "64" : "512", few = "64";  // the CPU takes long
  const std::vector<version> versions{{"no_watermark", simulate(many, {})},
                                      {"high_watermark", simulate(many, {"--watermark", "1024"})},
                                      {"low_watermark", simulate(many, {"--watermark", "0"})}};
  compare(all, "amr", "sphere", versions);
  for (const version& each : versions) keep_memory(all, each.name, each.words);
  compare(all, "amr", "short",
          {{"kernel", simulate(few, {})},
           {"openmp", simulate(few, {"--by", "openmp"})},
           {"vectors", simulate(few, {"--by", "vectors"})}});
}

}  // namespace applications
