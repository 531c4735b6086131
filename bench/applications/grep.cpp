// SPDX-License-Identifier: Apache-2.0
// Lines with any of 1,000 words, against OpenMP, ripgrep and GNU grep.
#include <fstream>
#include <random>
#include <thread>

#include "applications/programs.h"

namespace applications {
namespace {

// 1,000 words, of which four are in the text.
files::path grep_words(const std::vector<std::string>& in_text) {
  const files::path path = files::path(chosen.folder) / "grep_words";
  files::create_directories(chosen.folder);
  std::ofstream to(path);
  std::mt19937_64 random(11);
  for (unsigned i = 0; i < 996; ++i) {
    for (std::uint64_t left = 6 + random() % 7; left > 0; --left) to << static_cast<char>('a' + random() % 26);
    to << "\n";
  }
  unsigned known = 0;
  for (unsigned i = 0; known < 4; ++i)
    if (in_text[i].size() > 6) to << in_text[i] << "\n", ++known;
  return path;
}

// How many lines have any of the words, in each file of a tree.
void grep_in(bench& all, const char* input, std::size_t bytes, unsigned kilobytes_max) {
  const std::vector<std::string> words = vocabulary();
  const files::path tree = files::path(chosen.folder) / (input + std::string("_") + std::to_string(bytes >> 20));
  const std::vector<std::string> what{"-F", "-c", "-f", grep_words(words), tree};
  make_text(tree, bytes, kilobytes_max, words);
  const auto by = [&](std::vector<std::string> begin) {
    begin.insert(begin.end(), what.begin(), what.end());
    return begin;
  };
  std::vector<version> versions{{"kernel", by({own("grep"), "--stats"})},
                                {"openmp", by({own("grep"), "--stats", "--by=openmp"})}};
  if (files::exists(chosen.ripgrep)) {
    versions.push_back({"ripgrep", by({chosen.ripgrep, "-uu", "--include-zero", "-j",
                                       std::to_string(std::thread::hardware_concurrency())})});
  }
  if (bytes < std::size_t{1} << 30) versions.push_back({"gnu", by({"/usr/bin/env", "LC_ALL=C", "grep", "-r"})});
  compare(all, "grep", input, versions);
}

}  // namespace

void grep_tree(bench& all) { grep_in(all, "tree", std::size_t{16} << 20, 32); }
void grep_small(bench& all) { grep_in(all, "small", std::size_t{all.quick() ? 1 : chosen.gigabytes} << 30, 32); }
void grep_large(bench& all) { grep_in(all, "large", std::size_t{all.quick() ? 1 : chosen.gigabytes} << 30, 1u << 20); }

}  // namespace applications
