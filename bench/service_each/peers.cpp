// SPDX-License-Identifier: Apache-2.0
// liblz4 and Hyperscan (peers.h).
#include "service_each/peers.h"

#include "support/measure.h"

#if SERVICE_BENCH_WITH_LZ4
#include <lz4.h>
#endif
#if SERVICE_BENCH_WITH_HYPERSCAN
#include <hs/hs.h>
#endif

namespace service_bench {

#if SERVICE_BENCH_WITH_LZ4
bool has_lz4() { return true; }
std::size_t lz4_by_library(const void* from, std::size_t bytes, void* to, std::size_t capacity) {
  return static_cast<std::size_t>(LZ4_compress_default(static_cast<const char*>(from), static_cast<char*>(to),
                                                       static_cast<int>(bytes), static_cast<int>(capacity)));
}
#else
bool has_lz4() { return false; }
std::size_t lz4_by_library(const void*, std::size_t, void*, std::size_t) { return 0; }
#endif

#if SERVICE_BENCH_WITH_HYPERSCAN
struct hyperscan::compiled {
  hs_database_t* database = nullptr;
};
bool hyperscan::is_there() { return hs_valid_platform() == HS_SUCCESS; }

hyperscan::hyperscan(const std::vector<std::string>& literals) : in_(std::make_unique<compiled>()) {
  std::vector<const char*> texts;
  std::vector<std::size_t> lengths;
  std::vector<unsigned> flags(literals.size()), numbers;
  for (const std::string& literal : literals) {
    numbers.push_back(static_cast<unsigned>(texts.size()));
    texts.push_back(literal.data());
    lengths.push_back(literal.size());
  }
  hs_compile_error_t* why = nullptr;
  if (hs_compile_lit_multi(texts.data(), flags.data(), numbers.data(), lengths.data(),
                           static_cast<unsigned>(literals.size()), HS_MODE_BLOCK, nullptr, &in_->database,
                           &why) != HS_SUCCESS) {
    const std::string text = why != nullptr ? why->message : "no text";
    hs_free_compile_error(why);
    throw measure::failure("Hyperscan does not compile the literals: " + text);
  }
}
hyperscan::~hyperscan() { hs_free_database(in_->database); }

std::uint64_t hyperscan::count(const void* from, std::size_t bytes) const {
  struct freed {
    void operator()(hs_scratch_t* scratch) const { hs_free_scratch(scratch); }
  };
  thread_local std::unique_ptr<hs_scratch_t, freed> scratch;
  thread_local const hs_database_t* last = nullptr;
  if (last != in_->database) {
    hs_scratch_t* made = scratch.release();
    if (hs_alloc_scratch(in_->database, &made) != HS_SUCCESS) throw measure::failure("Hyperscan has no scratch memory");
    scratch.reset(made);
    last = in_->database;
  }
  std::uint64_t found = 0;
  const auto each = [](unsigned, unsigned long long, unsigned long long, unsigned, void* to) {
    ++*static_cast<std::uint64_t*>(to);
    return 0;
  };
  if (hs_scan(in_->database, static_cast<const char*>(from), static_cast<unsigned>(bytes), 0, scratch.get(), each,
              &found) != HS_SUCCESS)
    throw measure::failure("Hyperscan failed");
  return found;
}
#else
struct hyperscan::compiled {};
bool hyperscan::is_there() { return false; }
hyperscan::hyperscan(const std::vector<std::string>&) {}
hyperscan::~hyperscan() = default;
std::uint64_t hyperscan::count(const void*, std::size_t) const { return 0; }
#endif

std::string peers() {
  std::string text;
#if SERVICE_BENCH_WITH_LZ4
  text += std::string("LZ4 ") + LZ4_versionString();
#else
  text += "no liblz4 (Debian: liblz4-dev): the twin instead";
#endif
#if SERVICE_BENCH_WITH_HYPERSCAN
  text += std::string("; Hyperscan ") + hs_version();
#else
  text += "; no Hyperscan (Debian: libhyperscan-dev): the twin instead";
#endif
  return text;
}

}  // namespace service_bench
