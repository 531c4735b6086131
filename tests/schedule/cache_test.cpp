// SPDX-License-Identifier: Apache-2.0
// What the scheduler keeps on disk: that it comes back as it was, and that nothing else comes back: files that are
// damaged, cut off, another user's, of another text or of another classifier.
#include "schedule/cache/kernel_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <thread>

#include "rewrite_cases.h"
#include "schedule/rewrite/text_parts.h"

namespace genesys::schedule {
namespace {

namespace fs = std::filesystem;

class Cache : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "genesys-cache-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
    if (!folder().write("probe", "x")) GTEST_SKIP() << "built without zstd or nlohmann-json";
    folder().clear();
  }
  void TearDown() override { fs::remove_all(path_); }
  cache_folder folder() const { return cache_folder(path_ + "/a/b"); }
  std::string file(const std::string& name) const { return path_ + "/a/b/" + name + ".zst"; }
  static std::string bytes_of(const std::string& file) {
    std::ifstream from(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(from), {}};
  }
  static void put(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

  std::string path_;
};

TEST_F(Cache, ReadsWhatWasWritten) {
  EXPECT_FALSE(folder().read("one"));
  std::string zeros(100'000, '\0');
  for (const std::string& contents : {std::string("some text"), std::string(), zeros}) {
    ASSERT_TRUE(folder().write("one", contents));
    EXPECT_EQ(folder().read("one"), contents);
  }
  ASSERT_EQ(folder().entries().size(), 1U);
  EXPECT_EQ(folder().entries()[0].name, "one.zst");
  EXPECT_EQ(folder().clear(), 1U);
  EXPECT_FALSE(folder().read("one"));
}

// Each byte changed, and each length: the file is absent, or has what it had.
TEST_F(Cache, DamageIsSeen) {
  const std::string contents = "contents of a file that must not come back changed, repeated, repeated";
  ASSERT_TRUE(folder().write("one", contents));
  const std::string packed = bytes_of(file("one"));
  unsigned absent = 0, tried = 0;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    for (const int bit : {0, 3, 7}) {
      std::string damaged = packed;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      put(file("one"), damaged);
      const auto read = folder().read("one");
      EXPECT_TRUE(!read || *read == contents) << "byte " << i << ", bit " << bit;
      absent += !read;
      ++tried;
    }
  }
  EXPECT_GT(absent, tried * 9 / 10);
  for (std::size_t bytes = 0; bytes < packed.size(); ++bytes) {
    put(file("one"), packed.substr(0, bytes));
    EXPECT_FALSE(folder().read("one")) << bytes;
  }
  put(file("one"), packed + packed);
  EXPECT_FALSE(folder().read("one"));
  ASSERT_TRUE(folder().write("one", contents));  // anew
  EXPECT_EQ(folder().read("one"), contents);
}

TEST_F(Cache, WhatOthersCouldHaveWritten) {
  ASSERT_TRUE(folder().write("one", "text"));
  ASSERT_EQ(::chmod(file("one").c_str(), 0666), 0);
  EXPECT_FALSE(folder().read("one"));
  ASSERT_TRUE(folder().write("one", "text"));
  ASSERT_EQ(::rename(file("one").c_str(), file("two").c_str()), 0);
  ASSERT_EQ(::symlink(file("two").c_str(), file("one").c_str()), 0);
  EXPECT_FALSE(folder().read("one"));
  EXPECT_TRUE(folder().read("two"));
  ASSERT_EQ(::mkfifo(file("three").c_str(), 0600), 0);
  EXPECT_FALSE(folder().read("three")) << "and it does not wait";
  ASSERT_EQ(::chmod((path_ + "/a/b").c_str(), 0777), 0);
  EXPECT_FALSE(folder().read("two"));
  EXPECT_FALSE(folder().write("two", "text"));
}

TEST_F(Cache, AFolderThatCannotBe) {
  put(path_ + "/file", "x");
  const cache_folder none(path_ + "/file/below");
  EXPECT_FALSE(none.write("one", "text"));
  EXPECT_FALSE(none.read("one"));
  EXPECT_TRUE(none.entries().empty());
}

// Threads write and read one file: a reader has one of the contents, whole.
TEST_F(Cache, ManyAtOnce) {
  std::vector<std::thread> all;
  std::atomic<unsigned> wrong{0};
  for (int i = 0; i < 4; ++i) {
    all.emplace_back([&, i] {
      for (int round = 0; round < 100; ++round) {
        (void)folder().write("one", std::string(20'000, static_cast<char>('a' + i)));
        const auto read = folder().read("one");
        if (!read || read->size() != 20'000 || read->find_first_not_of((*read)[0]) != read->npos) ++wrong;
      }
    });
  }
  for (std::thread& each : all) each.join();
  EXPECT_EQ(wrong.load(), 0U);
  EXPECT_EQ(folder().entries().size(), 1U) << "no file beside it is left";
}

TEST_F(Cache, TheEnvironmentChooses) {
  const auto path_with = [](const char* chosen, const char* cache, const char* home) {
    const auto set = [](const char* name, const char* value) {
      value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
    };
    set("GENESYS_SCHEDULE_CACHE", chosen);
    set("XDG_CACHE_HOME", cache);
    set("HOME", home);
    const auto made = cache_folder::of_process();
    return made ? made->path() : std::string("none");
  };
  const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
  EXPECT_EQ(path_with("0", "/c", "/h"), "none");
  EXPECT_EQ(path_with("/chosen", "/c", "/h"), "/chosen");
  EXPECT_EQ(path_with(nullptr, "/c", "/h"), "/c/genesys/schedule");
  EXPECT_EQ(path_with("", "relative", "/h"), "/h/.cache/genesys/schedule");
  EXPECT_EQ(path_with(nullptr, nullptr, nullptr), "none");
  path_with(nullptr, nullptr, home.c_str());
}

void expect_equal(const kernel_text& a, const kernel_text& b) {
  EXPECT_EQ(a.ptx, b.ptx);
  EXPECT_EQ(a.made, b.made);
  EXPECT_EQ(a.context_offset, b.context_offset);
  EXPECT_EQ(a.times_offset, b.times_offset);
  EXPECT_EQ(a.why_not, b.why_not);
  EXPECT_EQ(a.table, b.table);
  EXPECT_EQ(a.variables, b.variables);
}

void expect_equal(const kernel_verdict& a, const kernel_verdict& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.line, b.line);
  EXPECT_EQ(a.symbols_read, b.symbols_read);
  EXPECT_EQ(a.symbols_written, b.symbols_written);
  EXPECT_EQ(a.is_idempotent, b.is_idempotent);
  EXPECT_EQ(a.is_preemptible, b.is_preemptible);
  EXPECT_EQ(a.is_write_set_known, b.is_write_set_known);
  EXPECT_EQ(a.tells_others, b.tells_others);
  EXPECT_EQ(a.reads, b.reads);
  EXPECT_EQ(a.writes, b.writes);
  ASSERT_EQ(a.parameters.size(), b.parameters.size());
  for (std::size_t i = 0; i < a.parameters.size(); ++i) {
    EXPECT_EQ(a.parameters[i].name, b.parameters[i].name);
    EXPECT_EQ(a.parameters[i].offset, b.parameters[i].offset);
    EXPECT_EQ(a.parameters[i].bytes, b.parameters[i].bytes);
  }
  ASSERT_EQ(a.uses.size(), b.uses.size());
  for (std::size_t i = 0; i < a.uses.size(); ++i) {
    const pointer_use &one = a.uses[i], &other = b.uses[i];
    EXPECT_EQ(std::tie(one.parameter, one.offset, one.is_read, one.is_read_back, one.is_written, one.has_atomics,
                       one.is_index),
              std::tie(other.parameter, other.offset, other.is_read, other.is_read_back, other.is_written,
                       other.has_atomics, other.is_index));
  }
  ASSERT_EQ(a.must_be_separate.size(), b.must_be_separate.size());
  for (std::size_t i = 0; i < a.must_be_separate.size(); ++i) {
    EXPECT_EQ(a.must_be_separate[i].read, b.must_be_separate[i].read);
    EXPECT_EQ(a.must_be_separate[i].written, b.must_be_separate[i].written);
  }
  ASSERT_EQ(a.reasons.size(), b.reasons.size());
  for (std::size_t i = 0; i < a.reasons.size(); ++i) {
    EXPECT_EQ(a.reasons[i].what, b.reasons[i].what);
    EXPECT_EQ(a.reasons[i].text, b.reasons[i].text);
    EXPECT_EQ(a.reasons[i].line, b.reasons[i].line);
    EXPECT_EQ(a.reasons[i].in, b.reasons[i].in);
  }
}

TEST_F(Cache, KernelsComeBackAsTheyWere) {
  const cache_folder here = folder();
  for (const char* name : {"workloads.ptx", "adversarial.ptx", "table2.ptx", "variables.ptx"}) {
    const std::string ptx = kept_ptx(name);
    const text_parts parts(ptx);
    for (const kernel_verdict& each : classify(ptx)) {
      const std::string text = parts.with_only(each.name);
      prepared_kernel made, first, again;
      ASSERT_TRUE(prepare(text, each.name, made));
      ASSERT_TRUE(prepare_or_recall(&here, text, each.name, first));
      ASSERT_TRUE(unpack_kernel(*here.read(file_name("kernel", each.name + "\n" + text)), text, each.name, again));
      for (const prepared_kernel* one : {&first, &again}) {
        expect_equal(one->verdict, made.verdict);
        expect_equal(one->polls, made.polls);
        expect_equal(one->timed, made.timed);
      }
    }
  }
}

// What is in the folder is what is used: a changed file is believed if it is whole.
TEST_F(Cache, TheFolderIsAsked) {
  const cache_folder here = folder();
  const std::string ptx = kept_ptx("workloads.ptx"), text = text_parts(ptx).with_only("copy");
  prepared_kernel made, again;
  ASSERT_TRUE(prepare(text, "copy", made));
  made.polls.why_not = "changed by the test";
  ASSERT_TRUE(here.write(file_name("kernel", "copy\n" + text), packed_kernel(text, made)));
  ASSERT_TRUE(prepare_or_recall(&here, text, "copy", again));
  EXPECT_EQ(again.polls.why_not, "changed by the test");
  // Of another text, by chance of the same hash: made anew, and kept.
  ASSERT_TRUE(here.write(file_name("kernel", "copy\n" + text), packed_kernel(text + "\n", made)));
  ASSERT_TRUE(prepare_or_recall(&here, text, "copy", again));
  EXPECT_EQ(again.polls.why_not, "");
  EXPECT_FALSE(prepare_or_recall(&here, text, "nobody", again));
}

TEST_F(Cache, WhatIsNoKernel) {
  const std::string ptx = kept_ptx("workloads.ptx"), text = text_parts(ptx).with_only("copy");
  prepared_kernel made, into;
  ASSERT_TRUE(prepare(text, "copy", made));
  const std::string packed = packed_kernel(text, made);
  ASSERT_TRUE(unpack_kernel(packed, text, "copy", into));
  EXPECT_FALSE(unpack_kernel(packed, text, "reduce", into));
  EXPECT_FALSE(unpack_kernel(packed, text + " ", "copy", into));
  EXPECT_FALSE(unpack_kernel("", text, "copy", into));
  // By another classifier: the digest has 64 digits.
  std::string other = packed;
  const std::size_t digest = other.find("made_by");
  ASSERT_NE(digest, other.npos);
  other[digest + 20] = other[digest + 20] == '0' ? '1' : '0';
  EXPECT_FALSE(unpack_kernel(other, text, "copy", into));
  // An index that is too large would be used without a check.
  prepared_kernel wrong = made;
  wrong.verdict.uses.at(0).parameter = 100;
  EXPECT_FALSE(unpack_kernel(packed_kernel(text, wrong), text, "copy", into));
  // Random bytes and random changes end in an answer.
  std::mt19937 random(27);
  for (int i = 0; i < 2'000; ++i) {
    std::string bytes = packed;
    for (int n = 0; n < 3; ++n) bytes[random() % bytes.size()] = static_cast<char>(random());
    bytes.resize(random() % 4 == 0 ? random() % bytes.size() : bytes.size());
    (void)unpack_kernel(bytes, text, "copy", into);
  }
}

TEST_F(Cache, Times) {
  const cache_folder here = folder();
  EXPECT_TRUE(recall_times(here, "a GPU").empty());
  ASSERT_TRUE(
      keep_times(here, "a GPU", {{"k", 1, 10, 64, 0, {5'000, 300, 20}}, {"k", 1, 10, 64, 77, {9'000, 310, 0}}}));
  ASSERT_TRUE(keep_times(here, "a GPU", {{"k", 1, 10, 64, 0, {6'000, 400, 0}}}));
  ASSERT_TRUE(keep_times(here, "another GPU", {{"k", 1, 10, 64, 0, {1, 1, 1}}}));
  const auto all = recall_times(here, "a GPU");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].kernel, "k");
  EXPECT_EQ(all[0].text_hash, 1U);
  EXPECT_EQ(all[0].blocks, 10U);
  EXPECT_EQ(all[0].threads, 64U);
  EXPECT_EQ(all[0].times.run, 6'000U) << "the newer one";
  EXPECT_EQ(all[0].times.block, 400U);
  EXPECT_EQ(all[1].magnitudes, 77U);
  EXPECT_EQ(all[1].times.run, 9'000U);
  EXPECT_EQ(recall_times(here, "another GPU").size(), 1U);
  std::vector<kept_times> many;
  for (std::uint64_t i = 0; i < kept_times_max + 10; ++i) many.push_back({"m", i, 1, 1, 0, {1, 1, 1}});
  ASSERT_TRUE(keep_times(here, "a GPU", many));
  EXPECT_EQ(recall_times(here, "a GPU").size(), kept_times_max);
}

}  // namespace
}  // namespace genesys::schedule
