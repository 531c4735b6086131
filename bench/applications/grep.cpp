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

// How many lines have any of the words, in each file of a tree of text.
struct grep_input {
  files::path tree;
  std::vector<std::string> what;

  grep_input(const char* input, std::size_t bytes, unsigned kilobytes_max)
      : tree(files::path(chosen.folder) / (input + std::string("_") + std::to_string(bytes >> 20))) {
    const std::vector<std::string> words = vocabulary();
    what = {"-F", "-c", "-f", grep_words(words), tree};
    make_text(tree, bytes, kilobytes_max, words);
  }
  std::vector<std::string> by(std::vector<std::string> begin) const {
    begin.insert(begin.end(), what.begin(), what.end());
    return begin;
  }
  version own_by(const char* how) const { return {how, by({own("grep"), "--stats", std::string("--by=") + how})}; }
};

void grep_in(bench& all, const char* input, std::size_t bytes, unsigned kilobytes_max) {
  const grep_input here(input, bytes, kilobytes_max);
  std::vector<version> versions{{"kernel", here.by({own("grep"), "--stats"})}, here.own_by("openmp")};
  if (files::exists(chosen.ripgrep)) {
    versions.push_back({"ripgrep", here.by({chosen.ripgrep, "-uu", "--include-zero", "-j",
                                            std::to_string(std::thread::hardware_concurrency())})});
  }
  if (bytes < std::size_t{1} << 30) versions.push_back({"gnu", here.by({"/usr/bin/env", "LC_ALL=C", "grep", "-r"})});
  compare(all, "grep", input, versions);
}

// By the threads that take a file, and mapped files. Many small files are not mapped: each is registered with CUDA.
void grep_by_in(bench& all, const char* input, std::size_t bytes, unsigned kilobytes_max, bool maps) {
  const grep_input here(input, bytes, kilobytes_max);
  std::vector<version> versions{here.own_by("block"), here.own_by("warp"), here.own_by("thread")};
  if (maps) versions.push_back(here.own_by("mapped"));
  compare(all, "grep_by", input, versions);
}

}  // namespace

std::vector<std::string> grep_by_kernel(bench& all, const char* input) {
  const bool is_small = std::string(input) == "small";
  const grep_input here(input, std::size_t{all.quick() ? 1 : chosen.gigabytes} << 30, is_small ? 32 : 1u << 20);
  return here.by({own("grep"), "--stats"});
}

void grep_tree(bench& all) { grep_in(all, "tree", std::size_t{16} << 20, 32); }
void grep_small(bench& all) { grep_in(all, "small", std::size_t{all.quick() ? 1 : chosen.gigabytes} << 30, 32); }
void grep_large(bench& all) { grep_in(all, "large", std::size_t{all.quick() ? 1 : chosen.gigabytes} << 30, 1u << 20); }

void grep_by(bench& all) {
  const std::size_t bytes = std::size_t{all.quick() ? 64u : 1024u} << 20;  // threads take seconds for each GiB
  grep_by_in(all, "tree", std::size_t{16} << 20, 32, true);
  grep_by_in(all, "small", bytes, 32, false);
  grep_by_in(all, "large", bytes, 1u << 20, true);
}

}  // namespace applications
