// SPDX-License-Identifier: Apache-2.0
// The applications, as whole programs, against what a user would run instead: their own versions by OpenMP and by
// vector instructions, their version without system calls from kernels, and standard tools. A part runs one
// application's programs by turns, checks that all print the same, and keeps the time of each.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/child_program.h"
#include "support/measure.h"

namespace {

namespace files = std::filesystem;
using measure::bench;
using measure::failure;
using measure::numbers;

unsigned rounds = 5;
std::string folder = "/dev/shm/genesys-applications";
unsigned gigabytes = 8;
std::string debians_memcached = "/usr/bin/memcached", ripgrep = "/usr/bin/rg";

struct outcome {
  double seconds, cpu_seconds;
  double counting;  // what the program itself says of the time without its start and end; 0: nothing
  std::string output;
};

// Runs a program to its end. Throws failure: its exit status is not 0.
outcome run(const std::vector<std::string>& words) {
  const auto begin = measure::clock::now();
  measure::child_program one(words, {}, measure::child_program::messages::kept);
  outcome done{};
  done.output = one.rest();
  done.cpu_seconds = one.finish().cpu_seconds;
  done.seconds = measure::seconds_since(begin);
  const std::string said = one.said();
  if (const auto at = said.find(", time "); at != said.npos) done.counting = std::stod(said.substr(at + 7));
  return done;
}

std::string own(const char* program) { return files::path(measure::own_path()).parent_path() / ".." / program; }

struct version {
  std::string name;
  std::vector<std::string> words;
};

// The lines of a text, sorted: programs print them in any order.
std::string sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::sort(lines.begin(), lines.end());
  std::string whole;
  for (const std::string& line : lines) whole += line + "\n";
  return whole;
}

// Runs the versions by turns, and keeps seconds, cores and, for all but the first, NAME_INPUT_to_VERSION: how many
// times as long they take as the first one. All must print the same.
void compare(bench& all, const std::string& name, const std::string& input, const std::vector<version>& versions) {
  std::vector<numbers> seconds(versions.size()), counting(versions.size()), cores(versions.size());
  std::string expected;
  for (const version& each : versions) {  // the first run of each also loads it from disk
    const std::string output = sorted_lines(run(each.words).output);
    if (expected.empty()) expected = output;
    if (output != expected) throw failure(name + ", " + input + ": " + each.name + " prints something else");
  }
  for (unsigned i = 0; i < (all.quick() ? 1 : rounds); ++i) {
    for (std::size_t v = 0; v < versions.size(); ++v) {
      const outcome done = run(versions[v].words);
      seconds[v].push_back(done.seconds);
      counting[v].push_back(done.counting);
      cores[v].push_back(done.cpu_seconds / done.seconds);
    }
  }
  const std::string here = name + "_" + input;
  for (std::size_t v = 0; v < versions.size(); ++v) {
    const std::string of = here + ", " + versions[v].name;
    all.keep(of + ", whole program", "s", seconds[v]);
    all.keep(of + ", counting", "s", counting[v]);
    all.keep(of + ", cores", "cores", cores[v]);
    if (v == 0) continue;
    all.keep(here + "_to_" + versions[v].name + ", whole program", "ratio", measure::ratios(seconds[v], seconds[0]));
    all.keep(here + "_to_" + versions[v].name, "ratio", measure::ratios(counting[v], counting[0]));
  }
}

// Text of words of a list, in files of 1 to `kilobytes_max` KiB, in folders of 256.
void make_text(const files::path& into, std::size_t bytes, unsigned kilobytes_max,
               const std::vector<std::string>& words) {
  if (files::exists(into / "whole")) return;
  std::mt19937_64 random(1);
  std::string text;
  while (text.size() < (64u << 20)) {
    text += words[random() % words.size()];
    text += " \n.,;()_-"[random() % 9];
    if (random() % 16 == 0) text += "\n";
  }
  std::size_t made = 0;
  for (unsigned n = 0; made < bytes; ++n) {
    const std::size_t size = std::min<std::size_t>(bytes - made, (1 + random() % kilobytes_max) << 10);
    const files::path in = into / std::to_string(n / 256);
    if (n % 256 == 0) files::create_directories(in);
    std::ofstream to(in / std::to_string(n));
    for (std::size_t left = size; left > 0;) {
      const std::size_t from = random() % (text.size() - 4096), piece = std::min<std::size_t>(left, text.size() - from);
      to.write(text.data() + from, static_cast<std::streamsize>(piece));
      left -= piece;
    }
    if (!to) throw failure("cannot write " + in.string() + ": give another --folder, or fewer --gigabytes");
    made += size;
  }
  std::ofstream(into / "whole") << "";
}

