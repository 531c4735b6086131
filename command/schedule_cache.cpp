// SPDX-License-Identifier: Apache-2.0
#include "schedule_cache.h"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <ostream>

#include "printable.h"
#include "schedule/cache/cache_folder.h"

namespace genesys::command {
namespace {

using schedule::cache_folder;

std::string date_of(std::int64_t seconds) {
  const auto at = static_cast<std::time_t>(seconds);
  std::tm parts{};
  char text[32] = "";
  if (::gmtime_r(&at, &parts) != nullptr) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  return text;
}

}  // namespace

int show_cache(std::ostream& to, std::ostream& errors, const asked_cache& asked) {
  const auto folder = cache_folder::of_process();
  if (!folder) {
    errors << "genesys: there is no cache: GENESYS_SCHEDULE_CACHE is 0, there is no home folder, or genesys was built "
              "without libzstd-dev or nlohmann-json3-dev\n";
    return 1;
  }
  const std::string path = printable(folder->path());
  const std::vector<cache_folder::entry> all = folder->entries();
  if (asked.clear) {
    const std::size_t gone = folder->clear();
    to << path << ": " << gone << (gone == 1 ? " file" : " files") << " removed\n";
    return gone == all.size() ? 0 : 1;
  }
  std::uint64_t bytes = 0;
  std::size_t kernels = 0;
  for (const auto& each : all) {
    bytes += each.bytes;
    kernels += each.name.starts_with("kernel-");
  }
  if (asked.json) {
    nlohmann::ordered_json made = {{"folder", path}, {"files", all.size()}, {"kernels", kernels}, {"bytes", bytes}};
    to << made.dump(2) << "\n";
    return 0;
  }
  to << path << "\n  " << kernels << (kernels == 1 ? " kernel" : " kernels") << ", times of " << all.size() - kernels
     << (all.size() - kernels == 1 ? " GPU" : " GPUs") << ", " << (bytes + 1023) / 1024 << " KiB of at most "
     << cache_folder::bytes_max / 1024 << " KiB\n";
  if (!all.empty()) {
    to << "  last used " << date_of(all.front().used_s) << " UTC, longest unused " << date_of(all.back().used_s)
       << " UTC\n";
  }
  return 0;
}

}  // namespace genesys::command
