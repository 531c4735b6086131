// SPDX-License-Identifier: Apache-2.0
// The table of functions: it has all that the driver's library exports, and its streams are those of cuda.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "schedule/program/elf_sections.h"
#include "signatures.h"

namespace genesys::schedule::standin::tests {
namespace {

// They ask or set something of a stream, and neither wait for what is in it nor add to it.
bool only_asks(std::string_view name) {
  constexpr std::string_view prefixes[] = {
      "cuStreamGet",         "cuStreamSetAttribute", "cuStreamCopyAttributes",
      "cuStreamIsCapturing", "cuStreamEndCapture",   "cuStreamUpdateCaptureDependencies"};
  return std::any_of(std::begin(prefixes), std::end(prefixes),
                     [name](std::string_view prefix) { return name.starts_with(prefix); });
}

TEST(Functions, StreamsAreThoseOfTheHeader) {
  for (unsigned number = 0; number < functions_count; ++number) {
    const function_entry& one = functions[number];
    const signature& declared = signatures[number];
    SCOPED_TRACE(one.name);
    if (one.order == function_order::stream) {
      EXPECT_EQ(one.argument, declared.stream);
    } else if (declared.stream != no_stream) {
      EXPECT_TRUE(one.order == function_order::launch || (one.order == function_order::none && only_asks(one.name)));
    }
  }
}

// Whatever ends, frees, copies or waits must be ordered; a new function with such a name needs a decision.
TEST(Functions, WhatEndsOrCopiesIsOrdered) {
  const std::set<std::string_view> decided_otherwise = {
      "cuEventSynchronize",  // the event's record is ordered
      "cuEventDestroy",      // it frees nothing that kernels use
      "cuEventDestroy_v2",
      "cuDestroyExternalSemaphore",  // signals and waits are ordered
      "cuGraphDestroy",              // graphs are launched as they are, and never again by the stand-in
      "cuGraphDestroyNode",
      "cuGraphExecDestroy",
      "cuLinkDestroy",  // only for the host
      "cuTexRefDestroy",
      "cuMemAddressFree",      // it is unmapped before
      "cuDeviceGraphMemTrim",  // it frees what no graph uses
      "cuUserObjectRelease",
      "cuGraphReleaseUserObject",
      "cuMemRelease",  // what is mapped stays
      "cuMemPoolTrimTo",
  };
  for (const function_entry& one : functions) {
    const std::string_view name = one.name;
    if (name.starts_with("cuGraphAdd") || name.find("Node") != name.npos || decided_otherwise.count(name) > 0) continue;
    const auto has = [name](std::string_view word) { return name.find(word) != name.npos; };
    const bool ends = has("Destroy") || has("Unload") || has("Free") || has("Unmap") || has("Unregister") ||
                      has("Release") || has("Reset") || has("Close");
    const bool is_for_host = has("Callback") || has("Notification") || has("Logs") || has("PersistingL2");
    if ((ends && !is_for_host) || name.starts_with("cuMemcpy") || name.starts_with("cuMemsetD") || has("Synchronize") ||
        has("Async") != has("AsyncNotification")) {
      EXPECT_NE(one.order, function_order::none) << name;
    }
  }
}

TEST(Functions, EachHasItsName) {
  std::set<std::string_view> names;
  for (unsigned number = 0; number < functions_count; ++number) {
    EXPECT_TRUE(names.insert(functions[number].name).second) << functions[number].name;
    EXPECT_EQ(function_named(functions[number].name), static_cast<driver_function>(number));
  }
  EXPECT_EQ(function_named("cuNothing"), std::nullopt);
  EXPECT_TRUE(uses_stream_of_thread("cuMemcpy_ptds"));
  EXPECT_FALSE(uses_stream_of_thread("cuMemcpy"));
}

// The names of the functions that a library exports.
std::set<std::string> exported_by(const char* file) {
  std::ifstream from(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(from), {}};
  std::string_view symbols, names;
  for (const elf_section& each : sections_of(bytes)) {
    if (each.name == ".dynsym") symbols = each.contents;
    if (each.name == ".dynstr") names = each.contents;
  }
  struct symbol {
    std::uint32_t name;
    std::uint8_t info, other;
    std::uint16_t section;
    std::uint64_t value, bytes;
  };
  static_assert(sizeof(symbol) == 24);
  constexpr std::uint8_t is_function = 2;
  std::set<std::string> result;
  for (; symbols.size() >= sizeof(symbol); symbols.remove_prefix(sizeof(symbol))) {
    symbol one;
    std::memcpy(&one, symbols.data(), sizeof one);
    if (one.section == 0 || (one.info & 15) != is_function || one.name >= names.size()) continue;
    const char* name = names.data() + one.name;
    if (std::strncmp(name, "cu", 2) == 0) result.insert(name);
  }
  return result;
}

// GENESYS_TEST_LIBCUDA may name a driver's library; without it, the toolkit's library for linking is compared.
TEST(Functions, TheDriverExportsNoOthers) {
  const char* asked = std::getenv("GENESYS_TEST_LIBCUDA");
  const char* file = asked != nullptr ? asked : GENESYS_CUDA_STUB;
  const std::set<std::string> exported = exported_by(file);
  if (exported.empty()) GTEST_SKIP() << "no library to compare with";
  for (const std::string& name : exported) EXPECT_TRUE(function_named(name)) << name << " of " << file;
  if (asked != nullptr) return;  // a driver may be older than the table
  EXPECT_EQ(exported.size(), functions_count);
}

}  // namespace
}  // namespace genesys::schedule::standin::tests