// 4,096 words of 2 to 12 letters; short ones are more frequent.
std::vector<std::string> vocabulary() {
  std::mt19937_64 random(7);
  std::vector<std::string> words(4096);
  for (std::string& word : words) {
    const unsigned length = 2 + static_cast<unsigned>(std::min(random() % 11, random() % 11));
    for (unsigned i = 0; i < length; ++i) word += static_cast<char>('a' + random() % 26);
  }
  return words;
}

// 1,000 words, of which four are in the text.
files::path grep_words(const std::vector<std::string>& in_text) {
  const files::path path = files::path(folder) / "grep_words";
  files::create_directories(folder);
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
  const files::path tree = files::path(folder) / (input + std::string("_") + std::to_string(bytes >> 20));
  const std::vector<std::string> what{"-F", "-c", "-f", grep_words(words), tree};
  make_text(tree, bytes, kilobytes_max, words);
  const auto by = [&](std::vector<std::string> begin) {
    begin.insert(begin.end(), what.begin(), what.end());
    return begin;
  };
  std::vector<version> versions{{"kernel", by({own("grep"), "--stats"})},
                                {"openmp", by({own("grep"), "--stats", "--by=openmp"})}};
  if (files::exists(ripgrep)) {
    versions.push_back(
        {"ripgrep", by({ripgrep, "-uu", "--include-zero", "-j", std::to_string(std::thread::hardware_concurrency())})});
  }
  if (bytes < std::size_t{1} << 30) versions.push_back({"gnu", by({"/usr/bin/env", "LC_ALL=C", "grep", "-r"})});
  compare(all, "grep", input, versions);
}

void grep_tree(bench& all) { grep_in(all, "tree", std::size_t{16} << 20, 32); }
void grep_small(bench& all) { grep_in(all, "small", std::size_t{all.quick() ? 1 : gigabytes} << 30, 32); }
void grep_large(bench& all) { grep_in(all, "large", std::size_t{all.quick() ? 1 : gigabytes} << 30, 1u << 20); }

void wordcount(bench& all) {
  const std::vector<std::string> words = vocabulary();
  const files::path in = folder;
  files::create_directories(in);
  std::ofstream wanted(in / "wanted");
  std::vector<std::string> chosen;
  for (unsigned i = 0; chosen.size() < 64; i += 7)
    if (std::find(chosen.begin(), chosen.end(), words[i]) == chosen.end()) chosen.push_back(words[i]);
  for (const std::string& word : chosen) wanted << word << "\n";
  wanted.close();
  const std::size_t bytes = std::size_t{all.quick() ? 1 : gigabytes} << 30;
  const std::string program = own("wordcount");
  for (const auto& [input, kilobytes] : {std::pair{"small", 32u}, std::pair{"large", 1u << 20}}) {
    const files::path tree = in / (input + std::string("_") + std::to_string(bytes >> 20));
    make_text(tree, bytes, kilobytes, words);
    const auto by = [&](const char* how) {
      return std::vector<std::string>{program, "--stats", "--by", how, "-f", in / "wanted", tree};
    };
    std::vector<version> versions{{"kernel", by("kernel")}, {"openmp", by("openmp")}, {"vectors", by("vectors")}};
#if defined(__CUDACC__)
    versions.push_back({"launches", by("launches")});
#endif
    compare(all, "wordcount", input, versions);
  }
}

// A file of random letters, in which one of three units of 16 KiB has the text.
void signal_search(bench& all) {
  const files::path path = files::path(folder) / "units";
  files::create_directories(folder);
  constexpr std::size_t unit = 16 << 10;
  const std::string text_begin = "needle_in_the_haystack_1";
  const std::size_t units = (std::size_t{all.quick() ? 1 : gigabytes} << 30) / unit;
  if (!files::exists(path) || files::file_size(path) != units * unit) {
    std::mt19937_64 random(3);
    std::ofstream to(path);
    std::string text(unit, ' ');
    for (std::size_t i = 0; i < units; ++i) {
      for (std::size_t at = 0; at < unit; at += 8) {
        const std::uint64_t letters = (random() & 0x0f0f0f0f0f0f0f0f) + 0x6161616161616161;
        std::memcpy(&text[at], &letters, sizeof letters);
      }
      if (random() % 3 == 0) text.replace(random() % (unit - 256), text_begin.size(), text_begin);
      to << text;
    }
    if (!to) throw failure("cannot write " + path.string() + ": give another --folder, or fewer --gigabytes");
  }
  const auto by = [&](const char* how, const std::string& text, const char* mismatches) {
    return std::vector<std::string>{own("signal-search"), "--stats", "--by", how, "-u", "16384", "-m",
                                    mismatches,           text,      path};
  };
  // The more bytes are compared at each place, the longer the GPU searches for the same reads.
  std::string longer = text_begin;
  longer.resize(256, '.');
  compare(all, "signal_search", "short_text",
          {{"signals", by("signals", text_begin, "0")}, {"phases", by("phases", text_begin, "0")}});
  compare(all, "signal_search", "long_text",
          {{"signals", by("signals", longer, "232")}, {"phases", by("phases", longer, "232")}});
  compare(all, "signal_search", "on_cpu",
          {{"signals", by("signals", text_begin, "1")}, {"cpu", by("cpu", text_begin, "1")}});
}

