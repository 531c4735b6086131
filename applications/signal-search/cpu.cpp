// SPDX-License-Identifier: Apache-2.0
#include "cpu.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/program.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace search {
namespace {

using u32 = std::uint32_t;
using has_text_function = bool(const char* data, std::size_t filled, const std::string& text, u32 mismatches);

bool begins_at(const char* at, const std::string& text, u32 mismatches) {
  u32 other = 0;
  for (std::size_t i = 0; i < text.size() && other <= mismatches; ++i) other += at[i] != text[i];
  return other <= mismatches;
}

bool has_text(const char* data, std::size_t filled, const std::string& text, u32 mismatches) {
  if (mismatches == 0) return ::memmem(data, filled, text.data(), text.size()) != nullptr;
  for (std::size_t at = 0; at + text.size() <= filled; ++at)
    if (begins_at(data + at, text, mismatches)) return true;
  return false;
}

#if defined(__x86_64__)
// For 32 positions at a time it counts the bytes that are others, until all 32 have too many.
[[gnu::target("avx2")]] bool has_text_by_vectors(const char* data, std::size_t filled, const std::string& text,
                                                 u32 mismatches) {
  if (mismatches >= 255) return has_text(data, filled, text, mismatches);  // a count of 8 bits cannot say more
  const std::size_t positions = filled < text.size() ? 0 : filled - text.size() + 1;
  const __m256i most = _mm256_set1_epi8(static_cast<char>(mismatches));
  std::size_t at = 0;
  for (; at + 32 <= positions; at += 32) {
    __m256i others = _mm256_setzero_si256(), may_be = _mm256_set1_epi8(-1);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const __m256i here = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data + at + i));
      const __m256i same = _mm256_cmpeq_epi8(here, _mm256_set1_epi8(text[i]));
      others = _mm256_adds_epu8(others, _mm256_andnot_si256(same, _mm256_set1_epi8(1)));
      may_be = _mm256_cmpeq_epi8(_mm256_min_epu8(others, most), others);
      if (_mm256_testz_si256(may_be, may_be) != 0) break;
    }
    if (_mm256_testz_si256(may_be, may_be) == 0) return true;
  }
  for (; at < positions; ++at)
    if (begins_at(data + at, text, mismatches)) return true;
  return false;
}
#endif

has_text_function* function_of(version by) {
  if (by != version::vectors) return has_text;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return has_text_by_vectors;
#endif
  throw std::runtime_error("this processor has no AVX2");
}

}  // namespace

results search_by_cpu(const settings& chosen, const input& from, unsigned threads, timing& took) {
  has_text_function* const has = function_of(chosen.by);
  const auto begin = std::chrono::steady_clock::now();
  digests made(chosen, from, threads);
  std::atomic<u32> next{0};
  std::atomic<int> wrong{0};
  const auto search = [&](unsigned) {
    std::vector<char> data(chosen.unit_bytes);
    for (u32 unit; (unit = next++) < from.units;) {
      const ssize_t bytes =
          ::pread(from.fd, data.data(), data.size(), static_cast<off_t>(std::uint64_t{unit} * chosen.unit_bytes));
      if (bytes < 0) wrong = errno;
      if (bytes > 0 && has(data.data(), static_cast<std::size_t>(bytes), chosen.text, chosen.mismatches))
        made.add(unit);
    }
  };
  application::thread_group(threads, search, [&] { next = from.units; }).join();
  took.searching = application::seconds_since(begin);
  results all = made.finish();
  took.all = application::seconds_since(begin);
  if (wrong != 0) throw std::runtime_error(chosen.file + ": " + std::strerror(wrong));
  return all;
}

}  // namespace search
