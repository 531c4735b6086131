// SPDX-License-Identifier: Apache-2.0
// What the tests of services that the daemon loads share: the files, orders, and calls that are checked.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "files/loaded.h"
#include "testing.h"

namespace daemon_testing {

using scale = daemon_files::scale_arguments;
using hold = daemon_files::hold_arguments;

constexpr u64 first_adds = 7, second_adds = 1000, slow_adds = 9;
constexpr auto slow_takes = 1500ms;  // LOADED_INITIALIZER_MS of daemon_slow

// What the build has made of files/loaded.cpp: a shared object, and PTX if there is nvcc.
inline std::vector<std::string> files(const std::string& name) {
  const std::string in = beside_program("service_files/" + name);
  std::vector<std::string> all = {in + ".so"};
  if (std::filesystem::exists(in + ".ptx")) all.push_back(in + ".ptx");
  return all;
}
inline std::string to_load(const std::string& name, const std::string& service) {
  std::string text;
  for (const std::string& each : files(name)) text.append(text.empty() ? 0 : 1, ',').append(each);
  return text.append(1, ':').append(service);
}
inline void load(const served& into, const std::string& name, const std::string& service) {
  service_client::load(files(name), service, into.socket());
}
inline void unload(const served& from, const std::string& service) { service_client::unload(service, from.socket()); }

// Some requests, each checked. How many were wrong.
inline unsigned wrong_scales(service_client& client, u64 adds, unsigned count = 20) {
  constexpr u32 words = 100;
  const auto scales = client.find<scale>();
  auto* const from = static_cast<u64*>(client.allocate(2 * words * sizeof(u64)));
  u64* const to = from + words;
  unsigned wrong = 0;
  for (u64 by = 1; by <= count; ++by) {
    for (u32 i = 0; i < words; ++i) from[i] = i * 0x9e37'79b9'7f4a'7c15u, to[i] = 0;
    bool good = client.call(scales, {{from, words * sizeof(u64)}, {to, words * sizeof(u64)}, by},
                            {.blocks = 1 + static_cast<unsigned>(by) % 3}) == words;
    for (u32 i = 0; i < words; ++i) good &= to[i] == from[i] * by + adds;
    wrong += !good;
  }
  client.free(from);
  return wrong;
}

}  // namespace daemon_testing
