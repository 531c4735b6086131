// SPDX-License-Identifier: Apache-2.0
// Counts of 64 words, and what wordcount reads and uses over time.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "applications/programs.h"

namespace applications {
namespace {

// 64 of the words.
files::path wanted_words(const std::vector<std::string>& words) {
  const files::path path = files::path(chosen.folder) / "wanted";
  files::create_directories(chosen.folder);
  std::vector<std::string> wanted;
  for (unsigned i = 0; wanted.size() < 64; i += 7)
    if (std::find(wanted.begin(), wanted.end(), words[i]) == wanted.end()) wanted.push_back(words[i]);
  std::ofstream to(path);
  for (const std::string& word : wanted) to << word << "\n";
  return path;
}

std::vector<std::string> by(const char* how, const files::path& wanted, const files::path& tree) {
  return {own("wordcount"), "--stats", "--by", how, "-f", wanted, tree};
}

std::vector<std::string> versions_here() {
#if defined(__CUDACC__)
  return {"kernel", "openmp", "vectors", "launches"};
#else
  return {"kernel", "openmp", "vectors"};
#endif
}

// Runs a version, and keeps what its --timeline tells as lines of two plots.
void keep_times(bench& all, const std::string& plot, const std::string& name, std::vector<std::string> words) {
  const files::path path = files::path(chosen.folder) / "times";
  words.insert(words.begin() + 1, {"--timeline", path});
  (void)run(words);
  struct point {
    double seconds, bytes, cpu_seconds, computed;
  };
  std::vector<point> points;
  std::ifstream from(path);
  std::string line;
  std::getline(from, line);  // the names of the columns
  while (std::getline(from, line)) {
    point next{};
    double user = 0, system = 0;
    if (std::sscanf(line.c_str(), "%lf,%lf,%lf,%lf,%lf", &next.seconds, &next.bytes, &user, &system, &next.computed) !=
        5)
      continue;
    next.cpu_seconds = user + system;
    points.push_back(next);
  }
  if (points.size() < 2) throw failure("wordcount --timeline: too few lines");
  constexpr double steps = 40;
  const double step = std::max(0.02, (points.back().seconds - points.front().seconds) / steps);
  for (point last = points.front(); const point& next : points) {
    const double took = next.seconds - last.seconds;
    if (took < step) continue;
    all.keep_at(plot + "_rate", name, "s", next.seconds, "GB/s", {(next.bytes - last.bytes) / took / 1e9});
    all.keep_at(plot + "_cores", name, "s", next.seconds, "cores", {(next.cpu_seconds - last.cpu_seconds) / took});
    if (points.back().computed > 0)
      all.keep_at(plot + "_blocks", name, "s", next.seconds, "% of blocks that compute",
                  {100 * (next.computed - last.computed) / took});
    last = next;
  }
}

}  // namespace

std::vector<std::string> wordcount_by(bench& all, const char* how, const char* input) {
  const std::vector<std::string> words = vocabulary();
  const std::size_t bytes = std::size_t{all.quick() ? 1 : chosen.gigabytes} << 30;
  const files::path tree = files::path(chosen.folder) / (input + std::string("_") + std::to_string(bytes >> 20));
  make_text(tree, bytes, std::string(input) == "small" ? 32 : 1u << 20, words);
  return by(how, wanted_words(words), tree);
}

void wordcount(bench& all) {
  const std::vector<std::string> words = vocabulary();
  const files::path wanted = wanted_words(words);
  const std::size_t bytes = std::size_t{all.quick() ? 1 : chosen.gigabytes} << 30;
  for (const auto& [input, kilobytes] : {std::pair{"small", 32u}, std::pair{"large", 1u << 20}}) {
    const files::path tree = files::path(chosen.folder) / (input + std::string("_") + std::to_string(bytes >> 20));
    make_text(tree, bytes, kilobytes, words);
    std::vector<version> versions;
    for (const std::string& how : versions_here()) versions.push_back({how, by(how.c_str(), wanted, tree)});
    compare(all, "wordcount", input, versions);
    numbers alone;  // what the calls take without any counting
    for (unsigned i = 0; i < (all.quick() ? 1 : chosen.rounds); ++i)
      alone.push_back(run(by("reads", wanted, tree)).counting);
    all.keep("wordcount_" + std::string(input) + ", calls alone", "s", alone);
  }
}

// GENESYS (ISCA 2018), Figure 14: small files, in the page cache and from a disk.
void wordcount_times(bench& all) {
  const std::vector<std::string> words = vocabulary();
  const files::path wanted = wanted_words(words);
  const std::size_t bytes = std::size_t{all.quick() ? 1 : chosen.gigabytes} << 30, cold_bytes = bytes / 16;
  const files::path tree = files::path(chosen.folder) / ("small_" + std::to_string(bytes >> 20)),
                    cold_tree = files::path(chosen.cold_folder) / ("small_" + std::to_string(cold_bytes >> 20));
  make_text(tree, bytes, 32, words);
  make_text(cold_tree, cold_bytes, 32, words);
  for (const std::string& how : versions_here()) {
    (void)run(by(how.c_str(), wanted, tree));
    keep_times(all, "wordcount_warm", how, by(how.c_str(), wanted, tree));
    std::vector<std::string> cold = by(how.c_str(), wanted, cold_tree);
    cold.insert(cold.begin() + 1, "--cold");
    numbers seconds;
    for (unsigned i = 0; i < (all.quick() ? 1 : 3u); ++i) seconds.push_back(run(cold).counting);
    all.keep("wordcount_cold, " + how, "s", seconds);
    keep_times(all, "wordcount_cold", how, cold);
  }
}

}  // namespace applications
