// SPDX-License-Identifier: Apache-2.0
#include "applications/programs.h"

#include <algorithm>
#include <fstream>
#include <random>

#include "support/child_program.h"

namespace applications {
namespace {

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

}  // namespace

settings chosen;

outcome run(const std::vector<std::string>& words) {
  const auto begin = measure::clock::now();
  measure::child_program one(words, {}, measure::child_program::messages::kept);
  outcome done{};
  done.output = one.rest();
  done.cpu_seconds = one.finish().cpu_seconds;
  done.seconds = measure::seconds_since(begin);
  done.messages = one.said();
  const auto at = done.messages.find(", time ");
  if (at != std::string::npos) done.counting = std::stod(done.messages.substr(at + 7));
  return done;
}

std::string own(const char* program) { return files::path(measure::own_path()).parent_path() / ".." / program; }

void compare(bench& all, const std::string& name, const std::string& input, const std::vector<version>& versions) {
  std::vector<numbers> seconds(versions.size()), counting(versions.size()), cores(versions.size());
  std::string expected;
  for (const version& each : versions) {  // the first run of each also loads it from disk
    const std::string output = sorted_lines(run(each.words).output);
    if (expected.empty()) expected = output;
    if (output != expected) throw failure(name + ", " + input + ": " + each.name + " prints something else");
  }
  for (unsigned i = 0; i < (all.quick() ? 1 : chosen.rounds); ++i) {
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
    const bool says_counting = counting[v][0] > 0;
    if (says_counting) all.keep(of + ", counting", "s", counting[v]);
    all.keep(of + ", cores", "cores", cores[v]);
    if (v == 0) continue;
    all.keep(here + "_to_" + versions[v].name + ", whole program", "ratio", measure::ratios(seconds[v], seconds[0]));
    if (says_counting) all.keep(here + "_to_" + versions[v].name, "ratio", measure::ratios(counting[v], counting[0]));
  }
}

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

std::vector<std::string> vocabulary() {
  std::mt19937_64 random(7);
  std::vector<std::string> words(4096);
  for (std::string& word : words) {
    const unsigned length = 2 + static_cast<unsigned>(std::min(random() % 11, random() % 11));
    for (unsigned i = 0; i < length; ++i) word += static_cast<char>('a' + random() % 26);
  }
  return words;
}

std::string port_of(const std::string& line) {
  const auto at = line.rfind(' '), end = line.rfind('\n');
  if (at == line.npos || end == line.npos) throw failure("a server does not start");
  return line.substr(at + 1, end - at - 1);
}

}  // namespace applications
