// SPDX-License-Identifier: Apache-2.0
// Programs that parts of this bench run, and the text that they read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/measure.h"

namespace applications {

using measure::bench;
using measure::failure;
using measure::numbers;
namespace files = std::filesystem;

struct settings {
  unsigned rounds = 5, gigabytes = 8;
  std::string folder = "/dev/shm/genesys-applications";       // where the input is made, and stays
  std::string cold_folder = "/var/tmp/genesys-applications";  // the same, on a disk
  std::string memcached = "/usr/bin/memcached", ripgrep = "/usr/bin/rg";
};
extern settings chosen;

struct outcome {
  double seconds, cpu_seconds;
  double counting;  // what the program itself says of the time without its start and end; 0: nothing
  std::string output, messages;
};

// Runs a program to its end. Throws failure: its exit status is not 0.
outcome run(const std::vector<std::string>& words);

std::string own(const char* program);  // the path of a program of this build

// The port that a server prints at the end of its first line.
std::string port_of(const std::string& line);

struct version {
  std::string name;
  std::vector<std::string> words;
};

// Runs the versions by turns, and keeps seconds, cores and, for all but the first, NAME_INPUT_to_VERSION: how many
// times as long they take as the first one. All must print the same lines, in any order.
void compare(bench& all, const std::string& name, const std::string& input, const std::vector<version>& versions);

// 4,096 words of 2 to 12 letters; short ones are more frequent.
std::vector<std::string> vocabulary();
// Makes text of these words, in files of 1 to `kilobytes_max` KiB, in folders of 256, unless it is there.
void make_text(const files::path& into, std::size_t bytes, unsigned kilobytes_max,
               const std::vector<std::string>& words);

// The parts.
void grep_tree(bench& all);
void grep_small(bench& all);
void grep_large(bench& all);
void grep_by(bench& all);
void wordcount(bench& all);
void wordcount_times(bench& all);
void signal_search(bench& all);
void amr(bench& all);
void echo(bench& all);
void memcached(bench& all);
void line_sort(bench& all);
void by_executor(bench& all);
void limits(bench& all);

// The kernels' versions, as by_executor and limits run them. They make their input. `input`: small or large (files).
std::vector<std::string> grep_by_kernel(bench& all, const char* input);
std::vector<std::string> wordcount_by(bench& all, const char* how, const char* input);
std::vector<std::string> signal_search_by_kernel(bench& all);
std::vector<std::string> line_sort_by_kernel(bench& all);
std::vector<std::string> amr_by_kernel();
// Messages a second of an echo server at `port`, and requests a second of a memcached server.
double echo_rate(const std::string& port, const std::string& protocol, const std::string& bytes);
double memcached_rate(const std::string& port, const std::string& keys);

}  // namespace applications
