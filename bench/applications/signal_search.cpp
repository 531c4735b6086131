// SPDX-License-Identifier: Apache-2.0
// Digests of units that a kernel finds: by signals meanwhile, and in two phases.
#include <cstring>
#include <fstream>
#include <random>

#include "applications/programs.h"

namespace applications {
namespace {

const std::string text_begin = "needle_in_the_haystack_1";

// A file of random letters, in which one of three units of 16 KiB has the text.
files::path made_units(bench& all) {
  const files::path path = files::path(chosen.folder) / "units";
  files::create_directories(chosen.folder);
  constexpr std::size_t unit = 16 << 10;
  const std::size_t units = (std::size_t{all.quick() ? 1 : chosen.gigabytes} << 30) / unit;
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
  return path;
}

std::vector<std::string> search(const char* how, const std::string& text, const char* mismatches,
                                const files::path& in) {
  return {own("signal-search"), "--stats", "--by", how, "-u", "16384", "-m", mismatches, text, in};
}

}  // namespace

std::vector<std::string> signal_search_by_kernel(bench& all) {
  return search("signals", text_begin, "0", made_units(all));
}

void signal_search(bench& all) {
  const files::path path = made_units(all);
  const auto by = [&](const char* how, const std::string& text, const char* mismatches) {
    return search(how, text, mismatches, path);
  };
  // The more bytes are compared at each place, the longer the GPU searches for the same reads.
  std::string longer = text_begin;
  longer.resize(256, '.');
  compare(all, "signal_search", "short_text",
          {{"signals", by("signals", text_begin, "0")}, {"phases", by("phases", text_begin, "0")}});
  compare(all, "signal_search", "long_text",
          {{"signals", by("signals", longer, "232")}, {"phases", by("phases", longer, "232")}});
  compare(all, "signal_search", "on_cpu",
          {{"signals", by("signals", text_begin, "1")},
           {"cpu", by("cpu", text_begin, "1")},
           {"vectors", by("vectors", text_begin, "1")}});
  compare(all, "signal_search", "long_on_cpu",
          {{"signals", by("signals", longer, "232")}, {"vectors", by("vectors", longer, "232")}});
}

}  // namespace applications
