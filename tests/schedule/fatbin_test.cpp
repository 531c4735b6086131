// SPDX-License-Identifier: Apache-2.0
// Fatbins: as nvcc wrote them (tests/schedule/kernels/small.*.hex, one for each way of compression), and damaged
// ones.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "schedule/classify/verdict.h"
#include "schedule/program/elf_sections.h"
#include "schedule/program/fatbin.h"
#include "schedule/program/lz4_block.h"

namespace genesys::schedule {
namespace {

using kind = fatbin_entry::kind;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream from(file, std::ios::binary);
  EXPECT_TRUE(from) << file;
  return {std::istreambuf_iterator<char>(from), {}};
}

// The bytes that `xxd -p` wrote as text.
std::string kept(const std::string& name) {
  std::string bytes;
  int half = -1;
  for (const char c : text_of(std::filesystem::path(GENESYS_SCHEDULE_KERNELS) / name)) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos) continue;
    if (half >= 0) bytes += static_cast<char>(half * 16 + static_cast<int>(digit));
    half = half >= 0 ? -1 : static_cast<int>(digit);
  }
  return bytes;
}

// The only entry of this kind.
fatbin_entry entry_of(const std::string& name, kind what) {
  std::vector<fatbin_entry> entries = entries_of(kept(name));
  std::erase_if(entries, [what](const fatbin_entry& one) { return one.what != what; });
  EXPECT_EQ(entries.size(), 1U) << name;
  return entries.empty() ? fatbin_entry{} : entries[0];
}

bool is_without_zstd(const fatbin_entry& one) { return one.problem.find("without libzstd") != std::string::npos; }

TEST(Fatbin, EachCompression) {
  for (const char* name : {"small.plain.hex", "small.lz4.hex", "small.zstd.hex"}) {
    const fatbin_entry ptx = entry_of(name, kind::ptx), cubin = entry_of(name, kind::cubin);
    EXPECT_EQ(ptx.architecture, 90U);
    if (is_without_zstd(ptx)) continue;
    ASSERT_EQ(ptx.problem, "") << name;
    const auto kernels = classify(std::string_view(ptx.contents));
    ASSERT_EQ(kernels.size(), 1U) << name;
    EXPECT_TRUE(kernels[0].is_idempotent) << name << ": " << kernels[0].reasons[0].text;
    ASSERT_EQ(cubin.problem, "") << name;
    EXPECT_TRUE(is_elf(cubin.contents));
    EXPECT_EQ(kernels_of_cubin(cubin.contents), std::vector<std::string>{kernels[0].name});
  }
}

TEST(Fatbin, OnlyPtx) {
  for (const char* name : {"small.plain.hex", "small.lz4.hex", "small.zstd.hex"}) {
    const std::string all = kept(name);
    EXPECT_EQ(fatbin_at(all.data()), all) << name;
    const std::string ptx = only_ptx(all + all);
    EXPECT_LT(ptx.size(), 2 * all.size());
    const std::vector<fatbin_entry> entries = entries_of(ptx);
    ASSERT_EQ(entries.size(), 2U) << name;
    for (const fatbin_entry& each : entries) {
      EXPECT_EQ(each.what, kind::ptx);
      EXPECT_EQ(each.contents, entry_of(name, kind::ptx).contents);
    }
    for (std::size_t bytes = 0; bytes < all.size(); bytes += 7) {  // cut off
      EXPECT_LE(only_ptx(std::string_view(all).substr(0, bytes)).size(), all.size());
    }
  }
  EXPECT_EQ(fatbin_at("no fatbin, but more bytes than a header has"), "");
  EXPECT_EQ(only_ptx("no fatbin"), "");
}

TEST(Fatbin, AllCompressionsGiveTheSame) {
  const fatbin_entry plain = entry_of("small.plain.hex", kind::ptx), lz4 = entry_of("small.lz4.hex", kind::ptx);
  const fatbin_entry zstd = entry_of("small.zstd.hex", kind::ptx);
  const auto text = [](const fatbin_entry& one) { return one.contents.substr(one.contents.find_first_not_of('\n')); };
  EXPECT_EQ(text(plain), text(lz4));
  EXPECT_TRUE(is_without_zstd(zstd) || text(plain) == text(zstd));
}

// Several containers one after the other, with padding between them, as in a linked program.
TEST(Fatbin, ManyContainers) {
  const std::string one = kept("small.lz4.hex");
  EXPECT_EQ(entries_of(one + one + std::string(16, '\0') + one).size(), 6U);
  EXPECT_TRUE(entries_of("").empty());
  EXPECT_TRUE(entries_of(std::string(64, '\0')).empty());
}

TEST(Fatbin, CutOff) {
  for (const char* name : {"small.plain.hex", "small.lz4.hex", "small.zstd.hex"}) {
    const std::string whole = kept(name);
    for (std::size_t size = 1; size < whole.size(); size += size < 256 ? 1 : 97) {
      const auto entries = entries_of(std::string_view(whole).substr(0, size));
      ASSERT_FALSE(entries.empty());
      EXPECT_NE(entries.back().problem, "") << name << ", " << size << " bytes";
    }
  }
}

TEST(Fatbin, Damaged) {
  std::mt19937 random(27);
  for (const char* name : {"small.plain.hex", "small.lz4.hex", "small.zstd.hex"}) {
    const std::string whole = kept(name);
    for (int i = 0; i < 500; ++i) {
      std::string text = whole;
      for (int n = 0; n < 3; ++n) text[random() % (n == 0 ? 96 : text.size())] = static_cast<char>(random());
      for (const fatbin_entry& entry : entries_of(text)) {
        if (entry.what == kind::ptx) (void)classify(std::string_view(entry.contents));
        if (entry.what == kind::cubin) (void)kernels_of_cubin(entry.contents);
      }
      if (i % 4 == 0) (void)sections_of(text);
    }
  }
}

TEST(Lz4, Blocks) {
  using namespace std::string_literals;
  EXPECT_EQ(unpack_lz4_block("\x50hello"s, 5), "hello");
  EXPECT_EQ(unpack_lz4_block("\x15"
                             "a\x01\x00\x00"s,
                             10),
            "aaaaaaaaaa");  // 9 bytes that overlap themselves
  EXPECT_EQ(unpack_lz4_block("\x50hello"s, 6), std::nullopt);
  EXPECT_EQ(unpack_lz4_block("\x50hell"s, 5), std::nullopt);
  EXPECT_EQ(unpack_lz4_block("\x15"
                             "a\x02\x00\x00"s,
                             10),
            std::nullopt);  // begins before the text
  EXPECT_EQ(unpack_lz4_block("\x15"
                             "a\x00\x00\x00"s,
                             10),
            std::nullopt);  // no distance
  EXPECT_EQ(unpack_lz4_block("\xf0\xff\xff\xff"s, 1000), std::nullopt);
}

// A program that nvcc links is read as well, if there is an nvcc.
TEST(Fatbin, Program) {
  const char* program = std::getenv("GENESYS_CUDA_PROGRAM");
  if (!program) GTEST_SKIP() << "GENESYS_CUDA_PROGRAM names no program that nvcc built";
  const auto entries = entries_of_program(text_of(program));
  EXPECT_FALSE(entries.empty());
  for (const fatbin_entry& entry : entries) EXPECT_EQ(entry.problem, "");
}

}  // namespace
}  // namespace genesys::schedule