// The memory of the simulation and its time, without a watermark and with two.
void amr(bench& all) {
  const std::vector<std::string> run_it{own("amr"),      "--stats", "--levels", "5",
                                        "--first-level", "3",       "--steps",  all.quick() ? "64" : "512"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = run_it;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  compare(all, "amr", "sphere",
          {{"no_watermark", run_it},
           {"high_watermark", with({"--watermark", "1024"})},
           {"low_watermark", with({"--watermark", "0"})}});
}

// The port that a server prints at the end of its first line.
std::string port_of(const std::string& line) {
  const auto at = line.rfind(' '), end = line.rfind('\n');
  if (at == line.npos || end == line.npos) throw failure("a server does not start");
  return line.substr(at + 1, end - at - 1);
}

// Messages a second, by size, of the kernel (messages in device memory, and in pinned memory) and of as many threads.
// One server runs at a time: the kernels of two would share the GPU by time.
void echo(bench& all) {
  struct kind {
    std::string name;
    std::vector<std::string> words;
  };
  const std::vector<kind> kinds{{"kernel", {own("echod"), "--memory", "device"}},
                                {"kernel_pinned", {own("echod"), "--memory", "pinned"}},
                                {"cpu", {own("echod"), "--udp", "32", "--by", "cpu"}}};
  const std::vector<std::string> protocols{"udp", "tcp"}, sizes{"64", "1024", "4096", "16384", "65000"};
  std::map<std::string, numbers> rates;  // by kind, protocol and size
  const auto name_of = [](const std::string& kind, const std::string& protocol, const std::string& size) {
    return "echo_" + protocol + "_" + size + ", " + kind;
  };
  for (unsigned i = 0; i < (all.quick() ? 1 : rounds); ++i) {
    for (const kind& each : kinds) {
      measure::child_program one(each.words);
      const std::string port = port_of(one.line().value_or(""));
      for (const std::string& protocol : protocols) {
        for (const std::string& size : sizes) {
          std::vector<std::string> words{own("echo-load"), port, "--clients", "6", "--seconds", "0.3", "--bytes", size};
          if (protocol == "tcp") words.emplace_back("--tcp");
          rates[name_of(each.name, protocol, size)].push_back(std::stod(run(words).output));
        }
      }
    }
  }
  for (const std::string& protocol : protocols) {
    for (const std::string& size : sizes) {
      for (const kind& each : kinds) {
        const std::string name = name_of(each.name, protocol, size);
        all.keep(name, "1/s", rates[name]);
        all.keep(name + ", bytes", "MB/s", measure::scaled(rates[name], std::stod(size) / 1e6));
      }
      const numbers &cpu = rates[name_of("cpu", protocol, size)], here = rates[name_of("kernel", protocol, size)];
      all.keep("echo_" + protocol + "_" + size + "_to_cpu", "ratio", measure::ratios(here, cpu));
      all.keep("echo_" + protocol + "_" + size + "_pinned_to_cpu", "ratio",
               measure::ratios(rates[name_of("kernel_pinned", protocol, size)], cpu));
    }
  }
}

// What memcached-load says of a server: requests a second, and the median latency in microseconds.
std::pair<double, double> load(const std::string& port, const std::vector<std::string>& more) {
  std::vector<std::string> words{own("memcached-load"), port, "--bytes", "1024"};
  words.insert(words.end(), more.begin(), more.end());
  const std::string output = run(words).output;
  double rate = 0, latency = 0;
  if (std::sscanf(output.c_str(), "%lf requests/s, latency %lf us", &rate, &latency) != 2)
    throw failure("memcached-load says: " + output);
  return {rate, latency};
}

// GETs of 1 KiB from buckets of 1,024 items, by how a server searches them: the rate with many requests under way, and
// the latency of few. One server runs at a time, as for echo. `mebibytes`: of the items.
void memcached_by(bench& all, const std::string& search, const std::string& mebibytes) {
  struct kind {
    std::string name;
    std::vector<std::string> words;
    numbers rates, busy, latencies;
  };
  const auto by = [&](const char* how) {
    return std::vector<std::string>{
        own("memcached"), "-U",       "0",    "-m",        mebibytes, "-I",   "1072", "--depth",
        "1024",           "--search", search, "--sockets", "4",       "--by", how};
  };
  std::vector<kind> kinds{
      {"kernel", by("kernel"), {}, {}, {}}, {"openmp", by("cpu"), {}, {}, {}}, {"vectors", by("vectors"), {}, {}, {}}};
#if defined(__CUDACC__)
  kinds.push_back({"without_calls", by("launches"), {}, {}, {}});
#endif
  const std::string port = "21217", keys = std::to_string(std::stoul(mebibytes) * 800);
  if (files::exists(debians_memcached)) {
    kinds.push_back({"debian", {debians_memcached, "-l", "127.0.0.1", "-p", "0", "-U", port, "-t", "16"}, {}, {}, {}});
    std::vector<std::string>& words = kinds.back().words;
    words.insert(words.end(), {"-m", std::to_string(2 * std::stoul(mebibytes))});
    if (::geteuid() == 0) words.insert(words.end(), {"-u", "nobody"});
  }
  for (unsigned i = 0; i < (all.quick() ? 1 : rounds); ++i) {
    for (kind& each : kinds) {
      measure::child_program one(each.words);
      const bool is_debians = each.name == "debian";
      if (is_debians) ::usleep(300'000);  // it says nothing when it is ready
      const std::string at = is_debians ? port : port_of(one.line().value_or(""));
      load(at, {"--keys", keys, "--clients", "6", "--window", "32", "--seconds", "0.1"});  // stores the values
      const auto many = load(at, {"--keys", keys, "--keep", "--clients", "6", "--window", "32", "--seconds", "0.5"});
      each.rates.push_back(many.first);
      each.busy.push_back(many.second);
      each.latencies.push_back(
          load(at, {"--keys", keys, "--keep", "--clients", "2", "--window", "4", "--seconds", "0.3"}).second);
    }
  }
  const std::string here = "memcached_" + search + "_" + mebibytes + "M";
  const numbers &rates = kinds[0].rates, &busy = kinds[0].busy, &latencies = kinds[0].latencies;
  for (const kind& each : kinds) {
    all.keep(here + ", " + each.name, "1/s", each.rates);
    all.keep(here + ", " + each.name + ", latency at that rate", "us", each.busy);
    all.keep(here + ", " + each.name + ", latency of 8 requests", "us", each.latencies);
    if (&each == &kinds[0]) continue;
    all.keep(here + "_to_" + each.name, "ratio", measure::ratios(rates, each.rates));
    all.keep(here + "_busy_latency_to_" + each.name, "ratio", measure::ratios(each.busy, busy));
    all.keep(here + "_latency_to_" + each.name, "ratio", measure::ratios(each.latencies, latencies));
  }
}

void memcached(bench& all) {
  for (const char* search : {"items", "tags"})
    for (const char* mebibytes : {"64", "1024"}) memcached_by(all, search, mebibytes);
}

}  // namespace

int main(int argc, char** argv) {
  bench all("applications", "The applications against what a user would run instead: whole programs, by turns.");
  all.option("--rounds", rounds, "runs of each program");
  all.option("--folder", folder, "where the input is made, and stays");
  all.option("--gigabytes", gigabytes, "of each input");
  all.part("wordcount", "counts of 64 words in small files, and in large ones", wordcount);
  all.part("signal-search", "digests of units that a kernel finds, meanwhile and afterwards", signal_search);
  all.part("amr", "a mesh that follows a sphere, with memory given back under the running kernel", amr);
  all.part("echo", "messages that a server sends back, by their size", echo);
  all.option("--ripgrep", ripgrep, "ripgrep, if it is there");
  all.part("grep-tree", "lines with any of 1,000 words, in a tree of 16 MiB", grep_tree);
  all.part("grep-small", "the same in many files of 1 to 32 KiB", grep_small);
  all.part("grep-large", "the same in files of up to 1 GiB", grep_large);
  all.option("--memcached", debians_memcached, "Debian's memcached, if it is there");
  all.part("memcached", "values that servers of memcached's protocols give, by versions", memcached);
  return all.main(argc, argv);
}
