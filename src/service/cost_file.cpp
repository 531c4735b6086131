// SPDX-License-Identifier: Apache-2.0
// The file of learnt costs: lines of fields between tabs, a header first. A file is written beside its place and then
// renamed, so that several processes may use it at once; the last one to write wins.
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "service/costs.h"

namespace genesys::detail::services {
namespace {

constexpr char header[] = "genesys services 1";
constexpr std::size_t lines_max = 100'000;

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream from(line);
  for (std::string field; std::getline(from, field, '\t');) fields.push_back(field);
  return fields;
}

template <class T>
bool parse(const std::string& text, T& into) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), into);
  return failed == std::errc() && end == text.data() + text.size();
}

bool parse(const std::string& text, path& into) {
  for (const path p : all_paths) {
    if (text != name_of(p)) continue;
    into = p;
    return true;
  }
  return false;
}

bool is_plain(const std::string& text) { return !text.empty() && text.find_first_of("\t\n") == std::string::npos; }

}  // namespace

std::string cost_file::path_of_process() {
  const auto of = [](const char* name) -> std::string {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string chosen = of("GENESYS_SERVICE_COSTS"); !chosen.empty()) return chosen == "0" ? "" : chosen;
  if (const std::string cache = of("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/genesys/services";
  if (const std::string home = of("HOME"); home.starts_with('/')) return home + "/.cache/genesys/services";
  return "";
}

std::vector<cost_file::entry> cost_file::read(const std::string& path) {
  std::vector<entry> all;
  std::ifstream from(path);
  std::string line;
  if (!std::getline(from, line) || line != header) return all;
  while (all.size() < lines_max && std::getline(from, line)) {
    const std::vector<std::string> fields = fields_of(line);
    entry one;
    if (fields.size() != 6 || !parse(fields[3], one.record.by)) continue;
    if (!parse(fields[2], one.record.size_class) || !parse(fields[4], one.record.samples) ||
        !parse(fields[5], one.record.mean_ns) || one.record.size_class >= size_classes ||
        !std::isfinite(one.record.mean_ns) || one.record.mean_ns <= 0)
      continue;
    one.device = fields[0];
    one.record.service = fields[1];
    all.push_back(one);
  }
  return all;
}

bool cost_file::write(const std::string& path, const std::string& device, const std::vector<cost_record>& records) {
  if (path.empty() || !is_plain(device)) return false;
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
  const std::string beside = path + "." + std::to_string(::getpid());
  {
    std::ofstream to(beside);
    to << header << '\n';
    const auto line = [&to](const std::string& on, const cost_record& r) {
      to << on << '\t' << r.service << '\t' << r.size_class << '\t' << name_of(r.by) << '\t' << r.samples << '\t'
         << static_cast<std::uint64_t>(r.mean_ns) << '\n';
    };
    const auto replaced = [&](const entry& old) {
      if (old.device != device) return false;
      for (const cost_record& r : records) {
        if (r.service == old.record.service && r.size_class == old.record.size_class && r.by == old.record.by)
          return true;
      }
      return false;
    };
    for (const entry& old : read(path)) {
      if (!replaced(old)) line(old.device, old.record);
    }
    for (const cost_record& r : records) {
      if (is_plain(r.service) && r.mean_ns >= 1) line(device, r);
    }
    if (!to.flush()) {
      ::unlink(beside.c_str());
      return false;
    }
  }
  std::filesystem::rename(beside, path, failed);
  if (failed) ::unlink(beside.c_str());
  return !failed;
}

}  // namespace genesys::detail::services
