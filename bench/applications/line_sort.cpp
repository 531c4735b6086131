// SPDX-License-Identifier: Apache-2.0
// Lines of a file, sorted in memory and in runs.
#include <algorithm>
#include <fstream>
#include <random>
#include <thread>

#include "applications/programs.h"

namespace applications {
namespace {

// Lines of 20 to 100 bytes, of words.
void make_lines(const files::path& path, std::size_t bytes) {
  if (files::exists(path) && files::file_size(path) >= bytes) return;
  const std::vector<std::string> words = vocabulary();
  std::mt19937_64 random(5);
  std::ofstream to(path);
  std::string piece;
  for (std::size_t made = 0; made < bytes; made += piece.size()) {
    piece.clear();
    while (piece.size() < (1u << 20)) {
      const std::size_t end = piece.size() + 20 + random() % 80;
      while (piece.size() < end) piece += words[random() % words.size()] + " ";
      piece.back() = '\n';
    }
    to << piece;
  }
  if (!to.flush()) throw failure("cannot write " + path.string() + ": give another --folder, or fewer --gigabytes");
}

std::size_t bytes_of_lines(bench& all) { return std::size_t{all.quick() ? 1 : chosen.gigabytes} << 30; }

files::path made_lines(bench& all) {
  const files::path lines = files::path(chosen.folder) / "lines";
  files::create_directories(chosen.folder);
  make_lines(lines, bytes_of_lines(all));
  return lines;
}

// Sorts into the folder's file sorted_by_BY.
std::vector<std::string> sort_by(const std::string& by, const std::string& memory, const files::path& lines) {
  const files::path folder = chosen.folder;
  const std::string cores = std::to_string(std::max(std::thread::hardware_concurrency(), 1u));
  std::vector<std::string> words{own("line-sort"), "--stats", "--by", by};
  if (by == "gnu") words = {"/usr/bin/env", "LC_ALL=C", "sort", "--parallel", cores};
  words.insert(words.end(), {"-S", memory, "-T", folder, "-o", folder / ("sorted_by_" + by), lines});
  return words;
}

constexpr const char* much_memory = "48G";

}  // namespace

std::vector<std::string> line_sort_by_kernel(bench& all) { return sort_by("kernel", much_memory, made_lines(all)); }

void line_sort(bench& all) {
  const files::path folder = chosen.folder, lines = made_lines(all);
  const std::size_t bytes = bytes_of_lines(all);
  const auto sorted = [&](const std::string& by, const std::string& memory) { return sort_by(by, memory, lines); };
  // A machine with less memory would measure runs under the name "memory".
  const auto check_runs = [](const std::string& input, const outcome& done) {
    const bool has_runs = done.messages.find(", runs 0,") == std::string::npos;
    if (has_runs != (input == "runs")) throw failure("line-sort, " + input + ": " + done.messages);
  };
  for (const auto& [input, memory] :
       {std::pair{"memory", std::string(much_memory)}, std::pair{"runs", std::to_string(bytes / 3 >> 20) + "M"}}) {
    for (const char* by : {"kernel", "openmp"}) check_runs(input, run(sorted(by, memory)));
    compare(
        all, "line_sort", input,
        {{"kernel", sorted("kernel", memory)}, {"openmp", sorted("openmp", memory)}, {"gnu", sorted("gnu", memory)}});
    for (const char* other : {"sorted_by_openmp", "sorted_by_gnu"})
      (void)run({"/usr/bin/cmp", folder / "sorted_by_kernel", folder / other});  // throws if they differ
  }
  for (const char* each : {"sorted_by_kernel", "sorted_by_openmp", "sorted_by_gnu"}) files::remove(folder / each);
}

}  // namespace applications
