// SPDX-License-Identifier: Apache-2.0
// What the tests of the rewriter share.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/rewrite/rewrite.h"

namespace genesys::schedule {

inline std::string kept_ptx(const char* name) {
  std::ifstream from(std::filesystem::path(GENESYS_SCHEDULE_KERNELS) / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(from), {}};
}

inline rewritten with_variant(std::string_view ptx, variant wanted, const rewrite_settings& settings = {}) {
  return rewrite(
      ptx, [wanted](const kernel_verdict&) { return wanted; }, settings);
}

inline std::vector<poll::kind> kinds_of(const kernel_rewrite& kernel) {
  std::vector<poll::kind> result;
  for (const poll& each : kernel.polls) result.push_back(each.what);
  return result;
}

inline bool has_poll(const kernel_rewrite& kernel, poll::kind what) {
  const auto all = kinds_of(kernel);
  return std::find(all.begin(), all.end(), what) != all.end();
}

inline std::string refusals(const kernel_rewrite& kernel) {
  std::string text;
  for (const not_polled& each : kernel.refused) text += std::to_string(each.line) + ": " + each.why + "\n";
  return text;
}

}  // namespace genesys::schedule
