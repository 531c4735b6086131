// SPDX-License-Identifier: Apache-2.0
// Search: against std::string::find, the twin, sets that are no sets, wrong numbers.
#include <atomic>
#include <thread>

#include "testing.h"

namespace {
using namespace services_testing;
namespace services = genesys::services;
using services::search_hit;

std::vector<search_hit> expected_hits(const bytes& input, const std::vector<std::string>& literals) {
  const std::string text(input.begin(), input.end());
  std::vector<search_hit> all;
  for (u32 i = 0; i < literals.size(); ++i) {
    for (std::size_t at = text.find(literals[i]); at != text.npos; at = text.find(literals[i], at + 1)) {
      all.push_back({at, i, static_cast<u32>(literals[i].size())});
    }
  }
  std::sort(all.begin(), all.end(), [](const search_hit& a, const search_hit& b) {
    return a.at != b.at ? a.at < b.at : a.literal < b.literal;
  });
  return all;
}

void search(genesys::service_server& server, const bytes& input, const std::vector<std::string>& literals, u64 piece,
            u64 hits_each) {
  const auto loaded = server.load(services::search{});
  const bytes compiled = services::compile_search_set(literals);
  const u64 pieces = input.empty() ? 1 : (input.size() + piece - 1) / piece;
  guarded from(server, input.size()), set(server, compiled.size()), counts(server, pieces * 8),
      hits(server, pieces * hits_each * sizeof(search_hit));
  from = input;
  set = compiled;
  const services::search::arguments with{from.input(), piece, set.input(), counts.buffer(), hits.buffer(), hits_each};
  const std::vector<search_hit> expected = expected_hits(input, literals);
  for (const unsigned blocks : {1u, 4u}) {
    same_as_twin<services::search>(server, loaded, with, hits, blocks);
    same_as_twin<services::search>(server, loaded, with, counts, blocks);
    ASSERT_EQ(server.call(loaded, with, {.blocks = blocks}), static_cast<long>(expected.size()));
  }
  std::size_t next = 0;
  for (u64 i = 0; i < pieces; ++i) {
    u64 count = 0;
    for (u64 k = 0; next < expected.size() && expected[next].at < (i + 1) * piece; ++next, ++k, ++count) {
      if (k >= hits_each) continue;
      search_hit found;
      std::memcpy(&found, hits.data() + (i * hits_each + k) * sizeof found, sizeof found);
      ASSERT_EQ(found.at, expected[next].at);
      ASSERT_EQ(found.literal, expected[next].literal);
      ASSERT_EQ(found.bytes, expected[next].bytes);
    }
    u64 counted;
    std::memcpy(&counted, counts.data() + 8 * i, 8);
    ASSERT_EQ(counted, count) << "piece " << i;
  }
  EXPECT_EQ(server.unload(loaded), 0);
}

// Literals of the lengths `least` to `most`; most of them occur, some in the input's last bytes.
std::vector<std::string> literals_of(std::mt19937_64& random, const bytes& input, std::size_t count, std::size_t least,
                                     std::size_t most) {
  std::vector<std::string> all;
  while (all.size() < count) {
    const std::size_t length = std::min(least + random() % (most - least + 1), input.size());
    const std::size_t at = all.size() % 16 == 0 ? input.size() - length : random() % (input.size() - length + 1);
    std::string literal(input.begin() + static_cast<std::ptrdiff_t>(at),
                        input.begin() + static_cast<std::ptrdiff_t>(at + length));
    if (all.size() % 4 == 1) literal.back() = static_cast<char>(literal.back() + 1);  // almost
    all.push_back(literal);
  }
  return all;
}

TEST(Search, FindsAllOccurrences) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small());
  const struct {
    std::size_t count, least, most;
  } sets[] = {{1, 1, 1}, {5, 1, 3}, {3, 2, 4}, {200, 4, 24}, {1000, 6, 255}, {4096, 4, 12}};
  for (const auto& set : sets) {
    for (const std::size_t size : {std::size_t{300}, std::size_t{20'000}}) {
      const bytes input = text(random, size);
      search(server, input, literals_of(random, input, set.count, set.least, set.most), 4096, 40);
      const bytes noise = random_bytes(random, size);
      search(server, noise, literals_of(random, noise, set.count, set.least, set.most), 1000, 3);
      if (HasFatalFailure()) FAIL() << set.count << " literals, GENESYS_TEST_SEED=" << seed();
    }
  }
}

TEST(Search, OccurrencesOverlapAndCrossPieces) {
  genesys::service_server server(all_services{}, small());
  search(server, bytes(3000, 'a'), {"aa", "a", "aaaa", std::string(255, 'a'), "b"}, 512, 4096);
  search(server, bytes(700, 'a'), {"aaaa"}, 3, 1);
  search(server, {}, {"a"}, 16, 1);
  search(server, {'a', 'b'}, {"b", "ab", "abc", "ab"}, 16, 8);
  search(server, bytes(5000, 0), {std::string(4, '\0')}, 4096, 0);  // what lies behind the input is no match
}

TEST(Search, WrongSetsAreNotCompiled) {
  EXPECT_THROW(services::compile_search_set({}), genesys::error);
  EXPECT_THROW(services::compile_search_set({"a", ""}), genesys::error);
  EXPECT_THROW(services::compile_search_set({std::string(256, 'a')}), genesys::error);
  EXPECT_THROW(services::compile_search_set(std::vector<std::string>(4097, "a")), genesys::error);
}

TEST(Search, WrongNumbersAreRefused) {
  genesys::service_server server(all_services{}, small());
  const auto loaded = server.load(services::search{});
  const bytes compiled = services::compile_search_set({"abcd", "efgh"});
  guarded from(server, 1000), set(server, compiled.size()), counts(server, 80), hits(server, 320);
  set = compiled;
  const auto refused = [&](const services::search::arguments& with) {
    is_refused<services::search>(server, loaded, with, hits);
    EXPECT_TRUE(counts.is_untouched());
  };
  counts.fill();
  refused({from.input(), 0, set.input(), counts.buffer(), hits.buffer(), 2});
  refused({from.input(), 99, set.input(), counts.buffer(), hits.buffer(), 1});
  refused({from.input(), 100, set.input(), counts.buffer(), hits.buffer(), 3});
  refused({from.input(), 100, set.input(), counts.buffer(), hits.buffer(), ~u64{0}});
  refused({from.input(), 100, {set.data(), set.size() - 8}, counts.buffer(), hits.buffer(), 2});
  refused({from.input(), 100, {set.data(), 16}, counts.buffer(), hits.buffer(), 2});
  refused({from.input(), 100, {nullptr, 1u << 20}, counts.buffer(), hits.buffer(), 2});
  refused({from.input(), 100, from.input(), counts.buffer(), hits.buffer(), 2});
}

// Whatever stands behind the header of a set, neither side reads or writes outside the buffers.
TEST(Search, DamagedSetsAreHarmless) {
  std::mt19937_64 random(seed());
  genesys::service_server server(all_services{}, small());
  const auto loaded = server.load(services::search{});
  const bytes input = text(random, 5000);
  const bytes compiled = services::compile_search_set(literals_of(random, input, 50, 4, 20));
  guarded from(server, input.size()), set(server, compiled.size()), counts(server, 16),
      hits(server, 40 * sizeof(search_hit));
  from = input;
  for (int i = 0; i < 60; ++i) {
    bytes damaged = compiled;
    for (std::size_t k = 24; k < damaged.size(); ++k) {
      if (random() % (i % 2 == 0 ? 8 : 2) == 0) damaged[k] = static_cast<u8>(random() % 3 == 0 ? 0xff : random());
    }
    set = damaged;
    same_as_twin<services::search>(server, loaded,
                                   {from.input(), 4096, set.input(), counts.buffer(), hits.buffer(), 20}, hits, 2);
    ASSERT_TRUE(counts.guards_are_whole() && set.guards_are_whole()) << "GENESYS_TEST_SEED=" << seed();
  }
}

// The caller changes the set's header while requests run: each request is refused or right, and the block serves on.
TEST(Search, AHeaderThatChanges) {
  genesys::service_server server(all_services{}, small());
  const auto loaded = server.load(services::search{});
  const bytes compiled = services::compile_search_set({"abcd"}), input(512, 'a');
  guarded from(server, input.size()), set(server, compiled.size()), counts(server, 8), hits(server, 0);
  from = input;
  set = compiled;
  const services::search::arguments with{from.input(), 512, set.input(), counts.buffer(), hits.buffer(), 0};
  std::atomic<bool> ends{false};
  std::thread changes([&] {
    const std::atomic_ref<u32> magic(*reinterpret_cast<u32*>(set.data()));
    const u32 right = magic.load(std::memory_order_relaxed);
    for (u32 i = 0; !ends.load(std::memory_order_relaxed); ++i) {
      magic.store(i % 2 == 0 ? ~right : right, std::memory_order_relaxed);
    }
    magic.store(right, std::memory_order_relaxed);
  });
  u64 refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const long result = server.call(loaded, with);
    ASSERT_TRUE(result == 0 || result == -EINVAL) << result;
    refused += result != 0;
  }
  ends.store(true, std::memory_order_relaxed);
  changes.join();
  EXPECT_GT(refused, 0u);
  EXPECT_EQ(server.call(loaded, with), 0);
}

}  // namespace
